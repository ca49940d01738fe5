# Cells of numeric columns in tables. A column with bins becomes a column of intervals, by cut().

# Whole numbers with at most this many values have a cell for each, and other numbers this many
# cells.
most_single_values <- 50
usual_bins <- 16

# Declared numbers are above this, so the first cell includes the lower bound.
below_all <- -1e300

#' @rdname dp_tables
#' @order 5
#' @export
dp_breaks <- function(count, type = "equal", ...) {
  check_names(...)
  count <- check_positive_whole(count)
  check_choice(type, c("equal", "log"))
  if (count < 2 || count > limit("cells")) {
    stop_argument(paste("from 2 to", limit("cells")), name_public(count), "count", environment())
  }
  structure(list(count = count, type = type), class = "dp_breaks")
}

#' @export
format.dp_breaks <- function(x, ...) paste0("<dp_breaks> ", x$count, " cells, ", x$type)

#' @export
print.dp_breaks <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# Adds a step for each column that needs bins.
with_bins <- function(x, columns, bins, call) {
  check_bins(bins, columns, call)
  for (name in columns) {
    breaks <- breaks_of_column(name, fields_of(x)[[name]], bins[[name]], call)
    if (is.null(breaks)) next
    points <- lapply(breaks, function(point) list(op = "literal", value = point))
    value <- list(op = "cut", args = c(list(column(name)), points))
    x <- with_step_checked(x, list(step = "mutate", name = name, value = value), call)
  }
  x
}

check_bins <- function(bins, columns, call) {
  named <- is.null(bins) || is.list(bins) && !is.null(names(bins)) &&
    anyDuplicated(names(bins)) == 0
  if (!named) stop_argument("a list of breaks by column", describe(bins), "bins", call)
  unknown <- setdiff(names(bins), columns)
  if (length(unknown) > 0) {
    stop_argument(paste("named by columns of the tables,", listed(columns)),
      name_public(unknown[[1]]), "bins", call
    )
  }
}

# The arguments of cut(), or NULL for a column whose values are its cells.
breaks_of_column <- function(name, field, bins, call) {
  is_number <- field$type %in% c("integer", "real")
  if (!is_number) {
    if (!is.null(bins)) {
      stop_argument("breaks of numeric columns", paste0("breaks of `", name, "`"), "bins", call)
    }
    check_has_cells(name, field, call)
    return(NULL)
  }
  if (is.null(field$lower)) {
    stop_query("domain", paste0("`", name, "` has no bounds."), bounds_of_models, call)
  }
  whole <- field$type == "integer"
  if (is.null(bins) && whole && field$upper - field$lower < most_single_values) {
    return(NULL)
  }
  bins <- bins %||% dp_breaks(usual_bins)
  inner <- inner_breaks(name, bins, field$lower, field$upper, whole, call)
  if (whole) {
    c(field$lower, inner, field$upper + 1) - 0.5
  } else {
    c(below_all, inner, field$upper)
  }
}

check_has_cells <- function(name, field, call) {
  if (field$type %in% c("levels", "logical")) {
    return(invisible())
  }
  if (field$type == "date") {
    stop_query("domain", paste0("`", name, "` has dates, which are not cells of a table."),
      "Compute a number before, such as `mutate(year = year(day))`.", call
    )
  }
  stop_query("domain", paste0("`", name, "` has no declared levels."),
    "Declare them with `dp_levels()`.", call
  )
}

# The breaks strictly within the bounds.
inner_breaks <- function(name, bins, lower, upper, whole, call) {
  arg <- paste0("bins$", name)
  spaced <- inherits(bins, "dp_breaks")
  points <- if (spaced) spaced_breaks(bins, lower, upper + whole) else bins
  if (!is.numeric(points) || length(points) == 0 || !all(is.finite(points))) {
    stop_argument("numbers, or `dp_breaks()`", describe(bins), arg, call)
  }
  if (any(diff(points) <= 0) && !spaced) {
    stop_argument("increasing", "in another order", arg, call)
  }
  if (any(points < lower | points > upper)) {
    stop_argument(paste("within the bounds,", show_number(lower, 12), "and",
      show_number(upper, 12)
    ), "beyond them", arg, call)
  }
  if (whole) points <- ceiling(points)
  points <- unique(as.double(points))
  points <- points[points > lower & (points < upper | whole & points <= upper)]
  if (length(points) == 0) {
    stop_argument("breaks that make at least two cells", "breaks at the bounds", arg, call)
  }
  points
}

# Breaks between the ends of a range.
spaced_breaks <- function(bins, from, to) {
  inner <- seq_len(bins$count - 1) / bins$count
  if (bins$type == "equal") {
    return(from + inner * (to - from))
  }
  points <- from + signif(expm1(inner * log1p(to - from)), 2)
  unique(points[points < to])
}

# Labels of the cells of cut(). Breaks half way between whole numbers make cells such as "18-24".
labels_of_breaks <- function(breaks) {
  from <- breaks[-length(breaks)]
  to <- breaks[-1]
  shown <- function(points) vapply(points, show_number, "", 12)
  if (all(breaks == floor(breaks) + 0.5)) {
    ends <- list(shown(from + 0.5), shown(to - 0.5))
    return(ifelse(ends[[1]] == ends[[2]], ends[[1]], paste0(ends[[1]], "-", ends[[2]])))
  }
  within <- paste0("(", shown(from), ",", shown(to), "]")
  ifelse(from <= below_all, paste("up to", shown(to)), within)
}

# The breaks of a column that the last step about it made by cut(), or NULL.
breaks_behind <- function(name, steps) {
  made <- Filter(function(step) step$step == "mutate" && identical(step$name, name), steps)
  value <- if (length(made) > 0) made[[length(made)]]$value
  if (identical(value$op, "cut")) vapply(value$args[-1], function(point) as.double(point$value), 0)
}
