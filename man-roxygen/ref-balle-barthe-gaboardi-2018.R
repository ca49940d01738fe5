#' @references Balle, Barthe and Gaboardi (2018), *Privacy Amplification by Subsampling: Tight
#'   Analyses via Couplings and Divergences*, section 2.
