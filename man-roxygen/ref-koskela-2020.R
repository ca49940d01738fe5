#' @references Koskela, Jälkö and Honkela (2020), *Computing Tight Differential Privacy Guarantees
#'   Using FFT*.
