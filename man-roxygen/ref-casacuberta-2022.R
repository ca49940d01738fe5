#' @references Casacuberta, Shoemate, Vadhan and Wagaman (2022), *Widespread Underestimation of
#'   Sensitivity in Differentially Private Libraries and How to Fix It*.
