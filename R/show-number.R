# Formats numbers for print and messages.

# Formats each number separately, without an exponent up to a dozen digits, whatever the session's
# options are.
show_number <- function(x, digits) {
  x <- as.double(unname(x))
  ordinary <- is.finite(x) & (x == 0 | abs(x) >= 1e-4 & abs(x) < 1e11)
  shown <- character(length(x))
  shown[ordinary] <- show_ordinary(x[ordinary], digits)
  shown[!ordinary] <- vapply(x[!ordinary], show_extreme, "", digits = digits)
  shown
}

# Formats all numbers at once, because there can be a hundred thousand cell edges.
show_ordinary <- function(x, digits) {
  size <- ifelse(x == 0, 0, floor(log10(abs(x))))
  decimals <- as.integer(pmax(0, digits - 1 - size))
  shown <- sprintf("%.*f", decimals, x)
  shown[decimals > 0] <- sub("[.]?0+$", "", shown[decimals > 0])
  shown
}

show_extreme <- function(x, digits) {
  tiny <- is.finite(x) && abs(x) < 1e-4
  format(x, digits = digits, scientific = if (tiny) 0 else 7, decimal.mark = ".")
}

# Formats a loss, rounded up to a number of digits, so it is never shown as less than it is. The
# core rounds exact decimals up to doubles, so `x` represents any number above the next lower
# double: the double above 0.3 is shown as 0.3, and is not rounded up twice.
show_loss <- function(x, digits) {
  shown <- show_number(x, digits)
  low <- is.finite(x)
  low[low] <- as.double(shown[low]) < x[low] * (1 - .Machine$double.neg.eps)
  shown[low] <- show_number(x[low] + 10^(floor(log10(x[low])) + 1 - digits), digits)
  shown
}
