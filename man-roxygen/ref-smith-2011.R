#' @references Smith (2011), *Privacy-Preserving Statistical Estimation with Optimal Convergence
#'   Rates* (quantiles by scoring candidates).
