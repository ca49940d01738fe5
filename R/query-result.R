#' Released queries
#'
#' What [release()] of a query returns is a tibble: groups, and an estimate for each aggregate. It
#' carries what is known of the noise, all of it public, which `tidy()`, `summary()`, `plot()` and
#' documents of package knitr show. A verb such as `filter()` returns an ordinary tibble without it.
#'
#' @param x,object (`dp_released`)
#' @param what (`character(1)`) Which column to draw; the first by default.
#' @param main,xlab Title and label; both follow from the query by default.
#' @param digits,rows (whole number) How many digits and rows to show.
#' @param conf.int (`logical(1)`) Whether to include `conf.low` and `conf.high`.
#' @param conf.level (`numeric(1)`) `1 - alpha` of the release; other levels are not known.
#' @param ... For [graphics::plot.default()]. `tidy()` and `summary()` must not get any.
#' @returns `tidy()`: a data frame with a row for each number: the groups, `term` (the column, of
#'   several quantiles and of cells with their probability or place), `estimate`, `std.error`,
#'   `conf.low`, `conf.high`; dates are days since 1970-01-01 there. `summary()`: an object that
#'   prints the loss, the unit, the plan and the noise. `plot()`: `x`, invisibly. `autoplot()`: a
#'   ggplot.
#' @details Intervals are those of the noise: they cover what would be released without it, clamped
#'   and truncated as the query says. They know nothing of sampling error, nor of rows that a cap
#'   dropped.
#' @section Errors: `dp_error_invalid_argument` for another `what`, or a result without a group.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(educ = dp_int(1, 16))
#' )
#' released <- people |>
#'   count(educ) |>
#'   release(epsilon = 0.5)
#' summary(released)
#' plot(released)
#' @name dp_released
NULL

# What the measurement gave, as a data frame: list(keys, estimates, std_error, lower, upper).
new_released <- function(raw, prepared) {
  names(raw) <- c("keys", "estimates", "std_error", "lower", "upper")
  query <- prepared$query
  names <- vapply(query$outputs, `[[`, "", "name")
  if (!is.null(query$sorted_by)) raw <- sorted_release(raw, match(query$sorted_by, names))
  estimates <- Map(labelled_numbers, raw$estimates, lapply(query$outputs, number_labels, query))
  names(estimates) <- names
  dates <- names[vapply(query$outputs, is_a_date, NA, query)]
  estimates[dates] <- lapply(estimates[dates], as_dates)
  keys <- typed_keys(raw$keys, query)
  columns <- c(keys, estimates)
  count <- length(columns[[1]])
  frame <- structure(columns, row.names = .set_row_names(count), class = "data.frame")
  about <- list(
    keys = names(keys), terms = names, tidy = tidy_released(keys, estimates, raw, prepared),
    loss = prepared$loss, plan = prepared$plan, unit = unit_of(query),
    preview = prepared$preview, events = prepared$events, alpha = prepared$alpha,
    query = describe_query(query), dates = dates
  )
  if (requireNamespace("tibble", quietly = TRUE)) frame <- tibble::as_tibble(frame)
  structure(frame, released = about, class = c("dp_released", class(frame)))
}

# The groups in the order of one released number, the largest first, as `count(sort = TRUE)` asks.
sorted_release <- function(raw, by) {
  places <- order(-raw$estimates[[by]])
  lapply(raw, lapply, function(values) values[places])
}

# The aggregate that a column of the result is; NULL for what is computed of several.
aggregate_of <- function(output, query) {
  if (output$value$op == "column") query$aggregates[[output$value$name]]
}

# Whether an aggregate is of a column of dates.
is_of_dates <- function(aggregate, fields) {
  identical(aggregate$of$op, "column") && identical(fields[[aggregate$of$name]]$type, "date")
}

# Whether a column of the result has dates: a mean or quantiles of some.
is_a_date <- function(output, query) {
  of <- aggregate_of(output, query)
  isTRUE(of$fun %in% c("mean", "quantiles")) && is_of_dates(of, fields_of(query$table))
}

as_dates <- function(days) {
  if (is.list(days)) lapply(days, as_dates) else as.Date(days, "1970-01-01")
}

# Several numbers of one column: of quantiles by their probabilities, of cells by their edges.
number_labels <- function(output, query) {
  of <- aggregate_of(output, query)
  if (identical(of$fun, "quantiles")) {
    show_number(of$probabilities, 7)
  } else if (identical(of$fun, "histogram")) {
    of_dates <- is_of_dates(of, fields_of(query$table))
    edges <- if (of_dates) format(as_dates(of$grid)) else show_number(of$grid, 7)
    paste0(edges[-length(edges)], " to ", edges[-1])
  }
}

