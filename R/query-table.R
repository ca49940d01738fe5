#' Open a private table for queries
#'
#' `dp_tbl()` binds data to a session, a unit of privacy and declarations of the columns. You query
#' the result with dplyr verbs ([dp_verbs]). It never shows rows: only [release()] reads them,
#' charges the budget and returns a data frame.
#'
#' @param session (`dp_session`) Session that releases are charged to.
#' @param data (data frame, `tbl` of package dbplyr, or Arrow data) Private. Tibbles and data tables
#'   are data frames. A grouped data frame keeps its groups. Give a table of PostgreSQL, DuckDB,
#'   Spark or SQLite as `tbl(con, "visits")`, without verbs (see "Engines"), and a table in several
#'   places as [dp_shards()]. `dp_tbl()` reads a design of `survey::svydesign()` as its data frame
#'   (see "Survey designs"). `NULL` plans without data.
#' @param unit (`dp_unit`) Unit of privacy, see [dp_unit()]. Public.
#' @param domain (`dp_domain`) Declarations of the columns, see [dp_domain()]. Public.
#' @param version (`character(1)`) In a session with a ledger, the name of this state of the data,
#'   which the ledger must know ([dp_new_version()]); its newest by default. Public.
#' @param execute,rows (`character(1)`) Place of the computation, for a table in an engine. With
#'   `"push"`, PostgreSQL, DuckDB or Spark counts. With `"stream"`, R reads the rows of SQLite,
#'   PostgreSQL or DuckDB. `"auto"` lets the engine count if it can. `rows = "stay"` never reads
#'   rows into R.
#' @param name (`character(1)`) The curator's name of the table, of at most 200 bytes. Give each
#'   table a name if a ledger covers several tables of one declaration. A ledger records the name,
#'   and returns a stored release only for the table of that name. `NULL`: the table has no name,
#'   and all tables without a name share their stored releases. Public.
#' @param x (`dp_tbl`)
#' @param ... Not used.
#' @returns (`dp_tbl`) A private table. Printing shows public facts: the unit, the declared columns
#'   and the verbs so far. `names()` returns the names of the columns. `dim()` returns `NA` as the
#'   number of rows, which is private.
#' @details
#' A handle holds the rows. It is empty once you save it or send it to another process, so
#' `saveRDS()`, `str()` and similar functions cannot show them. `dp_tbl()` checks the types of the
#' columns, never their values. A release fits values to their declaration, as [dp_domain()] says.
#' @section Engines: PostgreSQL, DuckDB and Spark (through package sparklyr) count and sum in one
#'   statement, which the core writes. Whole numbers come back, and R adds the noise. The data
#'   holder must own the table. PostgreSQL also accepts a stored view, if it cannot fail at any
#'   value. Temporary views, foreign tables and, in DuckDB, all views and computed columns raise an
#'   error. Load files into a table of DuckDB with [dp_load_files()]. Spark reads tables of Parquet
#'   or ORC files. Texts are compared by their bytes, whatever their collation. Failures after the
#'   charge show no detail. The log of the engine is as private as its rows.
#'
#'   A release reads one snapshot of PostgreSQL, in a read-only transaction with fixed settings. No
#'   setting of the role, time limit or search path changes a number. If you have opened a
#'   transaction, the release becomes a part of it and reads its changes. Several statements then
#'   read one snapshot only if your transaction has one.
#'
#'   Before the charge, every engine looks at the table again: at its kind, and at the names and
#'   types of the declared columns. A table that was dropped, altered, renamed or replaced by a view
#'   raises an error, and nothing is spent. The same happens if the connection is closed, or if
#'   DuckDB has a macro with the name of one of its functions. The engine looks once more in the
#'   transaction that reads the rows. A temporary table or view of the same name is not read,
#'   because `dp_tbl()` keeps the full path of the table. You can add columns, and change rows.
#'
#'   PostgreSQL must be connected by package RPostgres. RPostgreSQL prints errors of the server,
#'   which can quote private cells.
#'
#'   PostgreSQL and DuckDB fail at some values of some expressions, such as products of reals. R
#'   counts these from rows in chunks, unless `rows = "stay"`. DuckDB sends Arrow batches, through
#'   package nanoarrow, if its R package has methods for `DBI::dbSendQueryArrow()`. An older one
#'   holds all rows of the declared columns at once.
#'
#'   SQLite runs in this process. R reads only the declared columns, in chunks, so the table can be
#'   larger than memory. A cell of a different type than the declared one is missing. So is a text
#'   that is not a day of the calendar: [dp_check()] counts both. Views, virtual tables and computed
#'   columns raise an error.
#'
#'   Ids can be texts, whole numbers of 64 bits, logicals or dates. Reals are ids if their rows are
#'   read into R, as in a data frame; PostgreSQL, DuckDB and Spark do not compare them themselves.
#'   In an SQLite column without the type `REAL`, reals without a fraction are whole numbers, and
#'   other reals are missing. PostgreSQL's type `numeric` is refused: cast it to `bigint` or `text`
#'   in a view.
#'
#'   Arrow data come batch by batch too, through package nanoarrow: its streams and batches, tables,
#'   readers and datasets of package arrow, and whatever has a method of
#'   `nanoarrow::as_nanoarrow_array_stream()`, which must not fail at a cell, nor choose types by
#'   looking at rows. Logicals, whole numbers, reals, dates, date-times without a zone and texts are
#'   read, also those of a dictionary. A stream or a reader can be read once, and so released once.
#'   Of a dataset, such as `arrow::open_dataset("claims/")`, the declared columns are scanned, so
#'   that it may be larger than memory; one that carries verbs, and one of CSV or JSON files, which
#'   may fail at a line, are refused. Package arrow is tested by objects with its interface, not by
#'   itself.
#'
#'   Rows that come here can be interrupted between two chunks. The charge stays, and the connection
#'   can be used again. Interactive use shows that they come, after two seconds, or which engine
#'   counts, and never how many rows there are; see the options of [PSIlence-package].
#'
#'   Tables and queries print the name of the engine, `show_query()` the statement; a receipt has
#'   the hash of it.
#' @section Survey designs: `dp_tbl()` reads the rows of a design that `survey::svydesign()` makes
#'   of a data frame, and the names of its columns. Declare the column of weights in `domain`: its
#'   bounds are public, so they cannot come from the design. Aggregates use weights that you name,
#'   as in `dp_mean(x, weights = w)` ([dp_aggregates]). A query without them raises
#'   `dp_warning_weights`. Clusters become the unit only if you declare them, with `unit =
#'   dp_unit(id = psu)`. Strata are columns for `group_by()`. Intervals count the noise, not
#'   sampling, so they do not use strata, clusters or finite populations. Calibrated designs, and
#'   designs with replicate weights, raise `dp_error_source`.
#' @section Errors: `dp_error_source` for data that are no data frame and no bare table of an
#'   engine, or a column whose type its declaration does not read; `dp_error_domain` for a column,
#'   or an id, that the data do not have; `dp_error_missing_package` without dplyr 1.0.10 or later,
#'   or without DBI and dbplyr for a table in an engine; `dp_error_unsupported` for an engine that
#'   is not known, or a `version` without a ledger; `dp_error_ledger` for one that the ledger does
#'   not know, or for another unit than the ledger's; `dp_error_budget` for another unit than the
#'   session has spent for.
#' @seealso [dp_shards()], [dp_load_files()], [dp_verbs], [dp_aggregates], [release()]
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
#'
#' # The same rows in an engine, from which they come in chunks.
#' if (requireNamespace("RSQLite", quietly = TRUE) && requireNamespace("dbplyr", quietly = TRUE)) {
#'   con <- DBI::dbConnect(RSQLite::SQLite())
#'   DBI::dbWriteTable(con, "people", PUMS5extract10000)
#'   dp_tbl(session, tbl(con, "people"),
#'     unit = dp_unit(rows = 1), domain = dp_domain(age = dp_int(18, 93))
#'   ) |>
#'     summarise(n = dp_count(), age = dp_mean(age)) |>
#'     release(epsilon = 0.2) |>
#'     print()
#'   DBI::dbDisconnect(con)
#' }
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
    design = design$names, name = name,
    origin = if (!is.null(source$rows)) origin_of_data(data, unique(c(names(domain), unit$id)))
  )
  checked_table(new_table(table), environment())
}

