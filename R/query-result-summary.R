# Summary of a release.

# nolint start: object_name_linter.
result_summary.dp_released <- function(x, formula, level, call) {
  refuse_given(formula, "formula", call)
  refuse_given(level, "level", call)
  structure(about_released(x), class = "dp_released_summary")
}
# nolint end

#' @export
format.dp_released_summary <- function(x, ...) {
  marked <- sum(!x$tidy$mark %in% c("", "bound"))
  c(
    paste0("Released: ", x$query),
    paste0("  loss    ", format(x$loss), " for ", format(x$unit)),
    paste0("  means   ", loss_in_words(x$loss)),
    paste0("  caps    ", x$caps, recycle0 = TRUE),
    paste0("  note    ", x$notes, recycle0 = TRUE),
    paste0("  changed ", x$changed, recycle0 = TRUE),
    paste0("  plan    ", substr(x$plan, 1, 16)),
    paste0("  groups  ", length(unique(do.call(paste, c(list(""), x$tidy[x$keys]))))),
    paste0("  marked  ", marked, " of ", nrow(x$tidy), " numbers are mostly noise"),
    "", show_table(x$shown_preview %||% x$preview, 5, 40)
  )
}

#' @export
print.dp_released_summary <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
