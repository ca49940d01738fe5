#' @references Mironov (2012), *On Significance of the Least Significant Bits for Differential
#'   Privacy*.
