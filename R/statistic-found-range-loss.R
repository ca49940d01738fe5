# Losses of a statistic that finds bounds.

loss_argument <- function(arguments) {
  if (is_missing(arguments[["globalEps"]])) "epsilon" else "globalEps"
}

# Total loss in the form of then_protect(), or of gaussian_limit() for Gaussian noise.
limit_of_all <- function(fields, arguments) {
  epsilon <- arguments[[loss_argument(arguments)]]
  if (!is_gaussian(fields)) {
    as.double(epsilon)
  } else if (is_missing(arguments$rho)) {
    list(rho = concentrated_limit(epsilon, arguments$delta), delta = arguments$delta)
  } else {
    list(rho = as.double(arguments$rho), delta = NULL)
  }
}

shares_of_limit <- function(limit, shares) {
  if (is.list(limit)) {
    shares_of_rho(limit$rho, shares)
  } else {
    # A composition adds from the last to the first.
    rev(as.list(core_share_epsilon(limit, rev(shares))))
  }
}