# A grouped data frame keeps its groups.
groups_of <- function(data, columns, call) {
  if (!inherits(data, "grouped_df")) {
    return(character())
  }
  groups <- dplyr::group_vars(data)
  undeclared <- setdiff(groups, columns)
  if (length(undeclared) > 0) {
    stop_query("domain",
      paste0("The data are grouped by ", listed(undeclared), ", which `domain` does not declare."),
      "Declare the column, or pass `ungroup(data)`.", call
    )
  }
  groups
}

# What tables and queries refuse alike has methods of "dp_private".
new_table <- function(parts) structure(parts, class = c("dp_tbl", "dp_private"))

# `$` and `[[` of a table are refused.
parts_of <- function(x) unclass(x)

with_parts <- function(x, ...) {
  parts <- unclass(x)
  changed <- list(...)
  parts[names(changed)] <- changed
  structure(parts, class = class(x))
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

# Rows in memory, or the table in an engine, behind a handle, NULL without data; the name of the
# engine, NULL without one; and what is public of shards, NULL of what lies in one place.
source_of <- function(data, unit, domain, execute, rows, call) {
  if (inherits(data, "dp_shards")) {
    return(sharded_source(data, unit, domain, execute, rows, call))
  }
  if (is_engine_table(data)) {
    engine <- engine_of(data, unit, domain, execute, rows, call)
    return(list(rows = core_hide(engine), engine = engine$engine))
  }
  if (is_arrow(data)) {
    engine <- arrow_rows(data, unit, domain, execute, rows, call)
    return(list(rows = core_hide(engine), engine = engine$engine))
  }
  if (execute == "push") {
    stop_query("unsupported", "`execute = \"push\"` needs data in another engine.", call = call)
  }
  list(rows = hidden_rows(data, unit, domain, call))
}

# The form that the core reads -----------------------------------------------------------------

source_form <- function(table) {
  domain <- unclass(table$domain)
  columns <- lapply(names(domain), function(name) c(list(name = name), unclass(domain[[name]])))
  unit <- unclass(mapped_unit(table$unit))
  list(columns = columns, unit = c(unit[c("kind", "id", "count")], shards_in_map(table)))
}

# Version of what queries mean, of all new queries (src/core/expressions/rules.h). A stored query
# keeps its own; queries of the first version do not have the field `rules`.
newest_rules <- 2

form_of_table <- function(x) {
  table <- parts_of(x)
  list(
    rules = newest_rules, source = source_form(table), steps = table$steps, by = table$groups,
    keys = table$keys %||% list(kind = "declared", table = NULL, weight = 1),
    aggregates = list(), outputs = list()
  )
}

add_step <- function(x, step, ..., call = rlang::caller_env()) {
  table <- parts_of(x)
  checked_table(with_parts(x, steps = c(table$steps, list(as_it_is(step))), ...), call)
}

# Asks the core what the columns are now; it stops where a step cannot be.
checked_table <- function(x, call) {
  facts <- from_core(core_query_fields(form_of_table(x)), call)
  with_parts(x, fields = records_of(facts$fields))
}

# What is known of each column, by name: list(name, type, lower, upper, levels). What is not known
# is left out.
records_of <- function(fields) {
  records <- lapply(fields, function(field) {
    known <- vapply(field, function(value) length(value) > 0 && !anyNA(value), NA)
    field[known]
  })
  stats::setNames(records, vapply(fields, `[[`, "", "name"))
}

# What the core refuses stands in the name of the verb that was called, with what would do: `hints`
# by classes of errors.
from_core <- function(expr, call, hints = list()) {
  tryCatch(expr, dp_error = function(error) {
    error["call"] <- list(call_of_verb(call))
    hint <- hints[[class(error)[[1]]]]
    of_bounds <- grepl("no bounds", error$message, fixed = TRUE)
    if (!is.null(hint) && (of_bounds || !inherits(error, "dp_error_domain"))) {
      error$message <- paste0(error$message, "\ni ", hint)
    }
    stop(error)
  })
}

# The same of a query, in the words that it was written in: aggregates within an expression have
# labels of their own, such as `x.1`.
from_core_of <- function(query, expr, call, hints = list()) {
  tryCatch(from_core(expr, call, hints), dp_error = function(error) {
    for (aggregate in labelled_aggregates(query)) {
      label <- paste0("`", aggregate$name, "`")
      words <- paste0("`", describe_aggregate(aggregate), "`")
      error$message <- gsub(label, words, error$message, fixed = TRUE)
    }
    stop(error)
  })
}

# Aggregates whose names are no columns of the result.
labelled_aggregates <- function(query) {
  columns <- vapply(query$outputs, `[[`, "", "name")
  Filter(function(aggregate) !aggregate$name %in% columns, query$aggregates)
}

#' @rdname dp_tbl
#' @export
names.dp_tbl <- function(x) parts_of(x)$columns

#' @rdname dp_tbl
#' @export
dim.dp_tbl <- function(x) c(NA_integer_, length(parts_of(x)$columns))

#' @rdname dp_tbl
#' @export
length.dp_tbl <- function(x) length(parts_of(x)$columns)
