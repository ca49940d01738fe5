# A random walk over ledgers, units and releases, without a promise. Each receipt that it gets is
# compared with obvious rules, which do not use the package's own comparison of units.

walked_rows <- data.frame(age = rep(c(20, 40), 50), id = rep(1:20, 5), ward = rep(1:4, 25))

# Distance in `space` between data that differ in one unit, as a receipt states it. Inf if the space
# does not bound that. `space`: list(relation, columns), where `columns` names people, and rows have
# none. NULL is a space without rows.
distance_of_stated <- function(stated, space) {
  columns <- sort(as.character(unlist(stated$columns)))
  if (is.null(space) || !identical(columns, sort(as.character(space$columns)))) {
    return(Inf)
  }
  replaced <- stated$relation == "replace"
  if (space$relation == "replace") {
    return(if (replaced) stated$count else Inf)
  }
  # Replacing means removing and adding.
  if (replaced) 2 * stated$count else stated$count
}

# Whether the measurement loses at most the receipt's loss for the receipt's unit.
states_what_holds <- function(receipt, one) {
  distance <- distance_of_stated(receipt$unit, one$space)
  is.finite(distance) && identical(receipt$promise, "") &&
    one$loses(distance) <= as.numeric(receipt$loss$epsilon)
}

any_of <- function(...) sample(list(...), 1)[[1]]

metrics_of_walk <- list(
  list(make = symmetric_distance, relation = "add_remove"),
  list(make = insert_delete_distance, relation = "add_remove"),
  list(make = change_one_distance, relation = "replace"),
  list(make = hamming_distance, relation = "replace"),
  # Metrics of a caller, whatever they are called.
  list(make = function() user_distance("SymmetricDistance")),
  list(make = function() user_distance("ChangeOneDistance"))
)

# Sums take the symmetric distance. Some chains make a detour.
to_symmetric <- function(space, metric) {
  if (metric %in% c("InsertDeleteDistance", "HammingDistance")) space <- then_unordered(space)
  if (metric %in% c("ChangeOneDistance", "HammingDistance")) {
    space <- then_metric_unbounded(space)
  } else if (stats::runif(1) < 0.4) {
    space <- then_metric_unbounded(then_metric_bounded(space))
  }
  space
}

walked_measurement <- function() {
  metric <- sample(metrics_of_walk, 1)[[1]]
  rows <- vector_domain(atom_domain(bounds = c(0L, 100L)), size = 100L)
  space <- c(rows, metric$make())
  by_metric <- metric$make()("type")
  noisy <- if (is.null(metric$relation) || stats::runif(1) < 0.2) {
    make_user_measurement(rows, metric$make(), max_divergence(),
      function(arg) sum(arg), function(d_in) 0.25 * d_in
    )
  } else {
    then_laplace(then_sum(to_symmetric(space, by_metric)), scale = any_of(200, 400))
  }
  if (stats::runif(1) < 0.2) noisy <- make_composition(list(noisy, noisy))
  list(
    of = noisy, data = as.integer(walked_rows$age), d_in = any_of(1L, 2L, 3L, 4L, 6L),
    space = if (!is.null(metric$relation)) list(relation = metric$relation),
    loses = function(d_in) noisy(d_in = as.integer(d_in))
  )
}

walked_statistic <- function() {
  age <- list(variable = "age", n = 100, epsilon = any_of(0.125, 0.25))
  statistic <- small(any_of(
    function() do.call(dpMean, c(age, list(rng = c(18, 93)))),
    function() do.call(dpVariance, c(age, list(rng = c(18, 93)))),
    function() do.call(dpHistogram, c(age, list(bins = c(0, 30, 60, 100))))
  )())
  list(
    of = statistic, data = walked_rows, space = list(relation = "replace"),
    loses = function(d_in) statistic$measurement(d_in = as.integer(d_in))
  )
}

walked_units <- function() {
  count <- sample(4, 1)
  any_of(
    dp_unit(rows = count), dp_unit(changes = count), dp_unit(rows = count, relation = "replace"),
    dp_unit(id = id, n = count), dp_unit(id = id, n = count, relation = "replace"),
    dp_unit(id = c(ward, id), n = count), dp_unit(id = c(id, ward), n = count), dp_unit(id = ward)
  )
}

walked_query <- function(session = dp_session(dp_epsilon(1e9)), unit = walked_units(),
                         data = walked_rows) {
  table <- dp_tbl(session, data, unit, dp_domain(age = dp_int(0, 100)))
  if (unit$kind == "id") table <- dp_truncate(table, max_rows = sample(2, 1))
  dplyr::summarise(table, n = dp_count(), most = dp_sum(age))
}

