# The rule for missing values of a plan.

drops_missing <- function(common) identical(common$missing, "drop")

within_bounds <- function(x, lower, upper) pmin(pmax(x, lower), upper)
