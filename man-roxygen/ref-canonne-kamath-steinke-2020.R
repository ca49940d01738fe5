#' @references Canonne, Kamath and Steinke (2020), *The Discrete Gaussian for Differential
#'   Privacy*.
