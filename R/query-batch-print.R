# Prints a batch.

#' @rdname dp_batch
#' @export
format.dp_batch <- function(x, ...) {
  shares <- show_number(100 * x$weights / sum(x$weights), 3)
  queries <- vapply(x$queries, describe_query, "")
  c(
    paste0("<dp_batch> ", length(x$queries), " queries, ", x$accountant),
    paste0("  ", format(names(x$queries)), "  ", format(paste0(shares, "%"), justify = "right"),
      "  ", queries)
  )
}

#' @rdname dp_batch
#' @export
print.dp_batch <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
