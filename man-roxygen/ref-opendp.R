#' @references Gaboardi, Hay and Vadhan (2020), *A Programming Framework for OpenDP*.
