options(opendp_features = c("contrib", "honest-but-curious"))

test_that("statistics and measurements are charged to a session, and count with its queries", {
  session <- dp_session(dp_epsilon(1))
  mean <- mean_age()
  result <- release(mean, data = hundred, on = session)
  expect_s3_class(result, "dp_result")
  expect_identical(mean$result, result)
  expect_identical(spent_in(session), 0.25)
  mean$release(hundred, on = session)
  expect_identical(spent_in(session), 0.5)
  two <- release(noisy_count(8), data = hundred$age, d_in = 2L, on = dp_session(dp_epsilon(1)))
  expect_type(two, "integer")
  expect_identical(dp_history(session)$plan, rep(plan_hash(mean), 2))
})

test_that("losses that are binary fractions fill a session exactly", {
  session <- dp_session(dp_epsilon(1))
  for (i in 1:8) release(mean_age(0.125), data = hundred, on = session)
  expect_error(release(mean_age(0.125), data = hundred, on = session), class = "dp_error_budget")
  expect_identical(spent_in(session), 1)
})

test_that("a session in rho takes a pure loss as half of its square, rounded up", {
  session <- dp_session(dp_zcdp(1))
  release(mean_age(0.5), data = hundred, on = session)
  loss <- mean_age(0.5)$measurement(d_in = 1L)
  expect_gte(spent_in(session), loss^2 / 2)
  expect_equal(spent_in(session), loss^2 / 2, tolerance = 1e-12)
  expect_error(
    release(noisy_count_in_rho(), data = 1, d_in = 1L, on = dp_session(dp_epsilon(1))),
    "counts in epsilon", class = "dp_error_budget"
  )
})

# The loss of each kind, by its map, and its charge. A `scale` leaves some of the requested loss.
count_with <- function(table, scale) dplyr::summarise(table, n = dp_count(scale = scale))
batch_with <- function(table, scales, ...) {
  queries <- lapply(scales, function(scale) count_with(table, scale))
  dp_batch(session_of(queries[[1]]), a = queries[[1]], b = queries[[2]], ...)
}
losses_of_kinds <- list(
  statistic = list(unit = dp_unit(changes = 1), map = 0.25, release = function(on, table) {
    release(mean_age(), data = hundred, on = on)
  }),
  measurement = list(unit = dp_unit(rows = 2), map = 0.25, release = function(on, table) {
    release(noisy_count(8), data = 1, d_in = 2L, on = on)
  }),
  query = list(map = 0.01, release = function(on, table) {
    release(count_with(table, 100), epsilon = 0.5)
  }),
  `query without private keys` = list(map = 0.5, release = function(on, table) {
    release(count_with(table, NULL), epsilon = 0.5, delta = 1e-6)
  }),
  batch = list(map = 0.015, release = function(on, table) {
    release(batch_with(table, c(100, 200)), epsilon = 0.5, delta = 1e-6)
  }),
  `batch that is filled` = list(map = 0.5, release = function(on, table) {
    release(batch_with(table, list(NULL, NULL), weights = c(1, 2)), epsilon = 0.5)
  })
)

for (kind in names(losses_of_kinds)) {
  test_that(paste("a", kind, "costs its map, on a ledger and in a session"), {
    loss <- losses_of_kinds[[kind]]
    unit <- loss$unit %||% dp_unit(rows = 1)
    ledger <- create_ledger(file.path(withr::local_tempdir(), "l"), "s", unit,
      dp_epsilon(1, 1e-3), version = "1"
    )
    for (session in list(dp_session(ledger = ledger), dp_session(dp_epsilon(1, 1e-3)))) {
      table <- dp_tbl(session, hundred, unit, dp_domain(age = dp_int(0, 100)))
      small(loss$release(session, table))
      spent <- dp_spent(session)
      expect_gte(spent[["epsilon"]], loss$map)
      expect_equal(spent[["epsilon"]], loss$map, tolerance = 1e-12)
      expect_identical(spent[["delta"]], 0)
      expect_identical(dp_history(session)$epsilon, spent[["epsilon"]])
    }
  })
}

