# Expected errors of linear models, from public guesses: the estimator runs on made-up rows, with
# the noise of the query. No private rows are read.

made_up_points <- 1024

# A data frame with a row for each coefficient: term, n, std.error, classical (the standard error
# without noise) and accuracy (half of the interval).
expected_coefficients <- function(query, loss, alpha, guess, call) {
  model <- query$model
  preview <- as_columns(compiled_query(query, loss, alpha, call)$preview)
  rows <- guessed_rows(model, guess)
  fit <- function(noisy) {
    tidy <- guessed_moments(model, rows, guess$n, preview, noisy)
    found <- found_in_group(tidy, model, "rho" %in% names(loss))
    lm_of_table(found, model, alpha)$elements$summary
  }
  noisy <- fit(TRUE)
  data.frame(
    term = rownames(noisy), n = guess$n, std.error = noisy[["Std. Error"]],
    classical = fit(FALSE)[["Std. Error"]], accuracy = (noisy[[4]] - noisy[[3]]) / 2
  )
}

coefficients_of_model <- function(model) {
  c(if (model$intercept) "(Intercept)", names_of_columns(model$columns[-1]))
}

# Checks list(n, mean, sd) and returns it with `mean` and `sd` as named numbers.
check_guess <- function(guess, query, call) {
  if (!inherits(query, "dp_model_query") || query$model$kind != "lm") {
    stop_argument("left out: only a query of `dp_lm()` has coefficients", "given", "guess", call)
  }
  words <- "a list of `n` and, if you know them, of named `mean` and `sd`"
  if (!is.list(guess) || is.null(guess$n) || !all(names(guess) %in% c("n", "mean", "sd"))) {
    stop_argument(words, describe(guess), "guess", call)
  }
  check_number(guess$n, above = 0, arg = "guess$n", call = call)
  variables <- numbers_of_model(query$model)
  for (part in c("mean", "sd")) {
    values <- unlist(guess[[part]])
    fits <- is.null(values) || is.numeric(values) && all(is.finite(values)) &&
      all(names(values) %in% variables) && !is.null(names(values))
    if (!fits || part == "sd" && any(values <= 0)) {
      stop_argument(paste0("numbers", if (part == "sd") " above 0", ", named by ",
        listed(variables)
      ), describe(guess[[part]]), paste0("guess$", part), call)
    }
    guess[[part]] <- values
  }
  guess
}

numbers_of_model <- function(model) {
  unique(c(unlist(lapply(model$columns, `[[`, "numbers")), model$weights))
}

# Independent columns, spread evenly over bounds and levels, or normal with a guessed deviation.
guessed_rows <- function(model, guess) {
  variables <- unique(c(variables_of_columns(model$columns), model$weights))
  points <- seq_len(made_up_points)
  columns <- lapply(stats::setNames(seq_along(variables), variables), function(at) {
    name <- variables[[at]]
    field <- model$fields[[name]]
    # Multiples of irrational numbers are spread evenly, and independent of each other.
    place <- (points * sqrt(small_primes[[(at - 1) %% length(small_primes) + 1]])) %% 1
    if (field$type == "logical") {
      place < 0.5
    } else if (field$type == "levels") {
      field$levels[1 + floor(place * length(field$levels))]
    } else {
      guessed_numbers(place, field, guess$mean[name], guess$sd[name])
    }
  })
  list2DF(columns)
}

guessed_numbers <- function(place, field, mean, sd) {
  mean <- if (length(mean) == 0 || is.na(mean)) (field$lower + field$upper) / 2 else mean
  values <- if (length(sd) == 0 || is.na(sd)) {
    mean + (place - 0.5) * (field$upper - field$lower)
  } else {
    stats::qnorm(place, mean, sd)
  }
  within_bounds(values, field$lower, field$upper)
}

small_primes <- c(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)

# Moments of `n` such rows, as a release would have them.
guessed_moments <- function(model, rows, n, preview, noisy) {
  tables <- lapply(names(model$shapes), function(name) {
    shape <- model$shapes[[name]]
    product <- rep(n / nrow(rows), nrow(rows))
    if (!is.null(model$weights)) product <- product * rows[[model$weights]]
    for (number in shape$numbers) {
      field <- model$fields[[number]]
      value <- Reduce(`*`, rows[numbers_behind(number, model$columns)])
      product <- product * (value - (field$lower + field$upper) / 2)
    }
    sums <- if (length(shape$factors) == 0) {
      sum(product)
    } else {
      cell <- do.call(paste, c(lapply(unname(rows[shape$factors]), as.character), sep = ":"))
      labels <- labels_of_cells(shape$factors, model$fields)
      vapply(labels, function(label) sum(product[cell == label]), 0)
    }
    scale <- preview$scale[match(name, preview$column)]
    mechanism <- preview$mechanism[match(name, preview$column)]
    deviation <- scale * if (identical(mechanism, "discrete Laplace")) sqrt(2) else 1
    data.frame(column = name, estimate = unname(sums), std.error = if (noisy) deviation else 0,
      conf.low = unname(sums), conf.high = unname(sums)
    )
  })
  do.call(rbind, tables)
}

# The columns whose product a moment reads as one number.
numbers_behind <- function(number, columns) {
  Find(function(column) identical(one_number(column), number), columns)$numbers
}

# The smallest loss whose intervals are at most this wide on either side, by bisection.
solve_coefficients <- function(query, accuracy, alpha, delta, guess, call) {
  measure <- measure_name(session_of(query)$loss)
  reached <- function(amount) {
    loss <- new_loss(measure, amount, delta)
    expected <- expected_coefficients(query, loss, alpha, guess, call)
    all(expected$accuracy[match(names(accuracy), expected$term)] <= accuracy)
  }
  ends <- c(1e-6, 1e6)
  if (!reached(ends[[2]])) {
    stop_dp(paste("no loss reaches this accuracy, because sampling errors of `guess$n` rows are",
      "larger. Allow a larger error."
    ), "search", call = call)
  }
  if (reached(ends[[1]])) {
    return(new_loss(measure, ends[[1]], delta))
  }
  while (ends[[2]] / ends[[1]] > 1.001) {
    middle <- sqrt(prod(ends))
    ends[[if (reached(middle)) 2 else 1]] <- middle
  }
  new_loss(measure, signif(ends[[2]] * 1.0005, 4), delta)
}
