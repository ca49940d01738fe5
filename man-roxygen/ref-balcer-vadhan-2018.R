#' @references Balcer and Vadhan (2018), *Differential Privacy on Finite Computers*.
