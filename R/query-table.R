#' Open a private table for queries
#'
#' `dp_tbl()` binds data to a session, a unit of privacy and column declarations. You query the
#' result with dplyr verbs ([dp_verbs]). It never shows rows: only [release()] reads them, charges
#' the budget and returns a data frame.
#'
#' @param session (`dp_session`) Session to charge.
#' @param data (data frame, `tbl` of package dbplyr, or Arrow data) Private. Tibbles and data tables
#'   are data frames. A grouped data frame keeps its groups. See [dp_engines] for databases, Spark
#'   and Arrow, [dp_shards()] for a table in several places, and the section on survey designs.
#'   `NULL` plans without data.
#' @param unit (`dp_unit`) Unit of privacy, see [dp_unit()]. Public.
#' @param domain (`dp_domain`) Column declarations, see [dp_schema()]. Public.
#' @param version (`character(1)`) In a session with a ledger, the name of this state of the data,
#'   see [dp_new_version()]. `NULL` means the newest version. Public.
#' @param execute,rows (`character(1)`) For a table in an engine, where the query runs. `"push"`:
#'   PostgreSQL, DuckDB or Spark computes counts and sums. `"stream"`: R reads the rows of SQLite,
#'   PostgreSQL or DuckDB. `"auto"`: the engine, if it can. With `rows = "stay"`, R never reads
#'   rows.
#' @param name (`character(1)`) Name of the table, at most 200 bytes, chosen by the data holder.
#'   Give each table a name if a ledger covers several tables with the same declarations. The ledger
#'   then returns a stored release only for the table with its name. Tables without a name (`NULL`)
#'   share stored releases. Public.
#' @param x (`dp_tbl`)
#' @param ... Not used.
#' @returns (`dp_tbl`) A private table. Printing shows public facts: the unit, the declared columns
#'   and the steps so far. `names()` returns the column names. `dim()` returns `NA` as the number of
#'   rows, which is private.
#' @details The table holds its rows in an opaque handle. The handle is empty after you save it or
#' send it to another process, so `saveRDS()`, `str()` and similar functions cannot show rows.
#' `dp_tbl()` checks the column types and never the values. See [missing_values] for values that do
#' not fit their declaration.
#' @section Survey designs: `dp_tbl()` reads the rows of a design that `survey::svydesign()` made
#'   from a data frame, and the names of its columns. Declare the weights column in `domain`,
#'   because its bounds are public. Then name the weights in each aggregate, as in `dp_mean(x,
#'   weights = w)` ([dp_aggregates]). Aggregates without them raise `dp_warning_weights`. Clusters
#'   become the unit of privacy only if you declare them, with `unit = dp_unit(id = psu)`. You can
#'   use strata in `group_by()`. Intervals cover the noise, not sampling, so they ignore strata,
#'   clusters and finite population corrections. Calibrated designs, and designs with replicate
#'   weights, raise `dp_error_source`.
#' @section Errors: `dp_error_source` for unsupported data, and for a column whose type does not fit
#'   its declaration. `dp_error_domain` for a declared column or id that the data do not have.
#'   `dp_error_missing_package` without dplyr 1.0.10 or later, or, for a table in an engine, without
#'   DBI and dbplyr. `dp_error_unsupported` for an unknown engine, or a `version` without a ledger.
#'   `dp_error_ledger` for a version that the ledger does not have. `dp_error_unit` if the session
#'   or ledger protects a different unit.
#' @seealso [dp_engines], [dp_shards()], [dp_load_files()], [dp_verbs], [dp_aggregates], [release()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' session <- dp_session(dp_epsilon(1))
#' people <- dp_tbl(session, PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' people
#' people |>
#'   group_by(sex) |>
#'   summarise(n = dp_count(), age = dp_mean(age)) |>
#'   release(epsilon = 0.2)
#' @export
dp_tbl <- function(session, data, unit, domain, version = NULL,
                   execute = c("auto", "stream", "push"), rows = c("may_leave", "stay"),
                   name = NULL, ...) {
  check_names(...)
  needs_dplyr(environment())
  check_given("session", "data", "unit", "domain", call = environment())
  check_class(session, "dp_session")
  check_class(unit, "dp_unit")
  check_class(domain, "dp_domain")
  check_choice(execute[[1]], c("auto", "stream", "push"), arg = "execute")
  check_choice(rows[[1]], c("may_leave", "stay"), arg = "rows")
  check_string(version, null = TRUE)
  name <- check_name_of_table(name)
  version <- session$budget$version(version, environment())
  check_unit_of_table(unit, session, environment())
  design <- if (is_survey_design(data)) opened_design(data, domain, environment())
  if (!is.null(design)) data <- design$rows
  domain <- with_public_levels(domain, data, environment())
  source <- source_of(data, unit, domain, execute[[1]], rows[[1]], environment())
  table <- list(
    session = session, rows = source$rows, engine = source$engine, shards = source$shards,
    unit = unit, domain = domain, columns = names(domain), steps = list(),
    groups = groups_of(data, names(domain), environment()), keys = NULL, version = version,
    design = design$names, name = name, rounded = source$rounded,
    origin = if (!is.null(source$rows)) origin_of_data(data, unique(c(names(domain), unit$id)))
  )
  checked_table(new_table(table), environment())
}

needs_dplyr <- function(call) {
  installed <- requireNamespace("dplyr", quietly = TRUE) &&
    utils::packageVersion("dplyr") >= "1.0.10"
  if (!installed) {
    stop_dp("Package dplyr 1.0.10 or later is needed: install.packages(\"dplyr\").",
      "missing_package",
      package = "dplyr", call = call
    )
  }
}

# The form that the core reads ---------------------------------------------------------------------

# Aggregates without a result column of their name.
labelled_aggregates <- function(query) {
  columns <- vapply(query$outputs, `[[`, "", "name")
  Filter(function(aggregate) !aggregate$name %in% columns, query$aggregates)
}

#' @rdname dp_tbl
#' @export
names.dp_tbl <- function(x) tbl_data(x)$columns

#' @rdname dp_tbl
#' @export
dim.dp_tbl <- function(x) c(NA_integer_, length(tbl_data(x)$columns))

#' @rdname dp_tbl
#' @export
length.dp_tbl <- function(x) {
  refuse_readers(nearest = 3)
  length(tbl_data(x)$columns)
}
