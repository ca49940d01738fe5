#' One private table that lies in several places
#'
#' `dp_shards()` names the places where the rows of one table lie: years in files, hospitals with
#' servers of their own, parts of a table that one server is too small for. It is the `data` of
#' [dp_tbl()]; each place counts its own rows, and whole numbers are added up here.
#'
#' @param ... (data frames, `tbl`s of package dbplyr, Arrow data) The shards, as [dp_tbl()] takes
#'   each of them, in any mixture; 1 to 1024 of them. Private. Names, if there are any, are public,
#'   and stand in errors. All `NULL` to plan without data.
#' @param split_by_id (`logical(1)`) Whether all rows of an id lie in one shard, which the caller
#'   then promises; see "Units". There is no default, since neither answer is safe and cheap for all
#'   tables. Public.
#' @param x (`dp_shards`)
#' @returns (`dp_shards`) For [dp_tbl()]. Printing shows the number of shards; a table of them
#'   prints their kinds, too.
#' @section Units: Of a unit with an `id`, [dp_truncate()] and [dp_per_unit()] act on the rows that
#'   an id has in one shard, since shards do not know of each other.
#'
#'   `TRUE`: every id lives in one shard, as in a table that is partitioned by a hash of it. A
#'   person counts as in one table, and nothing costs more. **If an id does have rows in several
#'   shards, the guarantee does not hold.**
#'
#'   `FALSE`: an id may have rows in each shard. It is truncated in each of `S` shards, and counts
#'   `S` times at most: if a person changes up to `l0` groups, `l1` rows in all and `li` in one
#'   group of a table in one place, a person changes `S l0`, `S l1` and `S li` here. This is sound
#'   without any promise, and needs up to `S` times the noise. `dp_n_ids()` counts an id once for
#'   each shard.
#'
#'   Without an `id` the unit is a row, which lies in one shard by its nature: both answers are the
#'   same.
#' @section Engines: Each shard is checked and counted as [dp_tbl()] says of its kind; `execute` and
#'   `rows` hold for all. Look-ups and refusals are those of each, before anything is charged.
#'   Statements go to all shards in PostgreSQL that have a connection of their own before this
#'   session waits for the first, so that the servers count side by side; shards on one connection,
#'   and all others, take turns. A shard that fails after the charge fails the release: no number of
#'   the others is released.
#'
#'   Snapshots of several servers are taken one after the other. A row that moves between them in
#'   the meantime may be counted twice or never, and with `split_by_id = TRUE` breaks the promise:
#'   move rows while nothing is released.
#'
#'   Different values of several shards do not add up, so there is no [dp_n_distinct()] of them.
#' @section Ledgers: Where the rows lie is no part of a query. With `split_by_id = TRUE` a stored
#'   release of the same query on a table in one place is returned again; with `FALSE` the number of
#'   shards belongs to the query, as it changes the loss.
#' @section Errors: `dp_error_invalid_argument` without `split_by_id`, or for other numbers of
#'   shards. Of a shard as [dp_tbl()] and [release()] say, with its number or name.
#'   `dp_error_source` for shards of which some alone are `NULL`; `dp_error_unsupported` for
#'   [dp_n_distinct()].
#' @seealso [dp_tbl()], [dp_truncate()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' visits <- data.frame(
#'   patient = rep(1:400, each = 3), ward = c("North", "South", "East"), days = 1:6
#' )
#' # Each patient goes to one hospital.
#' hospitals <- split(visits, visits$patient %% 2)
#' session <- dp_session(dp_epsilon(1))
#' stays <- dp_tbl(session, dp_shards(hospitals[[1]], hospitals[[2]], split_by_id = TRUE),
#'   unit = dp_unit(id = patient),
#'   domain = dp_domain(ward = dp_levels("North", "South", "East"), days = dp_int(0, 30))
#' )
#' stays
#' stays |>
#'   dp_truncate(max_rows = 3) |>
#'   group_by(ward) |>
#'   summarise(n = dp_count(), days = dp_sum(days)) |>
#'   release(epsilon = 0.5)
#' @export
dp_shards <- function(..., split_by_id) {
  call <- environment()
  shards <- list(...)
  if (missing(split_by_id)) stop_without_split(call)
  check_flag(split_by_id)
  if (length(shards) < 1 || length(shards) > most_shards) {
    stop_argument(paste("1 to", most_shards, "shards"), length(shards), "...", call)
  }
  if (any(vapply(shards, inherits, NA, "dp_shards"))) {
    stop_argument("tables", "shards of shards", "...", call)
  }
  structure(
    list(
      data = core_hide(shards), number = length(shards), labels = labels_of_shards(shards),
      split_by_id = split_by_id
    ),
    class = "dp_shards"
  )
}