test_that("mistakes in the data are refused before the charge, and read no cell", {
  count <- function(data, on) release(noisy_count(8), data = data, d_in = 2L, on = on)
  groups <- function(data, on) {
    release(on = on, data = data, dpMeanDifference(
      variable = "age", group = "g", groups = c("a", "b"), groupSizes = c(50, 50), rng = c(0, 99),
      varType = "numeric", epsilon = 0.25
    ))
  }
  mean <- function(data, on) release(mean_age(), data = data, on = on)
  grouped <- transform(hundred, g = rep(c("a", "b"), 50))
  mistakes <- list(
    list(mean, hundred["other"[0]]), list(mean, data.frame(other = 1:100)), list(mean, 1:100),
    list(mean, hundred[1:99, , drop = FALSE]), list(mean, transform(hundred, age = "20")),
    list(mean, transform(hundred, age = factor(age))), list(mean, stats::setNames(
      data.frame(1:100, 1:100), c("age", "age")
    )),
    list(mean, structure(grouped, class = c("grouped_df", "data.frame"))),
    list(groups, hundred), list(groups, grouped[1:60, ]),
    list(groups, transform(grouped, g = I(g))),
    list(count, letters), list(count, hundred), list(count, factor(1:3)), list(count, mean)
  )
  release_all <- function(on) {
    for (mistake in mistakes) {
      expect_error(mistake[[1]](mistake[[2]], on), class = "dp_error")
      expect_identical(spent_in(on), 0)
      expect_identical(nrow(dp_history(on)), 0L)
    }
    expect_error(mean(no_such_object, on), "no_such_object")
    expect_identical(nrow(dp_history(on)), 0L)
  }
  release_all(local_ledger())
  release_all(dp_session(dp_epsilon(1)))
  # Only cells of rows that are there were looked at, so a release still costs.
  session <- dp_session(dp_epsilon(1))
  groups(grouped, session)
  expect_error(groups(transform(grouped, g = "a"), session), class = "dp_error_rows")
  expect_identical(nrow(dp_history(session)), 2L)
})

test_that("`on` wins over with_ledger(), which wins over the session of a table", {
  ledger <- local_ledger()
  session <- dp_session(dp_epsilon(1))
  table <- dp_tbl(session, hundred, dp_unit(changes = 1), dp_domain(age = dp_int(0, 100)))
  query <- dplyr::summarise(table, age = dp_sum(age))
  other <- dp_session(dp_epsilon(1))
  with_ledger(ledger, {
    release(query, epsilon = 0.25)
    release(query, epsilon = 0.25, on = other)
    mean_age()$release(hundred, on = other)
  })
  expect_identical(c(spent_in(ledger), spent_in(session), spent_in(other)), c(0.25, 0, 0.5))
  with_ledger(session, mean_age()$release(hundred))
  expect_identical(spent_in(session), 0.25)
  # A query in another place has the measure of that place.
  expect_error(release(query, rho = 1, on = other), class = "dp_error_budget")
  expect_error(release(query, epsilon = 0.1, on = 1), class = "dp_error_invalid_argument")
})

test_that("what knows its loss refuses `epsilon`, and what needs it says so", {
  session <- dp_session(dp_epsilon(1))
  expect_error(
    release(mean_age(), data = hundred, epsilon = 1), class = "dp_error_invalid_argument"
  )
  expect_error(mean_age()$release(hundred, epsilon = 1), class = "dp_error_invalid_argument")
  expect_error(
    release(noisy_count(), data = 1, d_in = 1L, epsilon = 1), class = "dp_error_invalid_argument"
  )
  expect_error(release(noisy_count(), data = 1, on = session), "distance of neighbouring",
    class = "dp_error_invalid_argument"
  )
  expect_error(mean_age()$release(hundred, reuse = TRUE), "without `on`",
    class = "dp_error_invalid_argument"
  )
  expect_error(release(mean_age(), data = hundred, on = session, version = "1"),
    class = "dp_error_unsupported"
  )
  expect_identical(spent_in(session), 0)
})

test_that("a release without `on` is not counted", {
  expect_type(release(noisy_count(), data = c(1, 2)), "integer")
  expect_null(attr(release(mean_age(), data = hundred), "receipt"))
})

test_that("an allocated session keeps the unit of its ledger, whatever it releases", {
  ledger <- dp_session(ledger = local_ledger())
  child <- dp_allocate(ledger, dp_epsilon(0.5))
  release(noisy_count(8), data = 1, d_in = 2L, on = child)
  expect_identical(dp_history(child)$unit, "1 replaced row")
  release(mean_age(), data = hundred, on = child)
  expect_identical(dp_history(ledger)$unit, "1 replaced row")
})

rows_of_batch <- data.frame(age = rep(c(20, 40), 50), ward = rep(c("A", "B"), 50))

