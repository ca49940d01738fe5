# Each kind of release and each place that keeps a budget, for tests of all combinations.

data_of_kinds <- data.frame(age = rep(c(20, 40), 50), id = rep(1:20, 5))

# Budget places of epsilon 1, as functions of their unit. `server` comes from local_postgres().
places_of_releases <- function(server, env) {
  list(
    session = function(unit) dp_session(dp_epsilon(1)),
    folder = function(unit) local_ledger(unit = unit, env = env),
    postgresql = function(unit) {
      table <- paste0("l", sample.int(1e9, 1))
      create_ledger(dp_postgres(server$connect, table), "survey", unit, dp_epsilon(1),
        version = "2026-03"
      )
    }
  )
}

# Unit of each kind of release, and how it spends `epsilon` on `on`.
kinds_of_releases <- list(
  measurement = list(
    unit = dp_unit(rows = 2), plan = function(epsilon) plan_hash(noisy_count(2 / epsilon)),
    what = "measurement",
    release = function(on, epsilon = 0.25, ...) {
      count <- charge(noisy_count(2 / epsilon), on, d_in = 2L, ...)
      value <- count(data_of_kinds$age)
      list(value = value, of = count)
    }
  ),
  statistic = list(
    unit = dp_unit(changes = 1), plan = function(epsilon) plan_hash(mean_age(epsilon)),
    what = "mean of age",
    release = function(on, epsilon = 0.25, ...) {
      value <- release(mean_age(epsilon), data = data_of_kinds, on = on, ...)
      list(value = value, of = value)
    }
  ),
  query = list(
    unit = dp_unit(rows = 1),
    plan = function(epsilon) plan_hash(query_of_kinds(), dp_epsilon(epsilon)),
    what = "n, age",
    release = function(on, epsilon = 0.25, ...) {
      value <- release(query_of_kinds(), epsilon = epsilon, on = on, ...)
      list(value = value, of = value)
    }
  ),
  batch = list(
    unit = dp_unit(rows = 1),
    plan = function(epsilon) plan_hash(batch_of_kinds(), dp_epsilon(epsilon)),
    what = "batch of 2",
    release = function(on, epsilon = 0.25, ...) {
      value <- small(release(batch_of_kinds(), epsilon = epsilon, on = on, ...))
      list(value = value, of = value)
    }
  )
)

table_of_kinds <- function(session = dp_session(dp_epsilon(9))) {
  dp_tbl(session, data_of_kinds, dp_unit(rows = 1), dp_domain(age = dp_int(0, 100)))
}

query_of_kinds <- function(session = dp_session(dp_epsilon(9))) {
  dplyr::summarise(table_of_kinds(session), n = dp_count(), age = dp_mean(age))
}

batch_of_kinds <- function() {
  session <- dp_session(dp_epsilon(9))
  dp_batch(session, a = query_of_kinds(session), b = query_of_kinds(session), weights = 1:2)
}

# Gives a session a different unit.
query_of_people <- function(session) {
  table <- dp_tbl(session, data_of_kinds, dp_unit(id = id), dp_domain(age = dp_int(0, 100)))
  dplyr::summarise(dp_truncate(table, max_rows = 1), n = dp_count())
}