labelled_numbers <- function(values, labels) {
  if (!is.list(values)) {
    return(values)
  }
  lapply(values, function(each) {
    if (length(each) == length(labels)) names(each) <- labels
    each
  })
}

# Keys in the types that were declared.
typed_keys <- function(keys, query) {
  fields <- fields_of(query$table)[query$by]
  typed <- Map(typed_key, keys, fields)
  stats::setNames(typed, query$by)
}

# Whole numbers as R's integers if all fit, else as 64-bit ones.
typed_key <- function(key, field) {
  if (!inherits(key, "integer64")) {
    # Where rows without a value are a group, all values come as texts.
    whole <- isTRUE(field$whole) && is.character(key)
    return(if (field$type == "logical") as.logical(key) else if (whole) as.integer(key) else key)
  }
  numbers <- core_doubles_of_integer64(key)
  if (field$type == "date") {
    as.Date(numbers, "1970-01-01")
  } else if (all(is.na(numbers) | abs(numbers) <= .Machine$integer.max)) {
    as.integer(numbers)
  } else {
    key
  }
}

# A row for each number, groups first.
tidy_released <- function(keys, estimates, raw, prepared) {
  parts <- lapply(seq_along(estimates), function(i) {
    values <- estimates[[i]]
    counts <- if (is.list(values)) lengths(values) else rep(1L, length(values))
    rows <- rep(seq_along(counts), counts)
    labels <- if (is.list(values)) {
      unlist(lapply(values, function(x) names(x) %||% as.character(seq_along(x))))
    }
    term <- rep(names(estimates)[[i]], length(rows))
    table <- list(
      term = if (is.null(labels)) term else paste0(term, "[", labels, "]", recycle0 = TRUE),
      column = term, estimate = numbers_in(values), std.error = numbers_in(raw$std_error[[i]]),
      conf.low = numbers_in(raw$lower[[i]]), conf.high = numbers_in(raw$upper[[i]])
    )
    c(lapply(keys, function(key) key[rows]), table)
  })
  merged <- do.call(Map, c(list(function(...) c_columns(list(...))), parts))
  structure(merged, row.names = .set_row_names(length(merged$term)), class = "data.frame")
}

numbers_in <- function(x) as.double(unlist(x, use.names = FALSE))

c_columns <- function(columns) {
  if (is.factor(columns[[1]])) {
    levels <- levels(columns[[1]])
    return(factor(unlist(lapply(columns, as.character)), levels = levels))
  }
  do.call(c, columns)
}

about_released <- function(x) attr(x, "released")

# Methods' names have dots.
# nolint start: object_name_linter.

# What a verb makes of a released table is a plain one: its rows may be others.
#' @export
`[.dp_released` <- function(x, ...) unreleased(x)[...]

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.dp_released <- function(data, template) {
  dplyr::dplyr_reconstruct(data, unreleased(template))
}

#' @rdname dp_released
#' @exportS3Method generics::tidy
tidy.dp_released <- function(x, conf.int = TRUE, conf.level = NULL, ...) {
  call <- environment()
  check_names(...)
  check_flag(conf.int)
  if (!is.null(conf.level)) {
    check_released_level(conf.level, about_released(x)$alpha, "conf.level", call)
  }
  table <- about_released(x)$tidy
  if (!conf.int) table[c("conf.low", "conf.high")] <- NULL
  table$column <- NULL
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}

#' @exportS3Method generics::glance
glance.dp_released <- function(x, ...) {
  check_names(...)
  about <- about_released(x)
  table <- c(list(query = about$query), unclass(about$loss), list(
    unit = format(about$unit), groups = nrow(x), alpha = about$alpha, plan = about$plan
  ))
  table <- structure(table, row.names = 1L, class = "data.frame")
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}

# nolint end

unreleased <- function(x) {
  attr(x, "released") <- NULL
  class(x) <- setdiff(class(x), "dp_released")
  x
}

#' @rdname dp_released
#' @export
format.dp_released <- function(x, ..., digits = 5, rows = 32) {
  about <- about_released(x)
  c(
    paste0("Released: ", about$query, " (", loss_sentence(about), ")"),
    show_table(shown_released(x, digits), digits, rows)
  )
}

loss_sentence <- function(about) paste0(format(about$loss), " for ", format(about$unit))

