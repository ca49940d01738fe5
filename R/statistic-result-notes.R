# Notes on the lines of a printed result.

# The caller does not give the argument if bounds are found.
imputation_source <- function(x) {
  from <- attr(x, "about")$imputed_from
  if (is.null(x$bounds)) {
    paste0("`", from, "`", recycle0 = TRUE)
  } else if (!is.null(from) && !lacks_release(x)) {
    "the bounds"
  }
}

result_notes <- function(x, digits) {
  about <- attr(x, "about")
  accuracy <- if (anyNA(x$accuracy)) {
    paste0(
      "depends on the data",
      if (inherits(x, "dp_glm_result") && is.null(x$summary)) {
        paste0("; ", if (is.null(x$bounds)) 'set inference = "onestep"' else "declare the bounds",
          " for standard errors"
        )
      }
    )
  } else {
    paste0("with probability ", 1 - about$alpha, " ", about$within)
  }
  public <- if (isTRUE(about$adds_rows)) {
    ". The number of rows is private"
  } else if (!is.null(about$n)) {
    paste0("; n = ", show_number(about$n, digits), " is public")
  }
  loss <- if (!is.null(x$rho)) "rho" else if (is.null(x$globalEps)) "epsilon" else "globalEps"
  notes <- list(
    accuracy = accuracy,
    stdInterval = "of the standard deviation of that",
    bounds = bounds_note(x),
    herfindahl = "sum of squared shares of all cells, NA included",
    nPresent = "rows with a value, with noise",
    nFailed = "blocks, with noise. Failed blocks are not in the release",
    nFailedAccuracy = paste0("the noise in nFailed stays within, also with ", 1 - about$alpha),
    unverified = "an unchecked promise that the loss depends on"
  )
  notes <- c(notes, target_notes(x))
  notes[[loss]] <- paste0("for ", protected_unit(about$adds_rows), public)
  notes
}

bounds_note <- function(x) {
  if (identical(x$status, "not found")) {
    "not found: no order of magnitude has more rows than `threshold`. The loss is spent"
  } else {
    "found. About `threshold` rows can be outside, at either end"
  }
}

# The targets of intervals that have a line.
target_notes <- function(x) {
  covers <- covers_of(x)
  alpha <- attr(x, "about")$alpha
  notes <- lapply(covers, function(target) {
    if (is_for_rows(target)) {
      paste0("of ", target, ", without sampling error")
    } else {
      paste0("of ", target, ", with probability ", 1 - alpha)
    }
  })
  as.list(notes[setdiff(names(notes), c("accuracy", "stdInterval", "summary"))])
}

# The target of the intervals in a table.
table_note <- function(x, table) {
  if (any(is.finite(table$conf.low))) paste0("  Intervals are for ", main_target(x), ".")
}

protected_unit <- function(adds_rows) {
  if (isTRUE(adds_rows)) "one row added or removed" else "one replaced row"
}

# Names, values and notes in columns. Values without a note may be longer.
noted_lines <- function(values, notes) {
  notes <- vapply(names(values), function(name) notes[[name]] %||% "", "")
  width <- max(0, nchar(values)[notes != ""])
  values <- formatC(values, width, flag = "-")
  lines <- paste0("  ", format(names(values)), "  ", values, "  ", notes)
  if (length(values) > 0) sub(" +$", "", lines)
}

# Texts and numbers have a line. Tables and lists only show their name.
is_listed <- function(value) {
  if (is.data.frame(value)) {
    return(nrow(value) == 1 && length(value) <= 8)
  }
  is.atomic(value) && is.null(dim(value))
}