test_that("a batch on a ledger costs once, and has one receipt of all its queries", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  batch <- function() {
    session <- dp_session(ledger = ledger)
    table <- dp_tbl(session, rows_of_batch, dp_unit(rows = 1),
      dp_domain(age = dp_int(0, 100), ward = dp_levels("A", "B"))
    )
    dp_batch(session, wards = dplyr::count(table, ward),
      ages = dplyr::summarise(table, age = dp_mean(age)), weights = c(1, 3)
    )
  }
  first <- release(batch(), epsilon = 0.5)
  expect_identical(spent_in(ledger), 0.5)
  expect_message(again <- release(batch(), epsilon = 0.5), "Stored release of record 2")
  expect_identical(spent_in(ledger), 0.5)
  expect_identical(again$wards$n, first$wards$n)
  expect_identical(again$ages$age, first$ages$age)
  receipt <- dp_receipt(again)
  expect_identical(receipt$plan_hash, plan_hash(batch(), dp_epsilon(0.5)))
  members <- unique(vapply(receipt$events, `[[`, "", "member"))
  expect_identical(members, c("wards", "ages"))
  expect_output(print(receipt), "member     wards")
  checks <- verify_release(receipt, ledger, value = again)
  expect_identical(unique(checks$result[checks$check != "signature"]), "passed")
  cheaper <- receipt
  cheaper$loss$epsilon <- cheaper$map$d_out$epsilon <- "0.49"
  checks <- verify_release(structure(cheaper, class = "dp_receipt"), ledger)
  expect_identical(checks$result[checks$check %in% c("loss", "record")], c("failed", "failed"))
})

test_that("a batch is previewed, and is a measurement, without data", {
  session <- dp_session(dp_epsilon(1))
  table <- people_to_plan(session)
  query <- dplyr::count(table, region)
  batch <- dp_batch(session, a = query, b = query)
  preview <- dp_preview(batch, epsilon = 1)
  expect_identical(preview$query, c("a", "b"))
  expect_identical(preview$scale, rep(dp_preview(query, epsilon = 0.5)$scale, 2))
  m <- as_measurement(batch, dp_epsilon(1))
  expect_equal(m(d_in = 1L), 1, tolerance = 1e-9)
  expect_false(plan_hash(batch, dp_epsilon(1)) == plan_hash(batch, dp_epsilon(0.9)))
  expect_identical(plan_hash(query, dp_epsilon(1)), hash_of_query(query, dp_epsilon(1), 0.05))
  mean <- mean_age()
  expect_identical(as_measurement(mean), mean$measurement)
  expect_identical(as_measurement(mean$measurement), mean$measurement)
})

test_that("the function of a measurement is refused within with_ledger(), as the measurement", {
  fun <- noisy_count()("function")
  expect_error(with_ledger(local_ledger(), fun(arg = c(1, 2))), "must be charged",
    class = "dp_error_ledger"
  )
})

test_that("releases within the code of the data are charged as well", {
  inner <- mean_age(0.1)
  outer <- mean_age(0.4)
  clipped <- function(rows) {
    top <- inner$release(rows)$release
    transform(rows, age = pmin(age, ceiling(top)))
  }
  ways <- list(
    function() outer$release(clipped(data_of_kinds)),
    function() release(outer, data = clipped(data_of_kinds)),
    function() {
      release(outer, data = {
        inner$release(data_of_kinds)
        data_of_kinds
      })
    }
  )
  for (release_it in ways) {
    for (place in list(local_ledger(unit = dp_unit(changes = 1)), dp_session(dp_epsilon(1)))) {
      with_ledger(place, release_it())
      expect_equal(dp_spent(place)[["epsilon"]], 0.5, tolerance = 1e-9)
      expect_identical(nrow(dp_history(place)), 2L)
    }
  }
})

test_that("the measurement of a query cannot be charged, whose unit its metric does not say", {
  local_verbs()
  session <- dp_session(dp_epsilon(9))
  table <- dp_tbl(session, data_of_kinds, dp_unit(id = id), dp_domain(age = dp_int(0, 100)))
  query <- summarise(dp_truncate(table, max_rows = 2), n = dp_count())
  batch <- dp_batch(session, a = query, b = query)
  for (x in list(as_measurement(query, dp_epsilon(1)), as_measurement(batch, dp_epsilon(1)))) {
    for (place in list(dp_session(dp_epsilon(9)), local_ledger(unit = dp_unit(rows = 1)))) {
      expect_error(release(x, data = data_of_kinds, d_in = 1L, on = place), "a query itself",
        class = "dp_error_invalid_argument"
      )
      expect_identical(nrow(dp_history(place)), 0L)
    }
  }
})

