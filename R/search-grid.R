# The numbers of a type, as doubles, that the search moves between.
#   round     the number of the type nearest to a double
#   to_r      the argument of the predicate
#   lower, upper  the ends of the type
#   steps     how far to walk from `origin`, in the direction of `sign`
search_grid <- function(type) {
  if (type %in% float_types) float_grid(type) else integer_grid(type)
}

float_grid <- function(type) {
  single <- type == "f32"
  list(
    round = if (single) nearest_f32 else identity,
    to_r = identity,
    lower = -Inf,
    upper = Inf,
    steps = function(origin, sign) c(0.5, 2^((0:if (single) 3 else 7)^2)),
    midpoint = function(lower, upper) {
      if (sign(lower) * sign(upper) < 0) lower / 2 + upper / 2 else lower + (upper - lower) / 2
    }
  )
}

integer_grid <- function(type) {
  bits <- if (type == "usize") 64 else as.numeric(substring(type, 2))
  signed <- type %in% signed_types
  # Up to 2^53, doubles hold all whole numbers.
  reach <- min(2^(bits - signed), 2^53)
  lower <- if (signed) -reach else 0
  upper <- if (reach < 2^53) reach - 1 else reach
  list(
    round = identity,
    to_r = function(x) if (abs(x) <= .Machine$integer.max) as.integer(x) else x,
    lower = lower,
    upper = upper,
    steps = function(origin, sign) {
      room <- if (sign > 0) upper - origin else origin - lower
      powers <- 16^(0:14)
      c(powers[powers < room], if (room > 0) room)
    },
    midpoint = function(lower, upper) {
      if (lower < 0 && upper >= 0) trunc((lower + upper) / 2) else lower + (upper - lower) %/% 2
    }
  )
}

# Rounds a double to the nearest 32-bit float.
nearest_f32 <- function(x) readBin(writeBin(x, raw(), size = 4L), "double", length(x), size = 4L)

on_grid <- function(bound, grid) {
  if (is.null(bound)) {
    return(NULL)
  }
  if (is.finite(grid$upper)) {
    check_whole(bound, grid$lower, grid$upper, arg = "bounds", call = NULL)
  }
  check_number(grid$round(as.double(bound)), arg = "bounds", call = NULL)
}
