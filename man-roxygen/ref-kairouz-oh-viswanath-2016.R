#' @references Kairouz, Oh and Viswanath (2016), *Extremal Mechanisms for Local Differential
#'   Privacy*.