test_that("a metric of the caller counts no rows, whatever its name", {
  named <- user_distance("SymmetricDistance()")
  step <- make_user_transformation(
    vector_domain(atom_domain(.T = "f64")), named, vector_domain(atom_domain(.T = "f64")),
    symmetric_distance(), function(x) x, function(d_in) d_in
  )
  noisy <- step |> then_count() |> then_laplace(scale = 10)
  expect_null(measured_unit(noisy, 1L))
  expect_identical(measured_unit(noisy_count(), 1L), dp_unit(rows = 1L))
})

test_that("a public number of rows is compared before the charge", {
  enable_features("contrib")
  sized <- c(
    vector_domain(atom_domain(bounds = c(0L, 10L)), size = 100L), symmetric_distance()
  ) |>
    then_sum() |>
    then_laplace(scale = 80)
  ledger <- local_ledger(unit = dp_unit(rows = 2))
  session <- dp_session(dp_epsilon(1))
  for (on in list(ledger, session)) {
    spend <- charge(sized, on, d_in = 2L)
    for (size in c(0, 99, 101)) {
      error <- expect_error(spend(rep(1L, size)), class = "dp_error_failed_function")
      expect_no_match(conditionMessage(error), "99|100|101")
      expect_error(release(sized, data = rep(1L, size), on = on, d_in = 2L),
        class = "dp_error_failed_function"
      )
    }
    expect_identical(spent_in(on), 0)
    expect_type(spend(rep(1L, 100)), "integer")
    expect_gt(spent_in(on), 0)
  }
})

test_that("errors name release(), or the method if it was called", {
  mean <- mean_age()
  session <- dp_session(dp_epsilon(1))
  call_of <- function(code) conditionCall(tryCatch(code, error = identity))
  expect_identical(call_of(release(mean, data = hundred, on = 1)), quote(release()))
  expect_identical(call_of(release(mean, data = hundred, on = session, reuse = 3)),
    quote(release())
  )
  expect_identical(call_of(mean$release(hundred, on = 1)), quote(mean$release()))
  expect_error(release(mean_age(2), data = hundred, on = session), class = "dp_error_budget")
  expect_identical(call_of(release(mean_age(2), data = hundred, on = session)), quote(release()))
})

test_that("a failing witness is named, with the spent budget", {
  ledger <- local_ledger()
  broken <- dp_ledger(ledger$where, witness = function(head) stop("the disk is full."))
  error <- expect_error(release(mean_age(), data = hundred, on = broken), class = "dp_error_ledger")
  expect_match(conditionMessage(error), "The witness did not take the new head: the disk is full.",
    fixed = TRUE
  )
  expect_match(conditionMessage(error), "The charge stays", fixed = TRUE)
  expect_identical(spent_in(ledger), 0.25)
  # No noise was drawn, so the next release goes on under the same charge.
  expect_type(release(mean_age(), data = hundred, on = ledger)$release, "double")
  expect_identical(spent_in(ledger), 0.25)
})

test_that("with_ledger() holds in forks, and not on other workers", {
  skip_on_os("windows")
  ledger <- local_ledger()
  in_fork <- with_ledger(ledger, parallel::mccollect(parallel::mcparallel(
    tryCatch(mean_age()$release(hundred)$release, error = conditionMessage)
  ))[[1]])
  expect_type(in_fork, "double")
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.25)

  cluster <- parallel::makePSOCKcluster(1)
  withr::defer(parallel::stopCluster(cluster))
  parallel::clusterCall(cluster, function(paths) .libPaths(paths), .libPaths())
  on_worker <- function(where, plan, data, charged) {
    mean <- PSIlence::from_json(plan)
    if (charged) {
      mean$release(data, on = PSIlence::dp_ledger(where))$release
    } else {
      mean$release(data)$release
    }
  }
  environment(on_worker) <- globalenv()
  plan <- to_json(mean_age(0.125))
  run <- function(charged) {
    with_ledger(ledger, parallel::clusterCall(cluster, on_worker, ledger$where, plan, hundred,
      charged
    )[[1]])
  }
  run(charged = FALSE)
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.25)
  run(charged = TRUE)
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.375)
})
