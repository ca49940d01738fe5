#' How many blocks for sample and aggregate
#'
#' More blocks mean less noise, and smaller blocks, in which a function may be more biased. Both
#' answers are formulas of public numbers, or come from old data of the same kind that are no
#' secret.
#'
#' @param n (whole number) Number of rows, public.
#' @param epsilon (`numeric(1)`) Loss of the release, above 0.
#' @param width (`numeric(1)`) Width of the declared range of block results, above 0.
#' @param bias (`numeric(1)`) c, if the results of blocks of m rows are biased by about c / m. It is
#'   not 0. From theory, or from other data: it must not come from the data to be protected.
#' @param innerFun (`function`) With `oldData`, in place of `bias`: the function of a block, which
#'   gives one number.
#' @param oldData (`numeric`, or a data frame) Rows of the same kind, at least 2, in whatever order.
#'   They are read as they are: data that are to be protected must not be used.
#' @returns `numeric(2)`, whole: `numSubsets`, and `subsetSize`, the rows in a block.
#' @section Formulas: Without `bias`, n^0.4 blocks, rounded down, of n^0.6 rows, rounded up: that is
#'   GUPT's rule. With it, the number k of blocks at which bias and Laplace noise of a mean,
#'   (c k / n)^2 + 2 (width / (k epsilon))^2, add up to the least: k^2 = sqrt(2) width n / (|c|
#'   epsilon), rounded down, between 1 and n; and n / k rows. With old data, that k among twenty
#'   powers n^t, 0 < t <= 1, whose blocks are not larger than these data, for which the sum of what
#'   is seen of the bias and of the standard deviation of the noise is the least: |mean of
#'   `innerFun` over old blocks of n / k rows - `innerFun` of all old rows| + sqrt(2) width /
#'   (epsilon k). That is GUPT's other rule; old block b has the rows b, b + k', b + 2 k', ... if
#'   there are k'.
#' @section Errors: `dp_error_invalid_argument`.
#' @references Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy Preserving Data Analysis
#'   Made Easy*.
#' @seealso [dpSampleAndAggregate()]
#' @examples
#' sampleAggregateBlocks(10000)
#' sampleAggregateBlocks(10000, epsilon = 0.1, width = 100000, bias = 20000)
#'
#' old_waiting_times <- stats::qexp(stats::ppoints(2000))[(1:2000 * 837) %% 2000 + 1]
#' sampleAggregateBlocks(
#'   10000, epsilon = 0.1, width = 5, innerFun = median, oldData = old_waiting_times
#' )
#' @export
sampleAggregateBlocks <- function(n, epsilon = NULL, width = NULL, bias = NULL, innerFun = NULL,
                                  oldData = NULL) {
  n <- check_positive_whole(n, "n")
  if (!is.null(oldData)) {
    if (!is.null(bias)) stop_argument("NULL, with `oldData`", "given", "bias", environment())
    check_number(epsilon, above = 0)
    check_number(width, above = 0)
    check_function(innerFun)
    return(blocks_from_old(n, width / epsilon, innerFun, oldData, environment()))
  }
  if (is.null(bias)) {
    # Powers of whole numbers that are whole must not fall below by rounding.
    blocks <- floor(n^0.4 * (1 + 2^-45))
    return(c(numSubsets = blocks, subsetSize = ceiling(n^0.6 * (1 - 2^-45))))
  }
  check_number(epsilon, above = 0)
  check_number(width, above = 0)
  check_number(bias)
  if (bias == 0) stop_argument("not 0", "0", "bias", environment())
  blocks <- min(max(1, floor(sqrt(sqrt(2) * width * n / (abs(bias) * epsilon)))), n)
  c(numSubsets = blocks, subsetSize = n %/% blocks)
}

blocks_from_old <- function(n, noise, innerFun, oldData, call) {
  framed <- is.data.frame(oldData)
  columns <- if (framed) as.list(oldData) else list(oldData)
  rows <- length(columns[[1]])
  if (!(framed || is_numbers(oldData)) || rows < 2) {
    stop_argument("a numeric vector or a data frame, of two rows or more", describe(oldData),
      "oldData", call
    )
  }
  on <- function(at) innerFun(block_of(columns, at, framed))
  all <- check_number(on(seq_len(rows)), arg = "innerFun", call = call)
  candidates <- unique(pmax(1, floor(n^(seq_len(20) / 20))))
  candidates <- candidates[n %/% candidates <= rows]
  errors <- vapply(candidates, function(k) {
    blocks <- rows %/% (n %/% k)
    members <- split(seq_len(rows), rep_len(seq_len(blocks), rows))
    abs(mean(vapply(members, on, 0)) - all) + sqrt(2) * noise / k
  }, 0)
  blocks <- candidates[[which.min(replace(errors, is.na(errors), Inf))]]
  c(numSubsets = blocks, subsetSize = n %/% blocks)
}
