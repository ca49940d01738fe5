#' Split a budget over releases
#'
#' Splits a budget over planned releases. `distributeEpsilon()` divides an epsilon by basic
#' composition. `update_parameters()` fits planned releases into a global budget by the better of
#' basic and optimal composition, see [optimal_composition]. They read no data and spend no budget.
#'
#' `update_parameters()` multiplies the epsilons of all releases that are not held by the largest
#' common factor that keeps all releases within the budget. It does not change deltas. An epsilon
#' that is not set (`NA` or 0) gets the average epsilon. If none is set, all get the same one.
#' Otherwise it gets the share that it would have if all free releases were equal, and the others
#' are scaled to the remaining budget, in proportion. A single release gets the whole budget.
#'
#' @param globalEps (`numeric(1)`) Epsilon to divide.
#' @param nCalcs (whole number) Number of equal parts.
#' @param epsilonDist (`numeric`) Parts to use instead of `nCalcs`: positive, with sum 1 within
#'   1e-8.
#' @param params (`matrix`) Planned releases, one in each row. The columns are epsilon, `NA` or 0 if
#'   not set, and delta.
#' @param hold (whole numbers) Rows to leave unchanged, 0 for none.
#' @param eps,del (`numeric(1)`) Epsilon and delta of the global budget.
#' @returns `distributeEpsilon()` returns a `numeric` vector, whose sum is at most `globalEps`.
#'   `update_parameters()` returns a matrix like `params`.
#' @section Errors: Raises `dp_error_invalid_argument` for arguments out of range, and
#'   `dp_error_invalid_distance` if the deltas or the held releases exceed the budget.
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
        stop_dp("the rows in `hold` exceed the budget.", "invalid_distance", call = NULL)
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
  # Scales as if all free releases were equal.
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