# As many as the core adds up.
most_shards <- 1024L

stop_without_split <- function(call) {
  stop_query("invalid_argument", "`split_by_id` must be given, not left out: it has no default.",
    paste(
      "`TRUE` promises that all rows of an id lie in one shard, and needs no more noise.",
      "`FALSE` promises nothing; an id is truncated in each, for up to so many times the noise."
    ), call,
    argument = "split_by_id"
  )
}

# Their names, or else their places.
labels_of_shards <- function(shards) {
  names <- names_of(shards)
  ifelse(nzchar(names), quoted(names), seq_along(shards))
}

#' @rdname dp_shards
#' @export
format.dp_shards <- function(x, ...) {
  paste0("<dp_shards> ", describe_shards(list(number = x$number, split = x$split_by_id)))
}

#' @rdname dp_shards
#' @export
print.dp_shards <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# "3 (2 PostgreSQL, data frame), ..."
describe_shards <- function(shards) {
  kinds <- unique(shards$kinds)
  count <- tabulate(match(shards$kinds, kinds))
  described <- toString(ifelse(count == 1, kinds, paste(count, kinds)))
  rule <- if (is.null(shards$split)) {
    NULL
  } else if (shards$split) {
    ", and each id in one of them, as promised"
  } else {
    ", and an id perhaps in each, truncated in each"
  }
  paste0(shards$number, if (length(kinds) > 0) paste0(" (", described, ")"), rule)
}

# What the map must know of shards: as how many people one counts, if they are several.
shards_in_map <- function(table) {
  shards <- table$shards
  if (isFALSE(shards$split) && shards$number > 1) list(shards = shards$number)
}

# A table in several places, as source_of() gives one.
sharded_source <- function(data, unit, domain, execute, rows, call) {
  shards <- core_hidden(data$data)
  public <- list(number = data$number, split = if (unit$kind == "id") data$split_by_id)
  empty <- vapply(shards, is.null, NA)
  if (all(empty)) {
    return(list(shards = public))
  }
  if (any(empty)) {
    stop_query("source", "Some shards are `NULL`: to plan without data, all must be.", call = call)
  }
  places <- unname(Map(function(shard, label) {
    in_shard(label, source_of(shard, unit, domain, execute, rows, call))
  }, shards, data$labels))
  engines <- lapply(places, `[[`, "engine")
  public$kinds <- vapply(engines, function(engine) engine %||% "data frame", "")
  if (length(places) == 1) {
    return(c(places[[1]], list(shards = public)))
  }
  sharded <- structure(list(
    engine = toString(unique(vapply(engines, function(engine) engine %||% "core", ""))),
    labels = data$labels,
    shards = begin_alone(lapply(places, function(place) core_hidden(place$rows)), shards)
  ), class = "dp_engine")
  list(rows = core_hide(sharded), engine = sharded$engine, shards = public)
}

# What is refused of a shard says of which.
in_shard <- function(label, code) {
  tryCatch(code, dp_error = function(error) {
    error$message <- paste0("Shard ", label, ": ", error$message)
    stop(error)
  })
}

is_sharded <- function(engine) !is.null(engine[["shards"]])

# The shards that are no data frames, or the engine itself.
places_of <- function(engine) {
  Filter(Negate(is.data.frame), if (is_sharded(engine)) engine[["shards"]] else list(engine))
}

# A server counts while others do if nobody else uses its connection.
begin_alone <- function(places, shards) {
  connections <- lapply(shards, function(shard) {
    if (is_engine_table(shard)) dbplyr::remote_con(shard)
  })
  Map(function(place, connection) {
    alone <- sum(vapply(connections, identical, NA, connection)) == 1
    if (alone && !is.data.frame(place)) place$begin <- place$begin_beside
    place
  }, places, unname(connections))
}

# Each as for a query of itself. Different values of one shard may be those of another.
shards_for_query <- function(query, engine, call) {
  if (any(vapply(query$aggregates, function(one) one$fun == "distinct", NA))) {
    stop_query("unsupported", "Different values of several shards do not add up.",
      "Leave out `dp_n_distinct()`, or bring the rows to one place.", call
    )
  }
  engine$shards <- Map(function(shard, label) {
    in_shard(label, engine_for_query(query, shard, call))
  }, engine$shards, engine$labels)
  engine
}
