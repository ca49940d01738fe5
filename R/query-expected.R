# Expected errors of a query for public group sizes, before the charge.

# A data frame with a row for each number and group size: column, number, rows, value, accuracy
# (half the interval) and mark.
expected_of_query <- function(query, loss, alpha, rows, call) {
  if (reads_rows(query)) {
    stop_query("unsupported", "The error of this model depends on the data.", "Leave out `rows`.",
      call
    )
  }
  check_delta_for_keys(query, loss$delta, call)
  found <- from_core_of(query,
    core_query_expected(form_of_query(query), within_asked(loss), alpha, as.double(rows)), call,
    hints_for(query)
  )
  tables <- Map(function(output, each) {
    labels <- number_labels(output, query)
    width <- length(each$value) / length(rows)
    labels <- if (length(labels) == width) labels else rep("", width)
    number <- paste0(output$name, ifelse(nzchar(labels), paste0("[", labels, "]"), ""))
    data.frame(
      column = output$name, number = rep(number, length(rows)), rows = rep(rows, each = width),
      value = each$value, accuracy = (each$upper - each$lower) / 2,
      mark = mark_names[1 + each$mark]
    )
  }, query$outputs, found)
  do.call(rbind, unname(tables))
}

check_group_size <- function(rows, call) {
  whole <- is.numeric(rows) && length(rows) > 0 && all(is.finite(rows)) && all(rows %% 1 == 0) &&
    all(rows >= 0 & rows <= 1e12)
  if (!whole) stop_argument("whole numbers from 0 to 1e12", describe(rows), "rows", call)
  as.double(rows)
}

# Noise that exceeds the numbers -------------------------------------------------------------------

sizes_to_try <- c(outer(c(1, 2, 5), 10^(0:8)))

# The smallest tested group size above which every aggregate is informative: counts exceed their
# noise, and intervals of means and quantiles do not cover the declared range. Infinite if no size
# is enough.
least_informative_rows <- function(query, loss, alpha, call) {
  shown <- lapply(query$outputs, aggregate_of, query)
  kinds <- vapply(shown, function(of) of$fun %||% "", "")
  of_rows <- vapply(shown, function(of) identical(of$fun, "moment") && is.null(of$of), NA)
  judged <- names_of_outputs(query)[makes_statistics(kinds)]
  counts <- names_of_outputs(query)[kinds %in% c("count", "ids") | of_rows]
  expected <- expected_of_query(query, loss, alpha, sizes_to_try, call)
  silent <- expected$column %in% judged & expected$mark %in% c("range", "empty") |
    expected$column %in% counts & expected$mark == "wide"
  min(Inf, sizes_to_try[sizes_to_try > max(0, expected$rows[silent])])
}

# The largest group size, if the data holder promised one.
public_group_size <- function(query) {
  margins <- Filter(function(step) step$step == "margin", tbl_data(query$table)$steps)
  min(Inf, unlist(lapply(margins, `[[`, "max_rows")))
}

# Group sizes are private, so the warning names the size that the noise needs.
few_rows <- 100

warn_of_query_noise <- function(query, loss, alpha, call) {
  if (reads_rows(query)) {
    return(invisible())
  }
  rows <- least_informative_rows(query, loss, alpha, call)
  if (rows <= min(few_rows, public_group_size(query))) {
    return(invisible())
  }
  size <- if (is.finite(rows)) {
    paste0("In groups of fewer than about ", show_number(rows, 12), " rows,")
  } else {
    "In groups of any size,"
  }
  measure <- measure_name(loss)
  warn_as_is(paste0(
    size, " the noise is as large as the numbers. Use a larger `", measure,
    "`, fewer aggregates or larger groups. `dp_preview(query, rows = )` shows the error."
  ), "noise", call)
}
