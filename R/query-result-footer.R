# Footer of a printed release.

footnotes <- c(
  "*" = paste("mostly noise, or possibly without values: the interval covers the declared",
    "range, has no possible value, or half of it is at least the number"
  ),
  "^" = paste("the number reaches a bound of its values: many values can be beyond it. To include",
    "them, declare wider bounds, or a wider `at`"
  ),
  "?" = "no interval: the group can be empty, or a divisor can be 0",
  "~" = "no interval is known. `dp_preview()` shows the rank error",
  "#" = paste("represents a wide cell of values: declare narrower bounds, or give `at`.",
    "`dp_preview()` shows the rank error"
  )
)

# Sentences about all numbers, and footnotes for the marks in the table.
footer_lines <- function(about, digits, marks) {
  c(
    paste0(
      if (has_intervals(about)) paste0("[ ]: ", level_words(about), " intervals of the noise; "),
      "unit: ", format(about$unit), "; loss: ", format(about$loss)
    ),
    about$caps, about$notes, about$changed,
    if (identical(digits, "noise")) rounded_sentence,
    lines_of_footnotes(marks)
  )
}

lines_of_footnotes <- function(marks) {
  signs <- unique(mark_signs[intersect(names(mark_signs), marks)])
  paste0(signs, ": ", footnotes[signs], recycle0 = TRUE)
}

has_intervals <- function(about) any(is.finite(about$tidy$conf.low))

level_words <- function(about) paste0(show_number(100 * (1 - about$alpha), 4), "%")

marks_of_released <- function(x) unique(about_released(x)$tidy$mark)
