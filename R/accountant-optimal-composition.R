#' Compose releases as tightly as possible
#'
#' Computes the joint loss of several releases from the same data, if release i is (epsilon_i,
#' delta_i)-differentially private, and splits a budget over releases. These functions read no data
#' and spend no budget.
#'
#' The composition is (e, d)-private, for every choice of mechanisms with these parameters, exactly
#' when the sum over all subsets S of max(exp(sum of epsilon in S) - exp(e + sum of epsilon not in
#' S), 0) is at most prod(1 + exp(epsilon_i)) (1 - (1 - d) / prod(1 - delta_i)). It is evaluated
#' without its 2^k terms, without overflow for thousands of releases, and rounded toward more loss.
#' Equal epsilons, and few different ones, are exact to ten digits. Many different ones are put on a
#' grid, which slightly overstates the loss (by 0.03 percent for 2000 releases at 0.01).
#'
#' You can choose later releases after earlier results are known, if you fix their parameters in
#' advance.
#'
#' @param epsilon,delta (`numeric`) Losses of the releases: epsilon above 0, delta at least 0 and
#'   below 1. Recycled to the longer.
#' @param globalDelta,globalEpsilon (`numeric(1)`) Delta, or epsilon, of all releases together.
#' @param params (`matrix`) Releases, one in each row, with the columns epsilon and delta.
#' @param d_g,e_g (`numeric(1)`) Delta and epsilon of all releases together.
#' @param err (`numeric(1)`) Allowed error of the answer, kept for old scripts. The actual error is
#'   smaller.
#' @param k (whole number) Number of releases with the same `epsilon`.
#' @param slack (`numeric(1)`) Delta that advanced composition adds.
#' @returns
#' * `optimalComposition()`: the least epsilon at `globalDelta`, never above the sum.
#' * `compositionDelta()`: the least delta at `globalEpsilon`.
#' * `isDP()`: whether the releases are shown to be (`e_g`, `d_g`)-private. Never wrongly `TRUE`.
#' * `KOVhom()` and `approxComp()`: `optimalComposition()`, the former for equal rows only.
#' * `KOVhet()`: the least of three formulas, `A = sum(epsilon)`, `D + sqrt(2 S log(exp(1) + sqrt(S)
#'   / r))`, `D + sqrt(2 S log(1 / r))`, with `D = sum(epsilon * tanh(epsilon / 2))`, `S =
#'   sum(epsilon^2)`, and r for `1 - (1 - d_g) / prod(1 - delta)`.
#' * `advancedComposition()`: `sqrt(2 k log(1 / slack)) epsilon + k epsilon (exp(epsilon) - 1)`, for
#'   comparison, rounded up.
#' @section Errors: Raises `dp_error_invalid_argument` for arguments out of range, and
#'   `dp_error_invalid_distance` if the deltas of the releases already exceed the global one, so
#'   that no epsilon is sufficient.
#' @references Kairouz, Oh and Viswanath (2015), *The Composition Theorem for Differential Privacy*.
#'   Murtagh and Vadhan (2016), *The Complexity of Computing the Optimal Composition of Differential
#'   Privacy*. Dwork, Rothblum and Vadhan (2010), *Boosting and Differential Privacy*.
#' @seealso [split_budget]
#' @examples
#' # A thousand releases of 0.1 are 100 by their sum:
#' optimalComposition(rep(0.1, 1000), 0, globalDelta = 1e-6)
#' compositionDelta(c(0.1, 0.2, 0.3), 1e-7, globalEpsilon = 0.5)
#' isDP(cbind(c(0.1, 0.2, 0.3), 1e-7), d_g = 1e-5, e_g = 0.6)
#' @name optimal_composition
NULL

#' @rdname optimal_composition
#' @export
optimalComposition <- function(epsilon, delta, globalDelta) {
  losses <- check_losses(epsilon, delta)
  check_probability(globalDelta, zero = TRUE, one = TRUE)
  core_optimal_epsilon(losses$epsilon, losses$delta, globalDelta)
}

#' @rdname optimal_composition
#' @export
compositionDelta <- function(epsilon, delta, globalEpsilon) {
  losses <- check_losses(epsilon, delta)
  check_number(globalEpsilon, min = 0)
  core_optimal_delta(losses$epsilon, losses$delta, globalEpsilon)
}

#' @rdname optimal_composition
#' @export
isDP <- function(params, d_g, e_g, err = 0.01) {
  losses <- check_params(params)
  check_probability(d_g, zero = TRUE, one = TRUE)
  check_number(e_g, min = 0)
  check_number(err, above = 0)
  core_composes_within(losses$epsilon, losses$delta, e_g, d_g)
}

#' @rdname optimal_composition
#' @export
KOVhom <- function(params, d_g) { # nolint: object_name_linter.
  losses <- check_params(params)
  if (length(unique(losses$epsilon)) > 1 || length(unique(losses$delta)) > 1) {
    stop_argument("of equal rows", "a matrix of different ones", "params", rlang::current_env())
  }
  optimalComposition(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
KOVhet <- function(params, d_g) { # nolint: object_name_linter.
  losses <- check_params(params)
  check_probability(d_g, zero = TRUE, one = TRUE)
  core_closed_form_epsilon(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
approxComp <- function(params, d_g, err = 0.01) {
  losses <- check_params(params)
  check_number(err, above = 0)
  optimalComposition(losses$epsilon, losses$delta, d_g)
}

#' @rdname optimal_composition
#' @export
advancedComposition <- function(k, epsilon, slack) {
  k <- check_positive_whole(k)
  check_number(epsilon, above = 0)
  check_probability(slack)
  core_advanced_composition(k, epsilon, slack)
}

check_losses <- function(epsilon, delta, zero = FALSE, call = rlang::caller_env()) {
  check_numbers(epsilon, zero = zero, call = call)
  check_numbers(delta, zero = TRUE, below = 1, call = call)
  count <- max(length(epsilon), length(delta))
  if (count %% length(epsilon) != 0 || count %% length(delta) != 0) {
    stop_argument("as long as `epsilon`, or one number", "of another length", "delta", call)
  }
  list(epsilon = rep_len(as.double(epsilon), count), delta = rep_len(as.double(delta), count))
}

# Epsilons that are `unset` can be 0 or missing.
check_params <- function(params, unset = FALSE, call = rlang::caller_env()) {
  if (is.data.frame(params)) params <- as.matrix(params)
  if (!is.matrix(params) || ncol(params) != 2 || nrow(params) == 0) {
    stop_argument("a matrix of two columns, epsilon and delta", describe(params), "params", call)
  }
  epsilon <- suppressWarnings(as.double(params[, 1]))
  if (unset) epsilon[is.na(epsilon)] <- 0
  check_losses(epsilon, suppressWarnings(as.double(params[, 2])), zero = unset, call = call)
}
