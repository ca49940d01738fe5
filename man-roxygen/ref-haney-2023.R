#' @references Haney, Shoemate, Tian, Vadhan, Vyrros, Xu and Zhang (2023), *Concurrent Composition
#'   for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters*. Lyu (2022),
#'   *Composition Theorems for Interactive Differential Privacy*.
