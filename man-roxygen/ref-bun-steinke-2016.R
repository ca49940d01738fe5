#' @references Bun and Steinke (2016), *Concentrated Differential Privacy: Simplifications,
#'   Extensions, and Lower Bounds*.
