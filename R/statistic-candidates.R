# Public candidates for quantiles.

# `spacing` is NULL for evenly spaced round numbers, as in plans from before this choice existed.
quantile_candidates <- function(gridPoints, rng, varType, spacing = NULL) {
  points <- if (!is.null(gridPoints)) {
    seq(rng[[1]], rng[[2]], length.out = gridPoints)
  } else if (varType == "integer" && diff(rng) < most_candidates) {
    seq(rng[[1]], rng[[2]])
  } else {
    c(round_candidates(rng), if (!is.null(spacing)) candidates_with_digits(rng, varType))
  }
  points <- sort(points)
  if (varType == "integer") points <- round(points)
  unique(points)
}

most_candidates <- 10000
least_candidates <- 5000

# Multiples of a step with first digit 1, 2 or 5, and both ends. More candidates cost a quantile
# almost nothing, and it can find a heap of equal values if that value is a candidate.
round_candidates <- function(rng) {
  most <- diff(rng) / least_candidates
  power <- floor(log10(most))
  digit <- max(c(1, 2, 5)[c(1, 2, 5) <= most / 10^power * (1 + 1e-9)])
  # Steps below 1 are inverses of whole numbers, so their multiples are as exact as possible.
  times <- if (power < 0) function(k) k / (10^-power / digit) else function(k) k * digit * 10^power
  step <- digit * 10^power
  inner <- times(seq(ceiling(rng[[1]] / step), floor(rng[[2]] / step)))
  c(rng[[1]], inner[inner > rng[[1]] & inner < rng[[2]]], rng[[2]])
}

# Numbers of two digits in the eight decades below the largest magnitude. Their spacing grows with
# them, so bounds that are much too wide still leave candidates near every value.
candidates_with_digits <- function(rng, varType) {
  powers <- floor(log10(max(abs(rng)))) - 1 - 0:7
  sizes <- unlist(lapply(powers, function(power) {
    if (power < 0) 10:99 / 10^-power else 10:99 * 10^power
  }))
  points <- c(sizes, -sizes)
  points <- points[points > rng[[1]] & points < rng[[2]]]
  if (varType == "integer") points[points == round(points)] else points
}

# Edges halfway between candidates.
halves_between <- function(candidates) candidates[-1] - diff(candidates) / 2

# Tells whether a number says little more than its cell between public edges. Then half of the cell
# is longer than a tenth of the distance to the nearer bound and to 0, and than a ten-millionth of
# the range. Queries use the same rule (query/grids.h).
is_coarse <- function(value, width, rng) {
  distance <- pmin(value - rng[[1]], rng[[2]] - value)
  if (rng[[1]] <= 0 && rng[[2]] >= 0) distance <- pmin(distance, abs(value))
  width / 2 > pmax(distance / 10, diff(rng) * 1e-7)
}

# Applies the same rule to candidates. A whole-number candidate represents only itself.
is_coarse_candidate <- function(values, fields) {
  edges <- c(fields$rng[[1]], halves_between(fields$candidates), fields$rng[[2]])
  widths <- diff(edges)[match(values, fields$candidates)]
  if (fields$varType == "integer") widths <- ifelse(widths <= 1, 0, widths)
  is_coarse(values, widths, fields$rng)
}

# "coarse" if any released number is coarse.
status_of_cells <- function(coarse) if (any(coarse, na.rm = TRUE)) "coarse" else "ok"

# Writes out the rules of quantiles. If candidates are given, or are all whole numbers, `spacing`
# has no effect.
with_quantile_rules <- function(arguments, declared) {
  for (name in intersect(names(quantile_rules), names(declared$kinds))) {
    choices <- quantile_rules[[name]]
    rule <- first_choice(arguments[[name]], choices)
    unused <- identical(rule, choices[[2]]) ||
      name == "spacing" && identical(rule, choices[[1]]) && has_own_candidates(arguments)
    arguments[name] <- list(if (!unused) rule)
  }
  arguments
}

# An argument that was left out has all choices.
first_choice <- function(x, choices) if (identical(x, choices)) choices[[1]] else x

has_own_candidates <- function(arguments) {
  type <- arguments[["varType"]]
  rng <- arguments[["rng"]]
  whole <- is_string(type) && tolower(type) == "integer"
  !is_missing(arguments[["gridPoints"]]) ||
    whole && is_numbers(rng) && length(rng) > 1 && isTRUE(diff(range(rng)) < most_candidates)
}
