#' Differentially private sample and aggregate
#'
#' Cuts the rows into random blocks, computes a function on each, and releases the mean of the
#' results with noise. One row is in one block and moves one result, whatever the function does:
#' that is all that the guarantee needs. Building the object reads no data; `release()` spends
#' `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` a release is within `accuracy` of the mean *of the
#' block results* on the data as used: clamped to `rng`, missing values imputed, and `n` rows of it.
#' How far that mean is from the function of all the data (a bias of small blocks), and sampling
#' error, are not covered.
#'
#' Where rows may be added or removed `n` is a secret, and this statistic gives it away.
#'
#' `dpSampleAndAggregate(...)` and `dpSampleAndAggregate$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param innerFun `"mean"`, `"median"` or `"var"` (divisor m - 1), in any letter case, or any R
#'   function of one `numeric` vector, the values of a block in random order, that returns one
#'   number.
#' @param aggregationFun (`character(1)`) `"Mean"`, in any letter case.
#' @param numSubsets (whole number) Number of blocks k, at most `n`; at most `n / 2` for `"var"`.
#'   Their sizes differ by one at most.
#' @param innerFunSens For an R function: how far one row can move its result, if you promise that
#'   it is less than the width of `outputRange`; needs the feature `"honest-but-curious"`. For the
#'   named functions it follows from the other arguments: `NULL`, or that number.
#' @param aggregationFunSens,subsetSize They follow from the other arguments: `NULL`, or that
#'   number.
#' @param outputRange (`numeric(2)`) For an R function, and then required: public bounds of its
#'   results. Results outside are moved to the nearer end, and a failure of any kind counts as the
#'   middle.
#' @param accuracy (`numeric(1)` or `NULL`) How far the noise may move a release, exceeded with
#'   probability `alpha`, in the unit of the block results (for `"var"` the square of the column's
#'   unit); used only without `epsilon`.
#' @returns An R6 object of class `dpSampleAndAggregate`, with the methods and fields of [dpMean()]
#'   and these fields:
#'
#' * `innerFun`, `aggregationFun`, `numSubsets`: the arguments.
#' * `subsetSize`, `subsetSizes`: size of the smallest block, and all sizes.
#' * `innerFunSens`: D, how far one row can move the result of a block: R/m, R, R^2/m for mean,
#'   median and variance, with R the width of `rng` and m the size of the smallest block; else the
#'   width of `outputRange`, or what you promised.
#' * `aggregationFunSens`, `sens`: D/k, how far it can move their mean.
#' * `outputRange`: range of the results of blocks.
#' * `overlap`: the number of blocks a row is in: 1.
#' * `noiseAccuracy`: the same as `accuracy`: of the noise alone.
#' @section An R function of your own: is called in your session, block after block. Its errors,
#'   warnings and messages are not shown; R's generators are put back after each call; variables of
#'   the function that made it are too. It must not carry anything else from one block to the next,
#'   and the time that it takes and what it writes anywhere are not protected.
#' @inheritSection dpMean Errors
#' @section Error of a promise: `dp_error_missing_feature` if `innerFunSens` is declared for an R
#'   function and the feature `"honest-but-curious"` is not enabled.
#' @inheritSection dpMean Warnings
#' @references Nissim, Raskhodnikova and Smith (2007), *Smooth Sensitivity and Sampling in Private
#'   Data Analysis*, section 4; Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy
#'   Preserving Data Analysis Made Easy*.
#' @examples
#' median_income <- dpSampleAndAggregate(
#'   innerFun = "median", aggregationFun = "Mean", mechanism = "mechanismLaplace",
#'   numSubsets = 1000, varType = "numeric", variable = "income", n = 10000, rng = c(0, 750000),
#'   epsilon = 0.1
#' )
#' median_income$accuracy
#' median_income$release(PUMS5extract10000)
#'
#' trimmed <- dpSampleAndAggregate(
#'   innerFun = function(x) mean(x, trim = 0.1), outputRange = c(0, 100000),
#'   mechanism = "mechanismLaplace", numSubsets = 200, varType = "numeric", variable = "income",
#'   n = 10000, rng = c(0, 750000), epsilon = 0.5
#' )
#' trimmed$release(PUMS5extract10000)
#' @export
dpSampleAndAggregate <- new_generator(R6::R6Class("dpSampleAndAggregate",
  inherit = dpStatistic,
  public = list(
    initialize = function(innerFun, aggregationFun = "Mean", mechanism, numSubsets, varType,
                          variable, n, innerFunSens = NULL, aggregationFunSens = NULL,
                          subsetSize = NULL, rng = NULL, epsilon = NULL, accuracy = NULL,
                          imputeRng = NULL, alpha = 0.05, outputRange = NULL, ...) {
      call <- quote(dpSampleAndAggregate())
      check_given("innerFun", "mechanism", "numSubsets", "varType", "variable", "n", call = call)
      check_no_more(..., call = call)
      private$.plan <- plan_sample_and_aggregate(
        innerFun, aggregationFun, mechanism, numSubsets, varType, variable, n, innerFunSens,
        aggregationFunSens, subsetSize, rng, epsilon, accuracy, imputeRng, alpha, outputRange
      )
    }
  ),
  active = plan_fields(c(
    common_fields, "innerFun", "aggregationFun", "numSubsets", "subsetSize", "subsetSizes",
    "innerFunSens", "aggregationFunSens", "outputRange", "overlap", "noiseAccuracy"
  ))
))

