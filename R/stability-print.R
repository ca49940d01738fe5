#' @rdname check_stability
#' @export
format.dp_stability_check <- function(x, ...) {
  if (!x$refuted) {
    return(c(
      paste0("Check of ", x$name, ": ",
        if (x$answered) "no counterexample" else "every call failed, so nothing was checked"
      ),
      paste0("  largest  ", ratio_in_words(x), " of the claim"),
      tried_in_words(x),
      "  A search never proves a map. It tries small and special datasets only."
    ))
  }
  what <- c(
    distance = "results are further apart than the map claims",
    failure = "the function fails for one dataset and not for its neighbour",
    domain = "a result leaves the output domain", state = "two calls on the same data differ"
  )[[x$kind]]
  c(
    paste0("Check of ", x$name, ": refuted"),
    paste0("  because  ", what),
    if (x$kind == "distance") paste0("  largest  ", ratio_in_words(x), " of the claim"),
    paste0("  data     ", rows_in_words(x$pair[[1]]), " and ", rows_in_words(x$pair[[2]]),
      "  (invented; distance ", x$d_in, ", claim ", show_number(x$claim, 7), ")"
    ),
    paste0("  results  ", paste(collapse = " and ",
      ifelse(x$failed, "an error", vapply(x$results, result_in_words, ""))
    )),
    tried_in_words(x),
    if (x$kind == "state") "  If the function is random on purpose, audit it with `dp_audit()`."
  )
}

#' @rdname check_stability
#' @export
print.dp_stability_check <- function(x, ...) {
  cat(format.dp_stability_check(x), sep = "\n")
  invisible(x)
}

# An excess of rounding is far below the digits of a ratio.
ratio_in_words <- function(x) {
  if (x$refuted && x$ratio < 1 + 1e-6) {
    return(paste("1 +", show_number(max(x$ratio - 1, .Machine$double.eps), 2)))
  }
  show_number(x$ratio, 4)
}

tried_in_words <- function(x) {
  paste0("  pairs    ", show_number(x$pairs, 15), " in ", show_number(x$seconds, 2), " seconds")
}

rows_in_words <- function(data) {
  shown <- utils::head(data, 12)
  shown <- if (is.numeric(shown)) exact_text(shown) else printable(shown)
  if (is.character(data)) shown <- encodeString(shown, quote = "\"")
  paste0("(", toString(trimws(shown)), if (length(data) > 12) ", ...", ")")
}

# The shortest text that reads back as the same number.
exact_text <- function(x) {
  vapply(x, function(value) {
    short <- format(value, digits = 15)
    if (is.na(value) || as.double(short) == value) short else format(value, digits = 17)
  }, "")
}

result_in_words <- function(result) {
  if (is.atomic(result)) rows_in_words(result) else describe(result)
}