# Queries of a pool, since a new one takes long.
walked_pool <- function() {
  lapply(1:24, function(i) {
    unit <- walked_units()
    session <- dp_session(dp_epsilon(1e9))
    query <- walked_query(session, unit)
    again <- on_table(from_json(to_json(query)), with_tbl_data(query$table, steps = list()))
    is_batch <- i %% 4 == 0
    batch <- if (is_batch) dp_batch(session, a = query, b = again)
    measurement <- as_measurement(batch %||% query, dp_epsilon(0.5))
    # The core's maps of people count people who are added or removed.
    relation <- if (unit$kind == "changes") "replace" else "add_remove"
    list(
      of = batch %||% any_of(query, again), needs_loss = TRUE, loses = function(d_in) {
        measurement(d_in = as.integer(d_in))
      },
      space = list(relation = relation, columns = unit$id)
    )
  })
}

# Releases `one` on a ledger by a random method of the package. The result has a receipt.
walked_release <- function(one, ledger, others) {
  x <- one$of
  reuse <- any_of(NULL, TRUE, FALSE)
  on <- any_of(ledger, ledger, dp_session(ledger = ledger))
  if (isTRUE(one$needs_loss)) {
    return(any_of(
      function() release(x, epsilon = 0.5, on = on, reuse = reuse),
      function() with_ledger(on, release(x, epsilon = 0.5), reuse = reuse),
      function() with_ledger(sample(others, 1)[[1]], release(x, epsilon = 0.5, on = on))
    )())
  }
  if (inherits(x, "measurement")) {
    counted <- charge(x, on, d_in = one$d_in, reuse = reuse)
    counted(one$data)
    return(counted)
  }
  any_of(
    function() release(x, data = one$data, on = on, reuse = reuse),
    function() x$release(one$data, on = on, reuse = reuse),
    function() with_ledger(on, x$release(one$data), reuse = reuse)
  )()
}

walked_ledger <- function(folder, unit) {
  create_ledger(tempfile("l", folder), "survey", unit, dp_epsilon(1e6), version = "1")
}

# Other events of a ledger. Each returns the ledger that is there afterwards.
walked_change <- function(ledger, folder, unit) {
  any_of(
    function() dp_ledger(ledger$where),
    function() dp_allocate(ledger, dp_epsilon(10), tempfile("l", folder)),
    function() {
      name <- paste(sample(letters, 9), collapse = "")
      dp_new_version(ledger, name, ever = any_of(TRUE, FALSE))
    },
    function() suppressMessages(dp_ledger_move(ledger, tempfile("l", folder))),
    function() walked_ledger(folder, unit)
  )()
}

# Walks: counts of receipts, of refusals of the unit, and of receipts that state too much.
walk_over_units <- function(steps, env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  kept <- list(dp_unit(changes = 1), dp_unit(rows = 1), dp_unit(changes = 2), dp_unit(id = id))
  unit_at <- function(at) if (at <= length(kept)) kept[[at]] else walked_units()
  ledgers <- lapply(1:12, function(at) walked_ledger(folder, unit_at(at)))
  pool <- walked_pool()
  found <- c(receipts = 0, refused = 0, false = 0)
  for (step in seq_len(steps)) {
    at <- sample(length(ledgers), 1)
    if (stats::runif(1) < 0.02) {
      changed <- or_else(walked_change(ledgers[[at]], folder, unit_at(at)),
        function(error) ledgers[[at]]
      )
      ledgers[[at]] <- changed
      next
    }
    one <- any_of(walked_measurement, walked_statistic, function() sample(pool, 1)[[1]])()
    receipt <- tryCatch(
      # The walk releases the same plan from many tables.
      suppressWarnings(
        quietly_reused(small(dp_receipt(walked_release(one, ledgers[[at]], ledgers)))),
        classes = "dp_warning_table"
      ),
      dp_error_unit = function(error) "refused", dp_error_budget = function(error) "spent"
    )
    if (identical(receipt, "spent")) {
      ledgers[[at]] <- walked_ledger(folder, unit_at(at))
    } else if (identical(receipt, "refused")) {
      found[["refused"]] <- found[["refused"]] + 1
    } else {
      found[["receipts"]] <- found[["receipts"]] + 1
      found[["false"]] <- found[["false"]] + !states_what_holds(receipt, one)
    }
  }
  found
}
