#' Differentially private naive Bayes classifier
#'
#' A plan for releases of a Gaussian naive Bayes classifier: how many rows each class has, and the
#' mean and standard deviation of each column in it. Building it checks the arguments, chooses the
#' noise and reads no data; `release()` spends `epsilon`, each time that it is called, on all of
#' them together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other, by a row of any class. Rows are used as in [dpCovariance()]: clamped, imputed, `n`
#' of them. A row whose class is missing, or none of `levels`, is in no class, and counts for none.
#'
#' `dpNaiveBayes(...)` and `dpNaiveBayes$new(...)` are the same.
#'
#' @inheritParams dpLM
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param formula (`formula` or `character(1)`) The column of classes and others by their names
#'   alone: `class ~ a + b`. Anything else is refused.
#' @param levels (`character` or `numeric`) The classes, 2 to 1000; public. Texts are for a column
#'   of text or a factor, numbers for one of numbers or logical values.
#' @param n (whole number) Number of rows, 2 or more; public.
#' @param rng (`list`) Public bounds of each column but that of classes: pairs, or a matrix with a
#'   row for each; named after the columns, or in the order of `formula`. Not needed for logical
#'   columns. Where nobody knows a pair, [bounds()] in its place.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` or `"logical"`, of all columns but that
#'   of classes.
#' @param imputeRng (`list`) With `missing = "impute"`: ranges from which missing values of each
#'   column are drawn. `NULL`, also for a single column, stands for its `rng`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: mean and standard deviation of
#'   a column are those of its rows with a value, whatever other columns lack. `"impute"`: see
#'   `imputeRng`; only right if next to nothing is missing, because draws do not depend on classes.
#'   Left out, it is `"drop"`, or `"impute"` if you give `imputeRng`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpNaiveBayes`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` (classes and columns), `varType`, `levels`, `n`, `epsilon`,
#'   `delta` (0), `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`: it depends on the data),
#'   `imputeRng`, `missing`, `formula`, `input_metric`, `d_in`, `measurement` and `result`, a
#'   [dp_result] with
#'
#' * `release`: a data frame with a row for each column in each class: `class`, `column`, `mean` and
#'   `sd`, in the units of the columns.
#' * `variable`, `accuracy`, `epsilon`.
#' * `rows`: noisy numbers of rows of the classes, `numeric`, with names.
#' * `intervals`: a matrix with a row for each row of `release`, for the mean in what the rows were
#'   drawn from; also [confint()][statistic_models] of the result.
#' * `status`: `"ok"`; `"noise"` if a variance is not above the noise in it, and was raised to that;
#'   or `"few"` if so few rows are in a class that noise hides how many: then its numbers are `NA`,
#'   and nothing is predicted to be in it.
#' @section Prediction: `predict(result, newdata)` is a factor with `levels`: for each row of
#'   `newdata`, which are other rows, and public, the class that is most probable if the columns are
#'   independent normal variables within each class. `predict(result, newdata, "probabilities")` is
#'   a matrix with a column for each class. Values beyond `rng` are moved to its nearer end, as
#'   those of the data were; a missing value says nothing. `augment(result, newdata)` (of package
#'   generics) is `newdata` with columns `.fitted`, the class, and `.probability`.
#' @section How it works: With c the middle of the range of a column, h half of its width and
#'   `u = (x - c) / h`, between -1 and 1, the sums of `(1 - u)^2 / 4`, `(1 - u^2) / 2` and
#'   `(1 + u)^2 / 4` in
#'   each class are released. They are not negative and add up to 1, so that a row falls into these
#'   cells by parts; a cell of rows in no class, and with `missing = "drop"` one in each class of
#'   rows without a value, complete them. One replaced row, whatever its class, moves the cells of a
#'   column by 2 at most and those of P columns by 2 P, and each cell has discrete Laplace noise of
#'   scale `2 P / epsilon`. By least squares all columns are brought to the same numbers of rows in
#'   classes, and these to `n`. Count, mean and variance of each column in each class follow.
#'   Intervals of means are those of [dpMeanDifference()].
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (three standard deviations of
#'   the noise in a sum are as many rows as a class has in the mean), `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; Vaidya, Shafiq, Basu and Hong (2013), *Differentially Private Naive
#'   Bayes Classification*, for the question.
#' @seealso [dpGLM()] for logistic regression; [statistic_models]
#' @examples
#' plan <- dpNaiveBayes(married ~ age + educ, c(0, 1),
#'   n = 10000, rng = list(age = c(18, 93), educ = c(1, 16)), epsilon = 1
#' )
#' result <- plan$release(PUMS5extract10000)
#' result
#' people <- data.frame(age = c(20, 45), educ = c(9, 13))
#' predict(result, people)
#' predict(result, people, type = "probabilities")
#' @export
dpNaiveBayes <- new_statistic("dpNaiveBayes", "Gaussian naive Bayes classifier", "a classifier",
  arguments = function(formula, levels, n, rng = NULL, epsilon = NULL,
                       mechanism = "mechanismLaplace", varType = "numeric", imputeRng = NULL,
                       alpha = 0.05, n_check = "refuse", missing = c("drop", "impute")) {
  },
  required = c("formula", "levels", "n", "rng", "epsilon"),
  takes = list(
    formula = class_formula(), levels = class_levels(), n = count_from(2),
    rng = bounds_of("formula", terms_of_formula), epsilon = loss_of_release(),
    imputeRng = imputed_bounds_of("formula", terms_of_formula)
  ),
  plan = function(...) plan_naive_bayes(...),
  fields = classes_fields,
  numbers = c("n", "range", "formula", "levels"), others = c("n", "formula", "levels")
)

plan_naive_bayes <- function(args, call) {
  class <- args$formula$response
  columns <- args$formula$terms
  args$formula <- args$formula$text
  measurement <- class_measurement(columns, class, args$levels, args)
  own <- list(
    name = paste("naive Bayes classifier of", args$formula), variable = c(class, columns),
    delta = 0, rngFormat = "list", accuracy = NA_real_, input_metric = measurement("input_metric"),
    d_in = protected_rows, measurement = measurement
  )
  fields <- c(own, args)[classes_fields]
  names(fields) <- classes_fields
  sum_deviation <- sqrt(2) * cell_deviation(length(columns), args$epsilon)
  new_plan(fields, classifier_result,
    read = reads_classes(class, args$levels), class = "dp_naive_bayes_result",
    drowned = 3 * sum_deviation >= args$n / length(args$levels),
    span = rep(vapply(args$rng, diff, 0), each = length(args$levels)),
    covers = c(intervals = target_of$moved),
    model = list(levels = args$levels, rng = stats::setNames(args$rng, columns)), call = call
  )
}

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

# Of u, whose values in a class may be all the same.
least_variance <- 1e-9

# Log densities of each class, a column, in rows of a matrix that has all columns of the classifier:
# -Inf of one without numbers.
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

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname statistic_models
#' @export
predict.dp_naive_bayes_result <- function(object, newdata, type = "class", ...) {
  call <- environment()
  check_names(...)
  type <- check_name(type, c("class", "probabilities"), "type", call)
  if (missing(newdata)) stop_without_rows(call)
  columns <- names(attr(object, "about")$model$rng)
  scores <- class_log_densities(object, numbers_of_rows(newdata, columns, call))
  shares <- class_probabilities(scores)
  if (type == "probabilities") {
    rownames(shares) <- rownames(newdata)
    return(shares)
  }
  # The first of equal ones.
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
