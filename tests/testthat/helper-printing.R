# Prints without showing, and returns the value of print() with its visibility.
print_silently <- function(x) {
  utils::capture.output(result <- withVisible(print(x)))
  if (result$visible) result$value else invisible(result$value)
}
