#' Choosing a statistic, and its arguments
#'
#' A statistic is a plan for releases. Building it checks the arguments and chooses the noise, and
#' reads no data. The tables list the question of each statistic, and the rules of its arguments.
#'
#' @section Order of arguments: You give the columns first, then `n`, `rng` and `epsilon`:
#'   `dpMean("age", 1000, c(0, 100), 1)`. Give all arguments after these by name. `dpMean$new()`
#'   does the same as `dpMean()`, and so for every statistic.
#'
#'   [dpContingency()], [dpKMeans()], [dpMeanDifference()], [dpNaiveBayes()] and [dpPCA()] have
#'   other public facts, such as `k`, before `n`. Their usage shows the order.
#'
#'   Older scripts begin with the mechanism: `dpMean("mechanismLaplace", "numeric", "age", 1000)`.
#'   Such calls still work. If an argument without a name is a mechanism, or a `varType` where the
#'   order above has none, the call is matched in the older order. The plan and its hash are the
#'   same in either order.
#' @eval c("@section Questions and statistics:", questions_table())
#' @eval c("@section What arguments must be:", arguments_table())
#' @seealso `vignette("PSIlence")` works one case from a table to a publication. Use
#'   [dp_tbl()] if a person has several rows.
#' @examples
#' share <- dpMean("married", n = 10000, epsilon = 0.1, varType = "logical")
#' share$accuracy
#' @name statistics
NULL
