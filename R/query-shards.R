#' Use one private table that is stored in several places
#'
#' `dp_shards()` combines the parts of a table, such as yearly files or hospital servers, into the
#' `data` of [dp_tbl()]. Each shard counts its own rows, and the session adds the whole numbers.
#'
#' @param ... (data frames, `tbl`s of package dbplyr, Arrow data) From 1 to 1024 shards, of any
#'   kinds that [dp_tbl()] takes. Private. Names are optional, public, and used in errors. Make all
#'   shards `NULL` to plan without data.
#' @param split_by_id (`logical(1)`) Whether you promise that all rows of an id are in the same
#'   shard, see "Units". It has no default, because `TRUE` can be unsafe and `FALSE` can be costly.
#'   Public.
#' @param x (`dp_shards`)
#' @returns (`dp_shards`) Printing shows the number of shards. A [dp_tbl()] also prints their kinds.
#' @section Units: If the unit has an `id`, [dp_truncate()] and [dp_per_unit()] run in each shard
#'   separately.
#'
#'   With `TRUE`, every id is in one shard, as in a table partitioned by a hash of the id. Shards
#'   then cost nothing extra. **If an id has rows in several shards, the guarantee does not hold.**
#'
#'   With `FALSE`, an id can have rows in every shard, so you promise nothing. Each of the `S`
#'   shards truncates the id separately. If a person changes at most `l0` groups, `l1` rows in all
#'   and `li` rows in one group of a single table, these become `S l0`, `S l1` and `S li`. So the
#'   noise is up to `S` times larger. `dp_n_ids()` counts an id once in each shard.
#'
#'   If the unit is a row, `TRUE` and `FALSE` have the same effect.
#' @section Engines: Each shard follows the rules of its engine ([dp_engines]). `execute` and `rows`
#'   apply to all shards. All checks run before the charge. PostgreSQL shards with separate
#'   connections run in parallel. Shards that share a connection, and all other engines, take turns.
#'   If a shard fails after the charge, nothing is released.
#'
#'   Servers take their snapshots one after the other. A row that moves between servers during a
#'   release can be counted twice or not at all. With `split_by_id = TRUE` this breaks the promise,
#'   so move rows only between releases.
#'
#'   Numbers of distinct values do not add up, so [dp_n_distinct()] raises an error.
#' @section Ledgers: The places of rows are not part of a query. With `split_by_id = TRUE`, a ledger
#'   returns a stored release of the same query on a single table. With `FALSE`, the number of
#'   shards is part of the query, because it changes the loss.
#' @section Errors: `dp_error_invalid_argument` without `split_by_id`, or for an invalid number of
#'   shards. `dp_error_source` if only some shards are `NULL`. `dp_error_unsupported` for
#'   [dp_n_distinct()]. Errors of a single shard name it.
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
#' @order 1
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

# The largest number of shards that the core adds.
most_shards <- 1024L

stop_without_split <- function(call) {
  stop_query("invalid_argument", "`split_by_id` must be given, not left out.",
    paste(
      "With `TRUE`, you promise that all rows of an id are in one shard, and noise does not grow.",
      "With `FALSE`, each of k shards truncates ids separately, and noise is up to k times larger."
    ), call,
    argument = "split_by_id"
  )
}

# Names of shards, or their positions.
labels_of_shards <- function(shards) {
  names <- names_of(shards)
  ifelse(nzchar(names), quoted(names), seq_along(shards))
}

# The number of shards that one person can be in, for the privacy map.
shards_in_map <- function(table) {
  shards <- table$shards
  if (isFALSE(shards$split) && shards$number > 1) list(shards = shards$number)
}

# The source of a sharded table, like the result of source_of().
sharded_source <- function(data, unit, domain, execute, rows, call) {
  shards <- core_hidden(data$data)
  public <- list(number = data$number, split = if (unit$kind == "id") data$split_by_id)
  empty <- vapply(shards, is.null, NA)
  if (all(empty)) {
    return(list(shards = public))
  }
  if (any(empty)) {
    stop_query("source", "Only some shards are `NULL`.",
      "To plan without data, make all of them `NULL`.", call
    )
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
  list(rows = core_hide(sharded), engine = sharded$engine, shards = public,
    rounded = unique(unlist(lapply(places, `[[`, "rounded")))
  )
}

# Names the shard in its errors.
in_shard <- function(label, code) {
  tryCatch(code, dp_error = function(error) {
    error$message <- paste0("Shard ", label, ": ", error$message)
    stop(error)
  })
}

is_sharded <- function(engine) !is.null(engine[["shards"]])

# The shards that are not data frames, or the engine itself.
places_of <- function(engine) {
  Filter(Negate(is.data.frame), if (is_sharded(engine)) engine[["shards"]] else list(engine))
}

# Servers count in parallel only if no other shard uses the same connection.
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

# Prepares each shard. Numbers of distinct values do not add up, because shards can share values.
shards_for_query <- function(query, engine, call) {
  if (any(vapply(query$aggregates, function(one) one$fun == "distinct", NA))) {
    stop_query("unsupported", "Numbers of distinct values in several shards do not add up.",
      "Leave out `dp_n_distinct()`, or store the rows in one table.", call
    )
  }
  engine$shards <- Map(function(shard, label) {
    in_shard(label, engine_for_query(query, shard, call))
  }, engine$shards, engine$labels)
  engine
}
