#' Standard errors from bootstrap replicates
#'
#' Computes standard errors from bootstrap replicates that were released before. These are formulas:
#' they draw nothing and read no data.
#'
#' This package has no bootstrap mechanism. The privacy claim of Brawner and Honaker (2018) averages
#' over the number of times that a record is drawn, but the worst case counts. Three alternatives
#' cost nothing extra: intervals from known noise, as in [dpMean()], replicates of disjoint parts,
#' as in [dpGLM()], and a parametric bootstrap of the release.
#'
#' @param release (`numeric`) Replicates, two or more.
#' @param nBoot (whole number) Number of replicates.
#' @param sens (`numeric(1)`) Sensitivity of a replicate, at least 0.
#' @param epsilon (`numeric(1)`) Claimed cost of all `nBoot` replicates together. It is a parameter
#'   of zero-concentrated differential privacy.
#' @param n (whole number) Number of records.
#' @param i (`numeric`) Whole numbers.
#' @param vec (`numeric`) Replicates of one number.
#' @param alpha (`numeric(1)`) Share to leave out, half of it at each end.
#' @returns `bootSE()` returns `list(sd, conservative, naive)`. `sd` is the standard deviation of
#'   the replicates. `naive` subtracts the variance of the noise, `sens^2 nBoot / (2 epsilon)`.
#'   `conservative` subtracts only the variance that noise exceeds with probability 99%, a quantile
#'   of chi-squared over `nBoot - 1`. If nothing is left, they are 0.
#'   `bootstrapCountProbabilities()` returns the probability that a record appears `i` times among
#'   `n` draws with replacement from `n`. `trimVector()` returns the elements of `vec` between its
#'   quantiles of order `alpha / 2` and `1 - alpha / 2`.
#' @section Errors: `dp_error_invalid_argument` for anything but numbers in these ranges.
#' @references Brawner and Honaker (2018), *Bootstrap Inference and Differential Privacy: Standard
#'   Errors for Free*. Wang, Cheng and Awan (2022), *Differentially Private Bootstrap: New Privacy
#'   Analysis and Inference Strategies*, who correct it.
#' @examples
#' bootSE(release = c(4.1, 3.9, 4.4, 4.0, 3.8), nBoot = 5, sens = 0.1, epsilon = 1)
#' bootstrapCountProbabilities(n = 1000, i = 0:4)
#' trimVector(c(4.1, 3.9, 9.4, 4.0, 3.8), alpha = 0.5)
#' @export
bootSE <- function(release, nBoot, sens, epsilon) {
  check_whole(nBoot, min = 2)
  check_number(sens, min = 0)
  check_number(epsilon, above = 0)
  if (!is_numbers(release) || length(release) != nBoot || !all(is.finite(release))) {
    stop_argument("`nBoot` numbers", describe(release), "release", environment())
  }
  s <- stats::sd(release)
  noise <- sens^2 * nBoot / (2 * epsilon)
  least <- noise * stats::qchisq(0.01, nBoot - 1) / (nBoot - 1)
  list(sd = s, conservative = sqrt(max(s^2 - least, 0)), naive = sqrt(max(s^2 - noise, 0)))
}

#' @rdname bootSE
#' @export
bootstrapCountProbabilities <- function(n, i) {
  check_positive_whole(n)
  if (!is_numbers(i) || !all(is.finite(i) & i >= 0 & i == floor(i))) {
    stop_argument("whole numbers of at least 0", describe(i), "i", environment())
  }
  stats::dbinom(i, n, 1 / n)
}

#' @rdname bootSE
#' @export
trimVector <- function(vec, alpha = 0.05) {
  if (!is_numbers(vec) || !all(is.finite(vec))) {
    stop_argument("finite numbers", describe(vec), "vec", environment())
  }
  check_probability(alpha)
  ends <- stats::quantile(vec, c(alpha / 2, 1 - alpha / 2))
  vec[vec >= ends[[1]] & vec <= ends[[2]]]
}
