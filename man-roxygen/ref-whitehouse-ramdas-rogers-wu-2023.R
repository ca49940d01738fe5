#' @references Whitehouse, Ramdas, Rogers and Wu (2023), *Fully-Adaptive Composition in
#'   Differential Privacy*.
