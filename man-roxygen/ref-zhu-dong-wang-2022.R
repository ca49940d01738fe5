#' @references Zhu, Dong and Wang (2022), *Optimal Accounting of Differential Privacy via
#'   Characteristic Function*.