# Lists as texts.
shown_released <- function(x, digits) {
  columns <- lapply(unclass(unreleased(x)), function(column) {
    if (!is.list(column)) {
      return(column)
    }
    shown <- function(values) if (inherits(values, "Date")) values else show_number(values, digits)
    vapply(column, function(values) toString(shown(values)), "")
  })
  structure(columns, row.names = seq_len(nrow(x)), class = "data.frame")
}

#' @rdname dp_released
#' @export
print.dp_released <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @rdname dp_released
#' @export
summary.dp_released <- function(object, ...) {
  check_names(...)
  structure(about_released(object), class = "dp_released_summary")
}

#' @export
format.dp_released_summary <- function(x, ...) {
  c(
    paste0("Released: ", x$query),
    paste0("  loss    ", format(x$loss), " for ", format(x$unit)),
    paste0("  plan    ", substr(x$plan, 1, 16)),
    paste0("  groups  ", length(unique(do.call(paste, c(list(""), x$tidy[x$keys]))))),
    "", show_table(x$preview, 5, 40)
  )
}

#' @export
print.dp_released_summary <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @exportS3Method knitr::knit_print
knit_print.dp_released <- function(x, ..., digits = 5, rows = 32) { # nolint: object_name_linter.
  about <- about_released(x)
  table <- shown_released(utils::head(unreleased(x), rows), digits)
  shown <- show_columns(table, digits)
  more <- nrow(x) - nrow(table)
  sides <- ifelse(attr(shown, "numeric"), "r", "l")
  note <- paste0(
    if (more > 0) paste("And", more, "more groups. "),
    if (nrow(x) == 0) "No group is frequent enough to be released. ",
    "Differentially private: ", loss_sentence(about), "."
  )
  lines <- if (nrow(x) > 0) knitr::kable(shown, align = sides, row.names = FALSE)
  knitr::asis_output(paste(c("", lines, "", note, ""), collapse = "\n"))
}

# Pictures -----------------------------------------------------------------------------------------

#' @rdname dp_released
#' @export
plot.dp_released <- function(x, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- picture_of_released(x, what, environment())
  draw <- if (shown$kind == "bars") draw_bars else draw_points
  draw(shown, main %||% shown$title, xlab %||% shown$xlab, ...)
  graphics::mtext(shown$note, side = 3, line = 0.3, cex = 0.8)
  invisible(x)
}

#' @rdname dp_released
#' @exportS3Method ggplot2::autoplot
autoplot.dp_released <- function( # nolint: object_name_linter.
    object, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- picture_of_released(object, what, environment())
  panel <- if (shown$kind == "bars") bars_panel else points_panel
  bars <- shown$kind == "bars"
  panel(shown) + ggplot2::labs(
    title = main %||% shown$title, caption = shown$note, x = xlab %||% shown$xlab,
    y = if (bars) shown$ylab else shown$group
  )
}

# As pictures of statistics: list(kind, table, title, xlab, ylab, note).
picture_of_released <- function(x, what, call) {
  about <- about_released(x)
  what <- if (is.null(what)) about$terms[[1]] else check_choice(what, about$terms, call = call)
  rows <- about$tidy[about$tidy$column == what, ]
  if (nrow(rows) == 0) stop_argument("a result with a group", "one without", "x", call)
  inner <- sub("^.*\\[(.*)\\]$", "\\1", ifelse(rows$term == what, "", rows$term))
  parts <- c(lapply(rows[about$keys], as.character), list(inner))
  term <- apply(do.call(cbind, parts), 1, function(part) toString(part[nzchar(part)]))
  aggregate <- about$preview$aggregate[match(what, about$preview$column)]
  counts <- aggregate %in% c("count", "ids", "missing", "distinct", "histogram")
  with_intervals <- any(is.finite(rows$conf.low) & is.finite(rows$conf.high))
  table <- data.frame(term = ifelse(nzchar(term), term, what), estimate = rows$estimate)
  if (with_intervals) table[c("conf.low", "conf.high")] <- rows[c("conf.low", "conf.high")]
  if (what %in% about$dates) table[-1] <- lapply(table[-1], as_dates)
  groups <- toString(about$keys)
  list(
    kind = if (counts) "bars" else "points", table = table, apart = FALSE,
    title = paste0("Private ", what, if (nzchar(groups)) paste(" by", groups)),
    xlab = if (counts) groups else what, ylab = what, group = groups,
    note = paste0(
      if (with_intervals) paste0(100 * (1 - about$alpha), "% intervals of the noise; "),
      loss_sentence(about)
    )
  )
}
