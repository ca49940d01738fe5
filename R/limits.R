# Limits on public sizes, which the core names in one place (src/core/limits.h).

limit <- function(name) core_limits()[[name]]

# Whether code is neither nested too deeply nor too long to be read.
is_readable_code <- function(code) {
  core_is_shallow(code, limit("nested_calls"), limit("parts_of_code"))
}

# Whether lists and calls are within each other no deeper than in the canonical form of a plan.
is_shallow <- function(x) core_is_shallow(x, limit("nested_lists"), 2^53)

# What `is_readable_code()` asks for.
readable_code <- function() {
  paste("at most", limit("nested_calls"), "calls within each other and", limit("parts_of_code"),
    "parts"
  )
}

# What `open(x)` makes of `x` and of its parts, however deep they are nested: nothing recurses.
# `open()` gives list(value = ) of what has no parts, or list(parts = , close = ), whose function
# makes a value of those of the parts.
from_nested <- function(x, open) {
  outer <- list()
  parts <- list(x)
  close <- function(values) values[[1]]
  values <- list(NULL)
  at <- 0L
  repeat {
    while (at == length(parts)) {
      value <- close(values)
      depth <- length(outer)
      if (depth == 0L) {
        return(value)
      }
      list2env(outer[[depth]], environment())
      outer[[depth]] <- NULL
      if (!is.null(value)) values[[at]] <- value
    }
    at <- at + 1L
    opened <- open(parts[[at]])
    if (is.null(opened$close)) {
      if (!is.null(opened$value)) values[[at]] <- opened$value
    } else {
      outer[[length(outer) + 1L]] <- list(parts = parts, close = close, values = values, at = at)
      parts <- opened$parts
      close <- opened$close
      values <- vector("list", length(parts))
      at <- 0L
    }
  }
}
