# Number of cells, rounded up.
number_of_cells <- function() {
  words <- "a whole number at least 2, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (is_missing(value)) return(NULL)
    check_number(value, min = 2, arg = arg, call = call)
    if (value != ceiling(value)) {
      warn_dp("`nBins` is rounded up to {ceiling(value)}.", "n_bins", call = call)
    }
    ceiling(value)
  })
}

range_of_cells <- function() {
  words <- paste(
    "two finite numbers, lower and upper bound, or [bounds()] beside `nBins` (not",
    "for texts, and not needed beside `bins`)"
  )
  argument_kind(words, function(value, arg, call, args) value, finds = TRUE)
}

#' Differentially private histogram
#'
#' Plans releases of the counts of all cells of one column. Building the plan checks the arguments,
#' chooses cells and noise, and reads no data. Each call of `release()` spends `epsilon` (and
#' `delta`).
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Each noisy count, separately, is within `accuracy` of the count in the data as
#' used, with probability `1 - alpha`.
#'
#' The cells are public. With `"mechanismLaplace"` you declare the cells, and all of them are
#' released. With `"mechanismStability"` the cells are all texts, or all cells of an endless grid. A
#' cell is released if its noisy count reaches a threshold. `delta` bounds the probability that a
#' single row is seen, and the threshold is the least that keeps this bound. The default is
#' `"mechanismLaplace"` for logical columns, and if you give `bins`, or a range and a number of
#' cells.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) `"numeric"`, `"integer"`, `"logical"` (0 and 1, `FALSE` and
#'   `TRUE`, see `conversion`), or `"character"` (also for a factor). The default is `"character"`
#'   if `bins` are texts.
#' @param accuracy (`numeric(1)`) Wanted accuracy of a count, instead of `epsilon`. For the
#'   stability mechanism it includes the threshold.
#' @param rng (`numeric(2)`) Public bounds of numbers, or [bounds()]. They are the ends of the first
#'   and the last cell. `closed` has the rule for values outside.
#' @param bins (`numeric`, `character` or `logical`) Cells: increasing edges for numbers, texts, or
#'   some of 0, 1 and `NA`.
#' @param nBins (whole number) Number of cells of equal width over `rng`, at least 2. Without `rng`:
#'   largest number of cells to release.
#' @param granularity (`numeric(1)`) Rows per cell, instead of `nBins`: there are `n / granularity`
#'   cells, rounded up.
#' @param delta (`numeric(1)`) Delta of the stability mechanism (`2^-30` by default), or of Gaussian
#'   noise beside `epsilon`. Below 1 / `n`.
#' @param imputeBins (`character`) With `missing = "impute"`: texts among `bins`. A text that is
#'   missing, or not among the bins, is replaced by a uniform draw from these. All by default.
#' @param impute (`logical(1)`) For logical columns: whether to replace missing values by 0 or 1
#'   instead of counting them in a separate cell.
#' @param nBoot Ignored, for old scripts.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, `"mechanismGaussian"` (automatic if you
#'   give `rho`) or `"mechanismStability"`.
#' @param binWidth,origin (`numeric(1)`) Width and origin of the cells
#'   \[origin + j binWidth, origin + (j + 1) binWidth) for all whole j, for numbers of unknown
#'   range. With `rng`, `binWidth` replaces `nBins`. The defaults are 1 and 0.
#' @param other (`logical(1)`) Whether to count texts that are missing, or not in `bins`, in a cell
#'   `(other)`, for any `missing`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` counts them in a further cell
#'   `NA`, without extra noise. For numbers this cell also has positive infinity, and for whole
#'   numbers both infinities. For texts it has those that are not in `bins`. `"impute"`: see
#'   `imputeRng`, `imputeBins` and `impute`. The default is `"drop"`, or `"impute"` if you give one
#'   of these three. Cells that are not declared always include `NA`.
#' @param closed (`character(1)`) Edge of a declared cell of numbers that belongs to the cell.
#'   `"left"`: a cell is `[a, b)`, and the last one also includes its upper edge, as in
#'   [dp_histogram()]. With `missing = "drop"`, values outside of the edges are in the cell `NA`.
#'   `"right"`: a cell is `(a, b]`, the first one also includes its lower edge, and values outside
#'   count in the nearest cell. This is the rule of saved plans from before this choice existed.
#'   With `missing = "impute"` there is no cell `NA`, so values outside count in the nearest cell.
#' @param conversion (`character(1)`) Rule that converts numbers to values of `varType` `"integer"`
#'   or `"logical"`: `"round"` or `"truncate"`, as in [dpMean()].
#' @returns An R6 object of class `dpHistogram`, with the methods and fields of [dpMean()] and the
#'   fields `bins`, `nBins`, `granularity`, `imputeBins`, `impute`, `binWidth`, `origin`, `other`,
#'   `closed`, `nBoot` and `threshold`. The `varType` of a logical column that is not imputed is
#'   `"factor"`. A column of texts can be a factor. `result` is a [dp_result]:
#'
#' * `release`: a data frame with one row and a column for each cell. It has the counts nearest to
#'   the noisy ones, in squares, that are not negative and add up to `n`. Over all cells they are at
#'   least as accurate as the noisy counts, in every release. If most cells are empty, large counts
#'   are a little too small: use `counts` for sums of them. The stability mechanism releases the
#'   noisy counts.
#' * `variable`, `accuracy`, `epsilon`, `delta`, `mechanism`.
#' * `intervals`: a data frame, a row for each cell, columns `lower bound` and `upper bound`. An
#'   interval reaches `accuracy` around the noisy count, within 0 to `n`, and always includes the
#'   count in `release`. It covers with probability `1 - alpha` or more. The stability mechanism
#'   uses the next whole numbers outside.
#' * `herfindahl`: sum of squared shares of all cells, including `NA`, for texts and factors. For
#'   declared cells, it comes from `counts` minus the variance of their noise.
#' * `mean`, `median`, `variance`, `std.dev`: for logical columns, statistics of the values in
#'   `release`, without `NA`.
#' * `counts`: the noisy counts before postprocessing, in the form of `release`.
#' * `threshold`: for the stability mechanism. With probability at least `1 - alpha`, the count of a
#'   hidden cell is below the threshold plus the accuracy of the noise.
#' @section How it works: The chain resizes to `n` rows, finds the cell of each row, counts, and
#'   adds discrete Laplace noise of scale 2 / epsilon, because one replaced row moves two counts by
#'   one. With `missing = "impute"` or `closed = "right"`, values are clamped to the edges first.
#'   Cells of an endless grid are closed on the left. The stability mechanism drops cells at or
#'   below `1 + 2 log(2 / delta) / epsilon`. A cell with one row survives with probability at most
#'   delta / 4, and one replaced row touches two such cells. It counts missing values in the cell
#'   `NA`.
#' @section Gaussian noise: See [gaussian_noise], for declared cells. Each count has noise of
#'   standard deviation 1 / sqrt(rho).
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`. `dp_warning_noise` (the accuracy is more than `n`
#'   rows). `dp_warning_range` (`rng` has more than two values, or is given with `bins`).
#'   `dp_warning_impute_range`. `dp_warning_impute_bins` (not among `bins`, or for numbers).
#'   `dp_warning_n_bins` (a fraction). `dp_warning_delta` (not used, or not below 1 / `n`^2).
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Bun, Nissim and Stemmer (2016), *Simultaneous Private Learning of
#'   Multiple Concepts*. Vadhan (2017), *The Complexity of Differential Privacy*, section 3.3.
#' @seealso [dpHeavyHitters()], [dpTree()], [gaussian_noise]
#' @examples
#' education <- dpHistogram("educ", n = 10000, rng = c(0, 16), epsilon = 0.5, nBins = 16)
#' education$release(PUMS5extract10000)$intervals
#'
#' # No range is known: cells of width 5000, thresholded.
#' income <- dpHistogram("income", n = 10000, epsilon = 1, binWidth = 5000)
#' ncol(income$release(PUMS5extract10000)$release)
#' @export
dpHistogram <- new_statistic("dpHistogram", "Counts of the cells of a column",
  "counts of cells or categories",
  arguments = function(varType = if (is.character(bins)) "character" else "numeric", variable, n,
                       epsilon = NULL, accuracy = NULL, rng = NULL, bins = NULL, nBins = NULL,
                       granularity = NULL, alpha = 0.05, delta = NULL, imputeRng = NULL,
                       imputeBins = NULL, impute = FALSE, nBoot = NULL, mechanism = NULL, ...,
                       binWidth = NULL, origin = 0, other = FALSE, gamma = 0.05,
                       n_check = "error", missing = c("drop", "impute"), rho = NULL,
                       closed = c("left", "right")) {
  },
  required = c("variable", "n", "epsilon"),
  or = list(epsilon = c("accuracy", "rho")),
  takes = list(
    mechanism = one_of(
      c(snapping_mechanisms, gaussian_mechanism, "mechanismStability"), null = TRUE
    ),
    varType = variable_type(c(statistic_types, "character")), rng = range_of_cells(),
    bins = with_others("increasing numbers, or different texts"), nBins = number_of_cells(),
    granularity = real_number(above = 0, null = TRUE), delta = stability_delta,
    imputeRng = with_others("two numbers within `rng`"),
    imputeBins = with_others("texts among `bins`"), impute = flag(),
    nBoot = whole_number(min = 1, null = TRUE), binWidth = real_number(above = 0, null = TRUE),
    origin = real_number(), other = flag(), missing = missing_rule(counts = TRUE),
    closed = closed_side()
  ),
  plan = function(...) plan_histogram(...),
  fields = c(common_fields, histogram_fields, gaussian_fields),
  numbers = c("n", "range", "nBins"), others = c("n", "bins"),
  other_types = c("character", "factor"), later = "closed"
)

# Plan of a histogram ------------------------------------------------------------------------------

# Sensitivity in L1 and L2: one replaced row takes one from a count and adds one to another.
histogram_sensitivity <- 2
l2_of_counts <- sqrt(2)

plan_histogram <- function(args, call) {
  args <- with_mechanism(args, call, also = NULL)
  args <- check_histogram(args, call)
  stable <- args$mechanism == "mechanismStability"
  loss <- if (stable) stability_loss(args, call) else histogram_loss(args, call)
  cells <- if (stable) NULL else histogram_cells(args, call)
  args[names(cells)] <- cells
  built <- with_features("contrib", if (stable) {
    stability_chain(args, loss)
  } else {
    measurement <- reported(histogram_chain(args, loss$limit), loss$limit)
    list(measurement = measurement, threshold = NULL)
  })
  fields <- histogram_plan_fields(args, loss, built)
  read <- if (args$varType == "character") text_column_of else column_of
  if (args$varType == "logical" && !args$impute) fields$varType <- "factor"
  describe <- if (stable) stability_result else histogram_describer(fields)
  plan <- new_plan(fields, describe,
    read = read, class = c(
      if (has_ordered_cells(args)) "dp_ordered_histogram", "dp_histogram_result"
    ),
    within = if (stable) "the count of an omitted cell is no larger" else
      "the noise of a count is no larger",
    range = args$n, call = call
  )
  with_chosen_mechanism(plan, args)
}

has_ordered_cells <- function(args) {
  args$varType %in% c("numeric", "integer") && args$mechanism != "mechanismStability"
}

histogram_plan_fields <- function(args, loss, built) {
  name <- paste("histogram of", args$variable)
  sens <- if (is_gaussian(args)) l2_of_counts else histogram_sensitivity
  fields <- statistic_fields(name, args, loss, sens, built$measurement)
  fields$delta <- loss$delta
  others <- args[setdiff(histogram_fields, "threshold")]
  names(others) <- setdiff(histogram_fields, "threshold")
  c(fields, others, list(threshold = built$threshold, rho = NULL, sigma = loss$sigma))
}

# Checks arguments together, except those that depend on cells.
check_histogram <- function(args, call) {
  args$mechanism <- histogram_mechanism(args, call)
  args["missing"] <- list(histogram_missing(args, call))
  args$snapping <- snapping_of(args$mechanism, 0, args$n, args$gamma)
  args
}

# Rule for missing values in declared cells of numbers and texts, which can have one more cell. NULL
# if there is no choice: logical columns have `impute`, texts `other`, and undeclared cells include
# missing values.
histogram_missing <- function(args, call) {
  if (args$mechanism == "mechanismStability") {
    return(NULL)
  }
  if (args$missing == "drop") {
    if (args$varType == "logical") refuse_imputation(args$impute, "impute", "FALSE", call)
    if (args$varType == "character") {
      refuse_imputation(!is.null(args$imputeBins), "imputeBins", "NULL", call)
    }
  }
  if (args$varType != "logical" && !args$other) args$missing
}

refuse_imputation <- function(asked, arg, usual, call) {
  if (asked) stop_argument(paste0(usual, ', for `missing = "drop"`'), "given", arg, call)
}

# Declared cells have exact counts with noise. Undeclared cells are released only if they are large.
histogram_mechanism <- function(args, call) {
  if (!is.null(args$mechanism)) {
    return(args$mechanism)
  }
  numeric <- args$varType %in% c("numeric", "integer")
  sized <- !is.null(c(args$nBins, args$granularity, args$binWidth))
  if (numeric && is.null(args$bins) && !sized) {
    stop_argument("given, or `granularity`, `binWidth` or `bins` in its place", "left out", "nBins",
      call
    )
  }
  known <- !is.null(args$bins) || args$varType == "logical" || (numeric && !is_missing(args$rng))
  if (known) "mechanismLaplace" else "mechanismStability"
}

histogram_loss <- function(args, call) {
  if (is_gaussian(args)) {
    loss <- noise_loss(args, l2_of_counts, args$alpha, call)
    return(c(loss, delta = loss$limit$delta %||% 0))
  }
  if (!is_missing(args$delta)) {
    warn_dp("`delta` is not used by the Laplace mechanism, and 0.", "delta", call = call)
  }
  alpha <- noise_alpha(args$mechanism, args$alpha)
  c(noise_loss(args, histogram_sensitivity, alpha, call), delta = 0)
}

# Results from the released counts of a histogram, by postprocessing -------------------------------

# Prepares labels of cells once, when they are first needed, because that takes longer than a
# release.
histogram_describer <- function(plan_fields) {
  delayedAssign("labels", cell_labels(plan_fields))
  function(release, fields) histogram_result(release, fields, labels)
}

histogram_result <- function(release, fields, labels = cell_labels(fields)) {
  noisy <- release[count_order(fields)]
  n <- fields$n
  counts <- count_projection(noisy, n)
  c(
    list(
      release = counts_frame(counts, labels), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
      mechanism = fields$mechanism,
      intervals = count_intervals(noisy, fields$accuracy, labels, n, counts)
    ),
    if (fields$varType %in% c("character", "factor")) {
      list(herfindahl = sum_of_squared_shares(noisy, fields))
    },
    if (fields$varType %in% c("logical", "factor")) share_moments(counts),
    list(counts = counts_frame(noisy, labels))
  )
}

# Makes a row of counts. as.data.frame() would take longer than the release.
counts_frame <- function(counts, labels) {
  structure(as.list(as.double(counts)), names = labels, class = "data.frame", row.names = 1L)
}

# Subtracts the variance of the noise, which noise adds to the expected square of each count. This
# removes the bias and keeps the variance. Clamping to the range of all shares only reduces the
# error. Squares of the projected shares are less accurate if most cells are empty: the large shares
# are too small.
sum_of_squared_shares <- function(noisy, fields) {
  squares <- sum(noisy^2) - length(noisy) * count_noise_variance(fields)
  within_bounds(squares / fields$n^2, 1 / length(noisy), 1)
}

# Treats rounding to a grid as uniform noise.
count_noise_variance <- function(fields) {
  if (is_gaussian(fields)) {
    return(fields$sigma^2)
  }
  grid <- if (fields$mechanism == "mechanismSnapping") {
    snapping_width(histogram_sensitivity, fields$epsilon)
  } else {
    0
  }
  2 * (histogram_sensitivity / fields$epsilon)^2 + grid^2 / 12
}

count_intervals <- function(counts, accuracy, labels, n = Inf, estimates = NULL) {
  ends <- count_ends(counts, accuracy, n, estimates)
  data.frame(
    `lower bound` = ends$lower, `upper bound` = ends$upper, row.names = labels, check.names = FALSE
  )
}

# Moments of a share of ones, from counts of 0 and of 1. Other counts are ignored.
share_moments <- function(counts) {
  both <- sum(counts[1:2])
  share <- if (both > 0) counts[[2]] / both else 0.5
  list(
    mean = share, median = if (share < 0.5) 0 else 1, variance = share * (1 - share),
    std.dev = sqrt(share * (1 - share))
  )
}

# S3 method names contain dots.
# nolint start: object_name_linter.

estimates_of.dp_histogram_result <- function(x) {
  data.frame(
    term = names(x$release) %||% character(),
    estimate = as.double(unlist(x$release, use.names = FALSE)),
    conf.low = x$intervals[[1]], conf.high = x$intervals[[2]]
  )
}

pictures.dp_histogram_result <- function(x) list(counts = function() count_bars(x))

# Declared cells of numbers have an order, except for the cell of missing values. All of them are
# released.
pictures.dp_ordered_histogram <- function(x) {
  c(NextMethod(), list(cdf = function() cumulative_bars(x)))
}

# nolint end

count_bars <- function(x) {
  list(kind = "bars", table = as.data.frame(x), xlab = x$variable, ylab = "rows")
}

cumulative_bars <- function(x) {
  counts <- as.data.frame(x)
  counts <- counts[counts$term != "NA", ]
  table <- data.frame(term = counts$term, estimate = cumsum(counts$estimate) / sum(counts$estimate))
  list(kind = "bars", table = table, xlab = x$variable, ylab = "share of values up to here")
}
