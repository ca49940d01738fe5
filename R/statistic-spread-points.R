# Points that represent draws from a cube, without randomness. Each has a row.

# Evenly spread over a cube of few dimensions: fractions of multiples of square roots of primes.
# Source: Richtmyer (1951), "The evaluation of definite integrals, and a quasi-Monte-Carlo method
# based on the properties of algebraic numbers".
spread_points <- function(points, dimensions) {
  multiples <- outer(seq_len(points), sqrt(first_primes(dimensions)))
  multiples - floor(multiples)
}

first_primes <- function(count) {
  most <- ceiling(max(15, count * (log(count) + log(log(max(count, 3))) + 1)))
  is_prime <- c(FALSE, rep(TRUE, most - 1))
  for (k in 2:floor(sqrt(most))) {
    if (is_prime[[k]]) is_prime[seq(k^2, most, by = k)] <- FALSE
  }
  which(is_prime)[seq_len(count)]
}

# In many dimensions, some pairs of columns of spread_points() are alike. Here each column has one
# point in each of `points` equal parts of (0, 1). The order differs by column: the fractions of
# multiples by third powers. No two columns are correlated by more than chance.
# Source: Weyl (1916), "Ueber die Gleichverteilung von Zahlen mod. Eins".
scattered_points <- function(points, dimensions) {
  multiples <- outer(seq_len(points)^3, sqrt(first_primes(dimensions)))
  apply(multiples - floor(multiples), 2, function(fraction) {
    (rank(fraction, ties.method = "first") - 0.5) / points
  })
}
