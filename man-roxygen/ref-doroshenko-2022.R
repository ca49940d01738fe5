#' @references Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), *Connect the Dots: Tighter
#'   Discrete Approximations of Privacy Loss Distributions*.
