#' Differentially private naive Bayes classifier
#'
#' `dpNaiveBayes()` plans a release of a Gaussian naive Bayes classifier: the number of rows in each
#' class, and the mean and standard deviation of each column within it. Building the plan checks the
#' arguments and chooses the noise without reading data. Each call of `release()` spends `epsilon`
#' on all these numbers together.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. The new row
#' can have any class. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them. Rows
#' whose class is missing, or not among `levels`, are not counted.
#'
#' By position, the arguments are `formula, levels, n, rng, epsilon`, as in earlier versions.
#'
#' @inheritParams dpLM
#' @param mechanism (`character(1)`) Noise mechanism, public: `"mechanismLaplace"`, in any letter
#'   case.
#' @param formula (`formula` or `character(1)`) Class column and other columns, by name only:
#'   `class ~ a + b`. Other formulas raise an error.
#' @param levels (`character` or `numeric`) Class levels, 2 to 1000, public. Use `character` for a
#'   text column or factor, and `numeric` for a column of numbers or logical values.
#' @param n (whole number) Number of rows, public, at least 2.
#' @param rng (`list`) Bounds of each column except the class, public. Give pairs, or a matrix with
#'   a row for each column, named after the columns or in the order of `formula`. Logical columns
#'   need no bounds. If you do not know a pair, use [bounds()] instead.
#' @param varType (`character(1)`) Type of all columns except the class, public: `"numeric"`,
#'   `"integer"` or `"logical"`.
#' @param imputeRng (`list`) Ranges of the draws that replace missing values of each column, if
#'   `missing = "impute"`. `NULL`, for all columns or for one, means its `rng`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses, for each column, all rows
#'   with a value in it, even if other columns lack one. `"impute"` draws values from `imputeRng`.
#'   It is only right if almost nothing is missing, because the draws do not depend on the class.
#'   The default is `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpNaiveBayes`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` (class and columns), `varType`, `levels`, `n`, `epsilon`,
#'   `delta` (0), `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`, because it depends on the data),
#'   `imputeRng`, `missing`, `formula`, `input_metric`, `d_in`, `measurement` and `result`, a
#'   [dp_result] with
#'
#' * `release`: a data frame with a row for each column in each class: `class`, `column`, `mean` and
#'   `sd`, in the units of the columns.
#' * `variable`, `accuracy`, `epsilon`.
#' * `rows`: noisy numbers of rows of the classes, `numeric`, with names.
#' * `intervals`: a matrix with a row for each row of `release`: intervals for the population means.
#'   [confint()][statistic_models] of the result returns them, too.
#' * `status`: `"ok"`, `"noise"` if a variance was not above its noise and was raised to that, or
#'   `"few"` if noise hides the number of rows in a class. The numbers of this class are then `NA`,
#'   and it is never predicted.
#' @section Prediction: `predict(result, newdata)` is a factor with `levels`. It holds the most
#'   probable class of each row of `newdata`, if the columns are independent normal variables within
#'   each class. `newdata` are other, public rows. `predict(result, newdata, "probabilities")` is a
#'   matrix with a column for each class. Values beyond `rng` are clamped, as in the data. Missing
#'   values are ignored. `augment(result, newdata)` (of package generics) is `newdata` with the
#'   columns `.fitted`, the class, and `.probability`.
#' @section How it works: Let c be the middle of a column's range, h half its width, and
#'   `u = (x - c) / h`, between -1 and 1. In each class, the sums of `(1 - u)^2 / 4`,
#'   `(1 - u^2) / 2` and `(1 + u)^2 / 4` are released. These terms are not negative and add up to 1,
#'   so a row is divided between the three cells. One more cell holds the rows without a class. With
#'   `missing = "drop"`, each class also has a cell for rows without a value.
#'
#'   One replaced row, whatever its class, moves the cells of one column by at most 2, and the cells
#'   of P columns by at most 2 P. Each cell has discrete Laplace noise of scale `2 P / epsilon`.
#'   Least squares adjusts all columns to the same class sizes, which add up to `n`. Count, mean and
#'   variance of each column in each class follow. The intervals of means are computed as in
#'   [dpMeanDifference()].
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (three standard deviations of
#'   the noise in a sum reach the average class size), `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Vaidya, Shafiq, Basu and Hong (2013), *Differentially Private Naive
#'   Bayes Classification*, for the question.
#' @seealso [dpGLM()] for logistic regression, [statistic_models]
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
                       alpha = 0.05, n_check = "error", missing = c("drop", "impute")) {
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
    noise_dominates = 3 * sum_deviation >= args$n / length(args$levels),
    span = rep(vapply(args$rng, diff, 0), each = length(args$levels)),
    covers = c(intervals = target_of$moved),
    model = list(levels = args$levels, rng = stats::setNames(args$rng, columns)), call = call
  )
}

# Method names contain dots.

# Results of a naive Bayes classifier: densities, predictions and pictures -------------------------

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
