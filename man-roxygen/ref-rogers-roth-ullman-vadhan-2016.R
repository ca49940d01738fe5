#' @references Rogers, Roth, Ullman and Vadhan (2016), *Privacy Odometers and Filters:
#'   Pay-as-you-Go Composition*.
