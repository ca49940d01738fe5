#' Which statistic for which question, and what they take
#'
#' A statistic is a plan for releases: building it checks the arguments and chooses the noise, and
#' reads no data. These tables are made from the declarations of the statistics, which are also what
#' checks the arguments.
#'
#' @eval c("@section Which statistic for which question:", questions_table())
#' @eval c("@section What arguments must be:", arguments_table())
#' @seealso `vignette("PSIlence")` works one case from a table to a publication. [dp_tbl()] is for
#'   tables in which a person has several rows.
#' @examples
#' share <- dpMean(varType = "logical", variable = "married", n = 10000, epsilon = 0.1)
#' share$accuracy
#' @name statistics
NULL
