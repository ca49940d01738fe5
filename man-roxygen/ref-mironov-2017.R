#' @references Mironov (2017), *Renyi Differential Privacy*.
