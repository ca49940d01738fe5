# Results of a naive Bayes classifier: densities, predictions and pictures.

classifier_result <- function(release, fields) {
  columns <- fields$variable[-1]
  found <- found_classes(release, fields, length(columns), fields$levels)
  labels <- as.character(fields$levels)
  of_moments <- function(what) vapply(found$moments, `[[`, 0, what)
  places <- expand.grid(class = labels, column = columns, stringsAsFactors = FALSE)
  half <- rep(vapply(fields$rng, diff, 0) / 2, each = length(labels))
  middle <- rep(vapply(fields$rng, mean, 0), each = length(labels))
  enough <- vapply(found$moments, `[[`, NA, "enough")
  least <- pmax(of_moments("deviation"), least_variance)
  variance <- of_moments("variance")
  reach <- reach_of_means(found$moments, fields$alpha)
  mean <- of_moments("mean")
  intervals <- middle + half * within_bounds(cbind(mean - reach, mean + reach), -1, 1)
  dimnames(intervals) <- list(paste(places$column, places$class, sep = ":"), NULL)
  raised <- any(variance[enough] < least[enough])
  list(
    release = data.frame(
      places,
      mean = middle + half * mean, sd = half * sqrt(pmax(variance, least))
    ),
    variable = fields$variable, accuracy = fields$accuracy, epsilon = fields$epsilon,
    rows = stats::setNames(found$counts, labels), intervals = intervals,
    status = if (!all(enough)) "few" else if (raised) "noise" else "ok"
  )
}

# Smallest variance of u. The values in a class can all be equal.
least_variance <- 1e-9

# Log densities of each class (columns) for the rows of a matrix with all columns of the classifier.
# They are -Inf for a class without numbers.
class_log_densities <- function(x, rows) {
  about <- attr(x, "about")$model
  labels <- as.character(about$levels)
  scores <- matrix(rep(log(x$rows), each = nrow(rows)), nrow(rows), length(labels),
    dimnames = list(NULL, labels)
  )
  colnames(rows) <- names(about$rng)
  for (column in names(about$rng)) {
    bounds <- about$rng[[column]]
    values <- within_bounds(rows[, column], bounds[[1]], bounds[[2]])
    for (label in labels) {
      row <- x$release[x$release$class == label & x$release$column == column, ]
      density <- stats::dnorm(values, row$mean, row$sd, log = TRUE)
      density[is.na(values)] <- 0
      scores[, label] <- scores[, label] + density
    }
  }
  scores[is.na(scores)] <- -Inf
  scores
}

# NA if no class has numbers.
class_probabilities <- function(scores) {
  shares <- exp(scores - largest_in_rows(scores))
  shares <- shares / rowSums(shares)
  shares[is.nan(shares)] <- NA
  shares
}

largest_in_rows <- function(x) x[cbind(seq_len(nrow(x)), max.col(x, "first"))]

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @export
predict.dp_naive_bayes_result <- function(object, newdata, type = "class", ...) {
  call <- environment()
  check_names(...)
  type <- check_name(type, c("class", "probabilities"), "type", call)
  if (missing(newdata)) stop_without_rows(call)
  kept <- list(bounds = attr(object, "about")$model$rng)
  rows <- numbers_of_rows(newdata, names(kept$bounds), call)
  warn_of_new_rows(newdata, kept, so_clamps, call)
  scores <- class_log_densities(object, rows)
  shares <- class_probabilities(scores)
  if (type == "probabilities") {
    rownames(shares) <- rownames(newdata)
    return(shares)
  }
  # Ties go to the first class.
  best <- max.col(scores, "first")
  best[is.na(shares[, 1])] <- NA
  factor(colnames(scores)[best], levels = colnames(scores))
}

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dp_naive_bayes_result <- function(x, newdata, ...) {
  check_names(...)
  if (missing(newdata)) stop_without_rows(environment())
  shares <- predict(x, newdata, type = "probabilities")
  newdata$.fitted <- predict(x, newdata)
  newdata$.probability <- largest_in_rows(shares)
  newdata
}

estimates_of.dp_naive_bayes_result <- function(x) {
  data.frame(
    term = paste(x$release$column, x$release$class, sep = ":"), estimate = x$release$mean,
    sd = x$release$sd
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_naive_bayes_result <- function(x) {
  list(
    means = function() {
      table <- within_ranges(as.data.frame(x), attr(x, "about")$model$rng[x$release$column])
      list(
        kind = "points", table = table[!is.na(table$estimate), ], apart = FALSE,
        xlab = "mean, from lower to upper bound of its column"
      )
    },
    rows = function() {
      list(
        kind = "bars", table = data.frame(term = names(x$rows), estimate = unname(x$rows)),
        xlab = x$variable[[1]], ylab = "rows"
      )
    }
  )
}
# nolint end
