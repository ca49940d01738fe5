#' @references Higham (2002), *Accuracy and Stability of Numerical Algorithms*, chapter 4.
