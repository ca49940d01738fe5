# Kinds of arguments of statistics about orders of magnitude.

kinds_of_magnitudes <- list(
  base = real_number(above = 1), smallest = real_number(above = 0),
  largest = real_number(above = 0, max = 2^52), sides = one_of(c("both", "positive", "negative")),
  beta = share()
)
