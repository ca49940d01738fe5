#' @references Ghosh, Roughgarden and Sundararajan (2009), *Universally Utility-Maximizing Privacy
#'   Mechanisms*.
