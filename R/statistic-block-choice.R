#' How many blocks for sample and aggregate
#'
#' More blocks mean less noise, and smaller blocks, in which a function may be more biased. Both
#' answers are formulas of public numbers.
#'
#' @param n (whole number) Number of rows, public.
#' @param epsilon (`numeric(1)`) Loss of the release, above 0.
#' @param width (`numeric(1)`) Width of the declared range of block results, above 0.
#' @param bias (`numeric(1)`) c, if the results of blocks of m rows are biased by about c / m; not
#'   0. From theory, or from other data: it must not come from the data to be protected.
#' @returns `numeric(2)`, whole: `numSubsets`, and `subsetSize`, the rows in a block.
#' @section Formulas: Without `bias`, n^0.4 blocks, rounded down, of n^0.6 rows, rounded up: that is
#'   GUPT's rule. With it, the number k of blocks at which bias and Laplace noise of a mean,
#'   (c k / n)^2 + 2 (width / (k epsilon))^2, add up to the least: k^2 = sqrt(2) width n / (|c|
#'   epsilon), rounded down, between 1 and n; and n / k rows.
#' @section Errors: `dp_error_invalid_argument`.
#' @references Mohan, Thakurta, Shi, Song and Culler (2012), *GUPT: Privacy Preserving Data Analysis
#'   Made Easy*.
#' @seealso [dpSampleAndAggregate()]
#' @examples
#' sampleAggregateBlocks(10000)
#' sampleAggregateBlocks(10000, epsilon = 0.1, width = 100000, bias = 20000)
#' @export
sampleAggregateBlocks <- function(n, epsilon = NULL, width = NULL, bias = NULL) {
  n <- check_positive_whole(n, "n")
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
