# The points that quantiles are chosen from: public.

quantile_candidates <- function(gridPoints, rng, varType) {
  points <- if (!is.null(gridPoints)) {
    seq(rng[[1]], rng[[2]], length.out = gridPoints)
  } else if (varType == "integer" && diff(rng) < most_candidates) {
    seq(rng[[1]], rng[[2]])
  } else {
    round_candidates(rng)
  }
  if (varType == "integer") points <- round(points)
  unique(points)
}

most_candidates <- 10000
least_candidates <- 5000

# Multiples of a step that is 1, 2 or 5 in its first digit, and both ends. A selection of a quantile
# pays next to nothing for more candidates, and finds a heap of equal values if it is one of them.
round_candidates <- function(rng) {
  most <- diff(rng) / least_candidates
  power <- floor(log10(most))
  digit <- max(c(1, 2, 5)[c(1, 2, 5) <= most / 10^power * (1 + 1e-9)])
  # Steps below 1 are the inverses of whole numbers, whose multiples are then as near as can be.
  times <- if (power < 0) function(k) k / (10^-power / digit) else function(k) k * digit * 10^power
  step <- digit * 10^power
  inner <- times(seq(ceiling(rng[[1]] / step), floor(rng[[2]] / step)))
  c(rng[[1]], inner[inner > rng[[1]] & inner < rng[[2]]], rng[[2]])
}
