# Prints a receipt.

#' @rdname dp_receipt
#' @export
format.dp_receipt <- function(x, ...) core_to_canonical_json(unclass(x))

# Shortens an exact decimal. An untrusted receipt can hold anything.
shown_amount <- function(amount) {
  or_else(core_shortest_amount(amount), function(error) paste(format(amount), collapse = " "))
}

#' @rdname dp_receipt
#' @export
print.dp_receipt <- function(x, ...) {
  loss <- x$loss[order(names(x$loss) == "delta")]
  if (identical(loss$delta, "0")) loss$delta <- NULL
  loss <- paste(names(loss), vapply(loss, shown_amount, ""), collapse = ", ")
  plan <- object_of_plan(x)
  caps <- or_else(planned_caps(plan))
  members <- or_else(names(planned_members(plan)))
  lines <- c(
    paste0("Receipt of a release from \"", x$dataset, "\", version ", x$version),
    paste0("  loss       ", loss),
    if (is.list(x$unit)) paste0("  protects   ", protected_in_words(x)),
    if (is_string(x$promise) && nzchar(x$promise)) paste0("  promise    ", x$promise),
    if (is_string(x$table)) paste0("  table      ", in_one_line(x$table)),
    paste0("  plan       ", substr(x$plan_hash, 1, 16)),
    paste0("  member     ", members, recycle0 = TRUE),
    paste0("  paid       ", x$time),
    paste0("  record     ", x$ledger$charge_seq, " of ledger ", substr(x$ledger$id, 1, 16)),
    paste0("  release    ", substr(x$release, 1, 16)),
    paste0("  signature  ", if (nzchar(x$signature)) substr(x$signature, 1, 16) else "none"),
    paste0("  caps       ", caps, recycle0 = TRUE)
  )
  # The receipt can be a stranger's.
  cat(printable(lines), sep = "\n")
  invisible(x)
}
