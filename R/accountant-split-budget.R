#' Split a budget over releases
#'
#' `distributeEpsilon()` divides an epsilon by basic composition; `update_parameters()` fits planned
#' releases into a global budget by the better of basic and optimal composition, see
#' [optimal_composition]. No data are read and nothing is spent.
#'
#' `update_parameters()` scales the epsilons of releases that are not held by the largest common
#' factor with which all releases stay within the budget. It leaves deltas alone. An epsilon that is
#' not set, `NA` or 0, gets what an average one gets: all of them the same if none is set; else a
#' share as if all free releases were equal, and the others are scaled, in their proportions, to
#' what is left. A single release gets the whole budget.
#'
#' @param globalEps (`numeric(1)`) Epsilon to divide.
#' @param nCalcs (whole number) Number of equal parts.
#' @param epsilonDist (`numeric`) Parts instead: positive, of sum 1 within 1e-8.
#' @param params (`matrix`) One release a row: epsilon, `NA` or 0 if not set; delta.
#' @param hold (whole numbers) Rows to leave as they are; 0 for none.
#' @param eps,del (`numeric(1)`) The global budget.
#' @returns `distributeEpsilon()`: `numeric`, whose sum is at most `globalEps`.
#'   `update_parameters()`: a matrix like `params`.
#' @section Errors: `dp_error_invalid_argument` for arguments out of range;
#'   `dp_error_invalid_distance` if deltas, or what is held, exceed the budget.
#' @examples
#' distributeEpsilon(1, nCalcs = 3)
#' distributeEpsilon(1, epsilonDist = c(0.5, 0.25, 0.25))
#'
#' planned <- cbind(c(0.5, 0.2, NA), 1e-6)
#' update_parameters(planned, hold = 1, eps = 1, del = 1e-5)
#' # Twenty equal releases get more than a twentieth:
#' update_parameters(cbind(rep(NA, 20), 1e-7), hold = 0, eps = 1, del = 1e-5)[1, ]
#' @name split_budget
NULL

#' @rdname split_budget
#' @export
distributeEpsilon <- function(globalEps, nCalcs = NULL, epsilonDist = NULL) {
  check_number(globalEps, above = 0)
  if (is.null(epsilonDist)) {
    epsilonDist <- rep(1, check_positive_whole(nCalcs))
  } else {
    check_numbers(epsilonDist)
    if (abs(sum(epsilonDist) - 1) > 1e-8) {
      stop_argument("of sum 1", "numbers of another sum", "epsilonDist", rlang::current_env())
    }
    if (!is.null(nCalcs) && length(epsilonDist) != nCalcs) {
      stop_argument(paste("of", nCalcs, "numbers"), "of another length", "epsilonDist",
        rlang::current_env())
    }
  }
  core_share_epsilon(globalEps, as.double(epsilonDist))
}

#' @rdname split_budget
#' @export
update_parameters <- function(params, hold, eps, del) {
  call <- rlang::current_env()
  losses <- check_params(params, unset = TRUE)
  check_number(eps, above = 0)
  check_probability(del, zero = TRUE, one = TRUE)
  count <- length(losses$epsilon)
  held <- seq_len(count) %in% check_hold(hold, count, call)
  result <- cbind(epsilon = losses$epsilon, delta = losses$delta)
  dimnames(result) <- dimnames(params)
  if (count == 1) {
    result[] <- c(eps, del)
    return(result)
  }
  if (any(held & losses$epsilon == 0)) {
    stop_argument("rows whose epsilon is set", "one without", "hold", call)
  }
  result[, 1] <- fit_budget(losses, held, eps, del)
  result
}

fit_budget <- function(losses, held, eps, del) {
  scale <- function(epsilon, held) {
    if (all(held)) {
      if (!core_composes_within(epsilon, losses$delta, eps, del)) {
        stop_dp("what is held exceeds the budget.", "invalid_distance", call = NULL)
      }
      return(epsilon)
    }
    core_scale_to_budget(epsilon, losses$delta, held, eps, del)
  }
  epsilon <- losses$epsilon
  unset <- epsilon == 0
  if (!any(unset)) {
    return(scale(epsilon, held))
  }
  # As if all free releases were equal.
  alike <- scale(ifelse(held, epsilon, 1), held)
  set <- epsilon[!unset & !held]
  if (length(unique(set)) <= 1) {
    return(alike)
  }
  epsilon[unset] <- alike[unset]
  scale(epsilon, held | unset)
}

check_hold <- function(hold, count, call) {
  whole <- is_numbers(hold) && !anyNA(hold) && all(hold == trunc(hold) & hold >= 0 & hold <= count)
  if (!whole) stop_argument("numbers of rows, or 0", describe(hold), "hold", call)
  hold
}