# How far one row can move the function of a block of m rows: numbers to report. The noise is made
# from the stability map of the chain.
inner_sensitivities <- list(
  mean = function(width, m) width / m,
  median = function(width, m) width,
  var = function(width, m) width^2 / m
)

plan_sample_and_aggregate <- function(innerFun, aggregationFun, mechanism, numSubsets, varType,
                                      variable, n, innerFunSens, aggregationFunSens, subsetSize,
                                      rng, epsilon, accuracy, imputeRng, alpha, outputRange) {
  call <- quote(dpSampleAndAggregate())
  aggregationFun <- check_name(aggregationFun, "Mean", call = call)
  if (!is.function(innerFun)) {
    innerFun <- check_name(innerFun, names(inner_sensitivities), call = call)
  }
  common <- check_common(mechanism, varType, variable, n, rng, imputeRng, alpha, call)
  numSubsets <- check_subsets(numSubsets, common$n, innerFun, call)
  shape <- list(
    numSubsets = numSubsets,
    subsetSize = check_derived(subsetSize, common$n %/% numSubsets, call = call)
  )
  sensitivity <- check_inner_sensitivity(innerFun, innerFunSens, outputRange, common, shape, call)
  sens <- check_derived(
    aggregationFunSens, sensitivity / numSubsets,
    arg = "aggregationFunSens", call = call
  )
  loss <- check_loss(epsilon, accuracy, sens, common$alpha, call)

  progress <- block_progress(numSubsets)
  built <- with_features("contrib", {
    rows <- prepared_rows(common$varType, common$n, common$rng, common$imputeRng)
    blocks <- if (is.function(innerFun)) {
      user_blocks(guarded_inner(innerFun, progress$tick), outputRange, innerFunSens, numSubsets)
    } else {
      named_blocks(rows, innerFun, numSubsets)
    }
    list(
      measurement = aggregate_chain(rows, blocks, numSubsets, loss$epsilon),
      range = blocks$range
    )
  })

  what <- if (is.function(innerFun)) "user function" else innerFun
  name <- paste0("mean of the ", what, " of ", common$variable, " in ", numSubsets, " blocks")
  fields <- c(
    statistic_fields(name, common, loss, sens, built$measurement),
    list(innerFun = innerFun, aggregationFun = aggregationFun), shape,
    list(
      subsetSizes = shape$subsetSize + (seq_len(numSubsets) <= common$n %% numSubsets),
      innerFunSens = sensitivity, aggregationFunSens = sens, outputRange = as.double(built$range),
      overlap = 1, noiseAccuracy = loss$accuracy
    )
  )
  new_plan(fields, block_result, progress)
}

check_subsets <- function(numSubsets, n, innerFun, call) {
  numSubsets <- check_positive_whole(numSubsets, "numSubsets", call)
  rows <- if (identical(innerFun, "var")) 2 else 1
  if (numSubsets > n %/% rows) {
    what <- if (rows == 2) "at most `n` / 2, two rows for each variance" else "at most `n`"
    stop_argument(what, "a larger number", "numSubsets", call)
  }
  numSubsets
}

# D: for the named functions from a formula, for others from what the user declares.
check_inner_sensitivity <- function(innerFun, innerFunSens, outputRange, common, shape, call) {
  if (!is.function(innerFun)) {
    if (!is.null(outputRange)) {
      what <- "NULL: a named `innerFun` has its own"
      stop_argument(what, describe(outputRange), "outputRange", call)
    }
    derived <- inner_sensitivities[[innerFun]](diff(common$rng), shape$subsetSize)
    return(check_derived(innerFunSens, derived, "innerFunSens", call))
  }
  width <- diff(as.double(unlist(check_bounds(outputRange, arg = "outputRange", call = call))))
  if (width <= 0) stop_argument("two different bounds", "equal ones", "outputRange", call)
  if (is.null(innerFunSens)) {
    return(width)
  }
  assert_features("honest-but-curious")
  min(width, check_number(innerFunSens, above = 0, arg = "innerFunSens", call = call))
}

block_result <- function(release, fields) {
  share <- fields$varType == "logical" && identical(fields$innerFun, "mean")
  c(interval_result(release, fields), if (share) share_result(release, fields$n))
}
