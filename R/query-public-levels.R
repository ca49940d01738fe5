# Levels that are taken from public data.

# Replaces `levels = "public"` by the levels or value labels of the column.
with_public_levels <- function(domain, data, call) {
  for (name in names(domain)) {
    declared <- domain[[name]]
    if (!isTRUE(declared$public)) next
    x <- if (is.data.frame(data) && name %in% names(data)) .subset2(data, name)
    domain[[name]] <- public_levels(x, declared, name, call)
  }
  domain
}

# Reads labels and levels, never values.
public_levels <- function(x, declared, name, call) {
  labels <- attr(x, "labels", exact = TRUE)
  codes <- NULL
  if (is.factor(x)) {
    levels <- levels(x)
  } else if (inherits(x, c("haven_labelled", "labelled")) && length(names(labels)) > 0) {
    missing <- labels %in% attr(x, "na_values", exact = TRUE) | is.na(labels)
    range <- attr(x, "na_range", exact = TRUE)
    if (is.numeric(labels) && length(range) == 2) {
      missing <- missing | labels >= range[[1]] & labels <= range[[2]]
    }
    labels <- labels[!missing]
    levels <- names(labels)
    if (is.numeric(labels)) codes <- as.double(labels) else levels <- as.character(labels)
  } else {
    stop_query("source", paste0("Column ", quoted(name), " has no levels and no value labels."),
      "Declare its levels: `dp_levels(\"a\", \"b\")`.", call
    )
  }
  if (!is.null(codes) && any(codes != trunc(codes))) {
    stop_query("source", paste0("Column ", quoted(name), " has value labels for fractions."),
      "Convert it before `dp_tbl()`: `haven::as_factor()`.", call
    )
  }
  column <- dp_levels(levels, missing = declared$missing, na = declared[["na"]],
    encoding = declared$encoding %||% "UTF-8"
  )
  if (!is.null(codes)) column$codes <- codes
  column
}
