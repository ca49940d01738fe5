# Prints without showing, and returns what print() returns, as visibly.
print_silently <- function(x) {
  utils::capture.output(result <- withVisible(print(x)))
  if (result$visible) result$value else invisible(result$value)
}
