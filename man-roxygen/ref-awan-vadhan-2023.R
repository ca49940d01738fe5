#' @references Awan and Vadhan (2023), *Canonical Noise Distributions and Private Hypothesis
#'   Tests*.
