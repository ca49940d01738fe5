# Limits on public sizes, which the core defines in one place (src/core/limits.h).

limit <- function(name) core_limits()[[name]]

# Whether code is short enough, and not nested too deeply, to be read.
is_readable_code <- function(code) {
  core_is_shallow(code, limit("nested_calls"), limit("parts_of_code"))
}

# Whether an expression is short enough to be repeated, as `x` in each case of `case_match(x, ...)`.
# Repeated parts count each time. A constant has 4 parts of a list.
is_readable_form <- function(form) {
  core_is_shallow(form, limit("nested_lists"), 4 * limit("parts_of_code"))
}

# Whether lists and calls nest at most as deep as the canonical form of a plan allows.
is_shallow <- function(x) core_is_shallow(x, limit("nested_lists"), 2^53)

# Measures used by `is_readable_code()`.
readable_code <- function() {
  paste("at most", limit("nested_calls"), "calls within each other and", limit("parts_of_code"),
    "parts"
  )
}

# Applies `open(x)` to `x` and to its parts at any depth, without recursion. `open()` returns
# list(value = ) for an object without parts, or list(parts = , close = ), whose function combines
# the values of the parts. The values of all open objects share one list, which is changed in place:
# if each object had a list, R would copy it after each of its parts, and n parts would cost n^2.
from_nested <- function(x, open) {
  values <- list()
  ready <- 0L
  outer <- list()
  depth <- 0L
  inner <- list(parts = list(x), close = NULL)
  at <- 0L
  repeat {
    if (at < length(inner$parts)) {
      at <- at + 1L
      opened <- open(inner$parts[[at]])
      if (!is.null(opened$close)) {
        depth <- depth + 1L
        outer[[depth]] <- list(object = inner, at = at)
        inner <- opened
        at <- 0L
        next
      }
      value <- opened$value
    } else if (depth == 0L) {
      return(values[[1]])
    } else {
      ready <- ready - at
      value <- inner$close(values[ready + seq_len(at)])
      inner <- outer[[depth]]$object
      at <- outer[[depth]]$at
      depth <- depth - 1L
    }
    ready <- ready + 1L
    values[ready] <- list(value)
  }
}
