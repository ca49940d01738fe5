# Checks bounds of a column.

# Sorted lower and upper bound of a column. They are whole for whole types, because no value lies
# between a bound and the next whole number inside.
check_range <- function(rng, varType, call = rlang::caller_env()) {
  if (varType == "logical") {
    return(c(0, 1))
  }
  refuse_bounds(rng, call)
  what <- "two finite numbers, lower and upper bound"
  if (!is_numbers(rng) || length(rng) < 2 || is.matrix(rng)) {
    stop_argument(what, name_public(rng), "rng", call)
  }
  if (!all(is.finite(rng))) stop_argument(what, name_public(rng), "rng", call)
  if (length(rng) > 2) {
    warn_dp("`rng` has {length(rng)} values. Its lowest and highest are used.", "range",
      call = call
    )
  }
  rng <- inward(c(min(rng), max(rng)), varType)
  if (rng[[1]] >= rng[[2]]) {
    stop_argument("two bounds with room for different values", name_public(rng), "rng", call)
  }
  if (!is.finite(diff(rng))) stop_argument(what, "numbers infinitely far apart", "rng", call)
  rng
}
