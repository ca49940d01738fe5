#' Make up rows for trying a script
#'
#' `dp_made_up()` draws rows that fit a schema, so that you can run a script before it touches
#' private data. Values are independent, and uniform over the declared values. The rows depend only
#' on public arguments, so you can show them, and they cost nothing.
#'
#' @param schema (`dp_domain`) Column declarations, see [dp_schema()].
#' @param n (whole number) Number of rows.
#' @param unit (`dp_unit`) Adds its id columns, if the schema does not declare them. The rows belong
#'   to `n` / 3 people, rounded up, so most people have several rows. `NULL` adds no ids.
#' @param missing (`numeric(1)`) Proportion of missing values in each declared column, from 0 to 1.
#' @param ... Not used: other names raise an error.
#' @returns A data frame of `n` rows with the declared columns and the id columns. Numbers without
#'   bounds are drawn from 0 to 99, dates from 2000-01-01 to 2009-12-31, and texts from `"a"` to
#'   `"e"`. R's generator draws them, so `set.seed()` repeats them.
#' @section Errors: `dp_error_invalid_argument` for an invalid argument.
#' @seealso [dp_schema()], [dp_tbl()], [dry_run()]
#' @examples
#' schema <- dp_schema(
#'   ward = dp_levels("North", "South"), days = dp_int(0, 60), admitted = dp_date()
#' )
#' made_up <- dp_made_up(schema, 200, unit = dp_unit(id = patient))
#' head(made_up)
#' dpMean(variable = "days", n = 200, rng = c(0, 60), epsilon = 1)$release(made_up)
#' @export
dp_made_up <- function(schema, n, unit = NULL, missing = 0.05, ...) {
  check_names(...)
  call <- environment()
  check_class(schema, "dp_domain")
  check_whole(n, min = 0, max = 1e8)
  check_class(unit, "dp_unit", null = TRUE)
  check_probability(missing, zero = TRUE, one = TRUE)
  if (any(vapply(unclass(schema), function(column) isTRUE(column$public), NA))) {
    must <- "a schema with all levels written out"
    stop_argument(must, "one with `levels = \"public\"`", "schema", call)
  }
  columns <- lapply(unclass(schema), made_up_column, n = n)
  columns <- lapply(columns, function(x) {
    x[stats::runif(n) < missing] <- NA
    x
  })
  ids <- setdiff(unit$id, names(schema))
  people <- sample.int(max(ceiling(n / 3), 1), n, replace = TRUE)
  columns[ids] <- rep(list(people), length(ids))
  structure(columns, row.names = .set_row_names(n), class = "data.frame")
}

made_up_column <- function(column, n) {
  bounds <- c(column$lower, column$upper)
  if (length(bounds) == 0) bounds <- if (column$type == "date") c(10957, 14609) else c(0, 99)
  evenly <- function(lower, upper) {
    share <- stats::runif(n)
    pmin(pmax(lower * (1 - share) + upper * share, lower), upper)
  }
  whole <- function() {
    values <- pmin(floor(evenly(bounds[[1]], bounds[[2]] + 1)), bounds[[2]])
    if (all(abs(bounds) <= .Machine$integer.max)) as.integer(values) else values
  }
  switch(column$type,
    logical = stats::runif(n) < 0.5,
    integer = whole(),
    real = evenly(bounds[[1]], bounds[[2]]),
    date = structure(as.double(whole()), class = "Date"),
    levels = {
      levels <- if (isTRUE(column$whole)) as.double(column$levels) else column$levels
      levels[sample.int(length(levels), n, replace = TRUE)]
    },
    text = letters[sample.int(5, n, replace = TRUE)]
  )
}
