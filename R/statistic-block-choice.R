#' Number of blocks for sample and aggregate
#'
#' Chooses the number and the size of blocks. More blocks mean less noise, but also smaller blocks,
#' where a function can be more biased. The choice follows from formulas of public numbers, or
#' from old data of the same kind that are not private.
#'
#' @param n (whole number) Public number of rows.
#' @param epsilon (`numeric(1)`) Loss of the release, above 0.
#' @param width (`numeric(1)`) Width of the declared range of block results, above 0.
#' @param bias (`numeric(1)`) Constant c, not 0, if the results of blocks of m rows have a bias of
#'   about c / m. Take it from theory or from other data, never from the data to protect.
#' @param innerFun (`function`) Function of a block that returns one number. Use it with `oldData`,
#'   instead of `bias`.
#' @param oldData (`numeric` or a data frame) Rows of the same kind, at least 2, in any order. They
#'   are read without protection, so never use the data to protect.
#' @returns `numeric(2)`, whole: `numSubsets`, and `subsetSize`, the rows in a block.
#' @section Formulas: Without `bias`, GUPT's rule gives n^0.4 blocks, rounded down, of n^0.6 rows,
#'   rounded up. With `bias`, the number k of blocks minimizes the bias and Laplace noise of a mean,
#'   (c k / n)^2 + 2 (width / (k epsilon))^2. So k^2 = sqrt(2) width n / (|c| epsilon), k is rounded
#'   down, between 1 and n, and a block has n / k rows.
#'
#'   With old data, GUPT's other rule tries twenty powers k = n^t, 0 < t <= 1, whose blocks are not
#'   larger than these data. It minimizes the observed bias plus the standard deviation of the
#'   noise:
#'   |mean of `innerFun` over old blocks of n / k rows - `innerFun` of all old rows| +
#'   sqrt(2) width / (epsilon k). With k' old blocks, block b has the rows b, b + k', b + 2 k', ...
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
    # Rounding must not push whole powers of whole numbers below themselves.
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
