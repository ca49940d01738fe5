# Prints an audit, and its tables.

#' Print an audit
#'
#' `print()` and `format()` show what an audit found. `tidy()` has a row for each pair, and
#' `glance()` one row for the audit.
#'
#' @param x (`dp_audit`) Audit.
#' @param style (`character(1)`) `"table"` for lines of facts, or `"sentence"` for one sentence in a
#'   report.
#' @param ... Not used.
#' @returns `format()` returns strings, `print()` its argument. `tidy()` returns a data frame with
#'   the columns `pair`, `label`, `draws` and `bound`. There, `bound` counts the evidence of this
#'   pair as if it were the only one. `glance()` returns a data frame with one row.
#' @seealso [dp_audit()]
#' @examples
#' audit <- dp_audit(dpMean("x", n = 4, rng = c(0, 10), epsilon = 1), draws = 2000)
#' format(audit, style = "sentence")
#' @export
format.dp_audit <- function(x, style = c("table", "sentence"), ...) {
  style <- check_choice(style[[1]], c("table", "sentence"), arg = "style")
  if (style == "sentence") sentence_of_audit(x) else lines_of_audit(x)
}

#' @rdname format.dp_audit
#' @export
print.dp_audit <- function(x, ...) {
  cat(format.dp_audit(x), sep = "\n")
  invisible(x)
}

lines_of_audit <- function(x) {
  facts <- c(
    claim = paste0(x$claim, relation_in_words(x$relation)),
    bound = bound_in_words(x),
    pair = paste0(data_in_words(x$pair), "  (invented; number ", x$pair_number, " of ", x$pairs,
      ": ", x$pair_label, ")"
    ),
    evidence = if (!is.na(x$expert)) x$expert,
    names = names_in_words(x),
    draws = paste(show_number(x$draws, 15), "in", show_number(x$seconds, 2), "seconds")
  )
  c(
    paste0("Audit of ", x$name, ": ", status_in_words(x$status)),
    paste0("  ", format(names(facts)), "  ", facts), paste0("  ", closing_of_audit(x))
  )
}

status_in_words <- function(status) {
  switch(status,
    no_release = "every draw was an error, so nothing was audited",
    constant = "all draws were the same, so nothing was audited",
    status
  )
}

bound_in_words <- function(x) {
  unit <- if (x$measure == "times the curve") "the loss" else x$measure
  times <- if (x$measure == "times the curve") " times the curve" else ""
  if (x$bound == 0) {
    return("nothing is proved about the loss")
  }
  paste0(unit, " is above ", show_number(x$bound, 3), times, ", with confidence ",
    show_number(x$confidence, 9), " for all ", x$pairs, if (x$pairs == 1) " pair" else " pairs",
    " and all evidence"
  )
}

names_in_words <- function(x) {
  counts <- show_number(x$counts, 15)
  named <- x$counts[["right"]] + x$counts[["wrong"]]
  known <- min(x$delta * sum(x$counts), named)
  allowed <- known + stats::plogis(x$epsilon) * (named - known)
  loss <- paste0("epsilon ", show_number(x$epsilon, 4),
    if (x$delta > 0) paste0(", delta ", show_number(x$delta, 2))
  )
  paste0(counts[[1]], " right, ", counts[[2]], " wrong, ", counts[[3]], " withheld; ", loss,
    " allows ", show_number(allowed, 4), " of ", show_number(named, 15), " on average"
  )
}

data_in_words <- function(pair) {
  text <- vapply(pair, function(data) {
    words <- if (is.numeric(data) && is.null(dim(data))) {
      toString(show_number(utils::head(data, 8), 4))
    } else if (is.data.frame(data)) {
      paste(nrow(data), if (nrow(data) == 1) "row" else "rows")
    } else {
      describe(data)
    }
    if (length(data) > 8 && is.numeric(data)) paste0(words, ", ...") else words
  }, "")
  paste(text, collapse = " and ")
}

power_in_words <- function(x) {
  if (!is.finite(x$power[["0.99"]])) {
    return("It had too few draws to notice even three times the claim with probability 0.99.")
  }
  paste0("It would have noticed ", show_number(x$power[["0.99"]], 3),
    " times the claim, on the best of these pairs, with probability 0.99."
  )
}

closing_of_audit <- function(x) {
  if (x$refuted) {
    return(c(
      "This proves that the claim is false. `audit$again()` repeats it with this pair.",
      if (grepl("lowest bit", x$expert)) paste(
        "The lowest bits of the numbers depend on the data. Round releases to a public grid,",
        "such as `round(x * 64) / 64`, or leave \"bits\" out of `observe`."
      )
    ))
  }
  if (x$status != "not refuted") {
    return("Check the call of the mechanism on one of the pairs.")
  }
  c("No evidence against the claim. An audit never proves one.", power_in_words(x))
}

sentence_of_audit <- function(x) {
  effort <- paste0(show_number(x$draws, 15), " draws on ", x$pairs, " invented pairs of neighbours")
  if (x$refuted) {
    paste0("An audit refuted the claim ", x$claim, " of ", x$name, ": ", bound_in_words(x), " (",
      effort, ")."
    )
  } else if (x$status == "not refuted") {
    paste0("An audit with ", effort, " did not refute the claim ", x$claim, " of ", x$name, ". ",
      power_in_words(x)
    )
  } else {
    paste0("An audit of ", x$name, " with ", effort, " is void: ", status_in_words(x$status), ".")
  }
}

# Methods' arguments have the names that the generics' other methods give them.
# nolint start: object_name_linter.

#' @rdname format.dp_audit
#' @exportS3Method generics::tidy
tidy.dp_audit <- function(x, ...) {
  check_names(...)
  last <- x$log_of_pairs[!duplicated(x$log_of_pairs$pair, fromLast = TRUE), ]
  data.frame(pair = last$pair, label = x$labels[last$pair], draws = last$draws, bound = last$bound)
}

#' @rdname format.dp_audit
#' @exportS3Method generics::glance
glance.dp_audit <- function(x, ...) {
  check_names(...)
  data.frame(
    name = x$name, status = x$status, refuted = x$refuted, claim = x$claim, bound = x$bound,
    power.90 = x$power[["0.9"]], power.99 = x$power[["0.99"]], confidence = x$confidence,
    pairs = x$pairs, draws = x$draws, seconds = x$seconds
  )
}

# nolint end
