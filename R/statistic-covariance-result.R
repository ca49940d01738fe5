# Results from the released entries of a covariance matrix: postprocessing.

covariance_result <- function(release, fields) {
  count <- length(fields$columns)
  pairs <- triangle(count)
  entries <- seq_len(nrow(pairs))
  matrix <- symmetric_matrix(release[entries], pairs, fields$columns)
  means <- if (fields$intercept) stats::setNames(release[-entries], fields$columns)
  c(
    list(
      release = as.data.frame(matrix), variable = fields$variable, epsilon = fields$epsilon,
      globalEps = fields$globalEps, accuracy = fields$accuracy, n = fields$n
    ),
    if (fields$intercept) list(means = means),
    if (length(fields$formula) > 0) {
      list(linearRegression = regressions(fields$formula, entry_lines(matrix, means, fields)))
    }
  )
}

symmetric_matrix <- function(entries, pairs, names) {
  matrix <- matrix(0, length(names), length(names), dimnames = list(names, names))
  matrix[cbind(pairs$first, pairs$second)] <- entries
  matrix[cbind(pairs$second, pairs$first)] <- entries
  matrix
}

# Lines from entries and means with independent Laplace noise.
entry_lines <- function(matrix, means, fields) {
  named <- function(x) stats::setNames(x, fields$columns)
  widths <- named(vapply(fields$rng, diff, 0))
  pairs <- triangle(length(widths))
  deviations <- symmetric_matrix(sqrt(2) * fields$sens / fields$epsilon, pairs, fields$columns)
  of_means <- if (fields$intercept) named(sqrt(2) * widths / fields$n / fields$meanEpsilon)
  function(formula) {
    covariance_line(matrix, formula, fields$n, widths, means, fields$ridge, deviations, of_means)
  }
}

# Residual variance at these coefficients of columns, with the degrees of freedom of `n` rows. NULL
# if the matrix lacks columns of the model. Noise can take it below 0.
variance_from_matrix <- function(x, model) {
  if (!is.null(model$program)) {
    return(NULL)
  }
  matrix <- as.matrix(x$release)
  slopes <- model$coefficients[setdiff(names(model$coefficients), "intercept")]
  formula <- check_formula(model$formula)
  used <- c(formula$response, names(slopes))
  if (!all(used %in% colnames(matrix))) {
    return(NULL)
  }
  contrast <- c(1, -slopes)
  rows <- x$nPresent %||% attr(x, "about")$n
  share <- (rows - 1) / max(rows - length(model$coefficients), 1)
  share * sum(contrast * (matrix[used, used] %*% contrast))
}

# S3 method names contain dots.
# nolint start: object_name_linter.

# Regressions have tables below the matrix.
result_lines.dp_covariance_result <- function(x, digits, rows) {
  tables <- x$linearRegression
  x$linearRegression <- NULL
  if (is.data.frame(tables)) tables <- list(`linear regression` = tables)
  shown <- Map(function(table, name) {
    table <- cbind(term = rownames(table), table)
    c("", paste0("  ", name), show_table(table, digits %||% 7, Inf))
  }, tables, names(tables))
  c(result_lines.dp_result(x, digits, rows), unlist(shown, use.names = FALSE))
}

estimates_of.dp_covariance_result <- function(x) {
  pairs <- as.matrix(triangle(length(x$variable)))
  estimate <- as.matrix(x$release)[pairs]
  data.frame(
    term = names_of_pairs(x$variable, pairs), estimate = estimate,
    conf.low = estimate - x$accuracy, conf.high = estimate + x$accuracy
  )
}

pictures.dp_covariance_result <- function(x) {
  entries <- list(entries = function() {
    list(kind = "points", table = as.data.frame(x), xlab = "covariance", apart = TRUE)
  })
  c(entries, if (!is.null(x$linearRegression)) list(coefficients = function() slopes(x)))
}

# nolint end

# Slopes whose errors cover noise and sampling.
slopes <- function(x) {
  tables <- x$linearRegression
  if (is.data.frame(tables)) tables <- list(tables)
  prefix <- if (length(tables) > 1) paste0(names(tables), ": ") else ""
  rows <- Map(function(table, prefix) {
    estimate <- stats::setNames(table$Estimate, rownames(table))
    errors <- attr(table, "errors")
    ends <- if (!is.null(errors)) {
      coefficient_intervals(estimate, errors, 1 - attr(x, "about")$alpha)
    }
    with_ends(
      data.frame(term = paste0(prefix, rownames(table)), estimate = estimate), ends,
      c("conf.low", "conf.high")
    )
  }, tables, prefix)
  list(
    kind = "points", table = do.call(rbind, unname(rows)), xlab = "coefficient", apart = TRUE,
    covers = target_in(x, "linearRegression")
  )
}
