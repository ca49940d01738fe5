# T-REUSE: queries with the same meaning are one plan, stored and charged once.

hash <- function(query, loss = dp_epsilon(0.1)) hash_of_query(query, loss, 0.05)

counted <- function(...) dplyr::count(dplyr::filter(people_to_plan(), ...), region)

summed <- function(total) dplyr::summarise(people_to_plan(), total = {{ total }})

test_that("the hash of a query depends on its meaning", {
  local_verbs()
  table <- people_to_plan()
  one <- table |> group_by(region, age) |> summarise(n = dp_count(), a = dp_mean(age))
  same <- list(
    table |> summarise(a = dp_mean(age), n = dp_count(), .by = c(age, region)),
    table |> relocate(name) |> group_by(age, region) |> summarise(n = dp_count(), a = dp_mean(age))
  )
  for (other in same) expect_identical(hash(other), hash(one))
  different <- list(
    table |> group_by(region) |> summarise(n = dp_count(), a = dp_mean(age)),
    table |> group_by(region, age) |> summarise(n = dp_count(), a = dp_mean(age, share = 2)),
    table |> filter(age > 1) |> group_by(region, age) |>
      summarise(n = dp_count(), a = dp_mean(age)),
    people_to_plan(dp_session(dp_epsilon(1)), more = dp_int()) |>
      group_by(region, age) |> summarise(n = dp_count(), a = dp_mean(age))
  )
  hashes <- vapply(different, hash, "")
  expect_identical(anyDuplicated(c(hashes, hash(one), hash(one, dp_epsilon(0.2)))), 0L)
  expect_match(hash(one), "^[0-9a-f]{64}$")
})

# Ledgers find stored releases by these hashes.
test_that("the hash of each example has not changed", {
  local_verbs()
  table <- people_to_plan()
  queries <- list(
    count = table |> summarise(n = dp_count()),
    groups = table |> group_by(region) |> summarise(n = dp_count(), a = dp_mean(age)),
    filtered = counted(age > 18, region == "North"),
    suppressed = table |> group_by(region) |> summarise(n = dp_count()) |>
      dp_keys("declared", suppress = 10),
    computed = table |> mutate(b = pmin(age, 50) + 1) |> summarise(s = dp_sum(b, c(0, 51))),
    sharded = dp_tbl(dp_session(dp_epsilon(1)), dp_shards(NULL, NULL, split_by_id = FALSE),
      dp_unit(id = person), dp_domain(age = dp_int(0, 120))
    ) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count())
  )
  # Of the second rules and later.
  newer <- list(
    weighted = people_to_plan(w = dp_num(0, 5)) |>
      summarise(n = dp_count(weights = w), m = dp_mean(age, weights = w)),
    capped = dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(id = person),
      dp_domain(age = dp_int(0, 120))
    ) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_n_capped(), m = dp_n_dropped(up_to = 5))
  )
  golden <- read_fixture("plan_hashes.csv")
  hash_under <- function(query, rules) {
    planned <- planned_query(query, dp_epsilon(0.1), 0.05)
    planned$query$rules <- rules
    plan_hash(planned)
  }
  # Queries of the first rules do not have the field.
  found <- c(
    vapply(queries, hash_under, "", rules = NULL),
    vapply(c(queries, newer), hash_under, "", rules = 2)
  )
  rows <- golden[startsWith(golden$example, "query "), ]
  expect_identical(
    c(paste("query", names(queries)), paste("query", names(c(queries, newer)), "under rules 2")),
    rows$example
  )
  expect_identical(unname(found), rows$hash)
  expect_identical(vapply(c(queries, newer), hash, ""), found[-seq_along(queries)])
})

test_that("an omitted field is not in a query's bytes, however it is written", {
  form <- list(by = "a", keys = list(kind = "declared", table = NULL), steps = list(NULL, 1))
  later <- form
  later["added"] <- list(NULL)
  later$keys["added"] <- list(NULL)
  expect_identical(given_fields(later), given_fields(form))
  expect_identical(
    given_fields(form), list(by = "a", keys = list(kind = "declared"), steps = list(NULL, 1))
  )
  table <- data.frame(x = 1)
  expect_identical(given_fields(list(table = table)), list(table = table))
})

test_that("T_REUSE conditions with the same meaning have one hash", {
  alike <- list(
    list(counted(age > 18), counted(age > 18L), counted(18 < age), counted(18L < age)),
    list(counted(age <= 60), counted(60 >= age)),
    list(
      counted(age > 18, region == "North"), counted(region == "North" & age > 18),
      counted("North" == region, age > 18, age > 18L)
    ),
    list(counted(age %in% c(3, 1, 2)), counted(age %in% 1:3), counted(age %in% c(1, 2, 3, 3))),
    list(counted(between(age, 1, 9)), counted(between(right = 9L, left = 1L, x = age))),
    list(counted(age + 1 > 5), counted(1L + age > 5L))
  )
  hashes <- lapply(alike, function(queries) unique(vapply(queries, hash, "")))
  expect_identical(lengths(hashes), rep(1L, length(alike)))
  expect_identical(anyDuplicated(unlist(hashes)), 0L)
})

test_that("T_REUSE different queries have different hashes", {
  queries <- list(
    counted(age > 18), counted(age >= 18), counted(age < 18), counted(age > 18.5),
    counted(age - 40L > 18), counted(40L - age > 18), counted(age %in% 18), counted(name == "18"),
    counted(age > 18 | region == "North"), counted(!(age > 18)),
    summed(dp_sum(age)), summed(dp_sum(age, bounds = c(0, 5))),
    summed(dp_sum(age, bounds = c(0, 6))), summed(dp_sum(pmin(age, 4L), bounds = c(0, 5))),
    summed(dp_sum(pmax(age, 1L), bounds = c(0, 5))),
    summed(dp_sum(pmin(age, 5.5), bounds = c(0, 5)))
  )
  expect_identical(anyDuplicated(vapply(queries, hash, "")), 0L)
})

test_that("T_REUSE a clamp at or outside the bounds is recorded once", {
  once <- hash(summed(dp_sum(age, bounds = c(0, 5))))
  for (query in list(
    summed(dp_sum(pmin(age, 5), bounds = c(0, 5))), summed(dp_sum(pmin(7L, age), bounds = c(0, 5))),
    summed(dp_sum(pmax(pmin(age, 5), 0), bounds = c(0, 5))),
    summed(dp_sum(pmax(-1L, age), bounds = c(0, 5)))
  )) {
    expect_identical(hash(query), once)
  }
  # A missing value counts as the middle, but drops out of computed columns.
  filled <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    dp_domain(x = dp_int(0, 9, missing = "midpoint"))
  )
  expect_false(identical(
    hash(dplyr::summarise(filled, total = dp_sum(x, bounds = c(0, 5)))),
    hash(dplyr::summarise(filled, total = dp_sum(pmin(x, 5L), bounds = c(0, 5))))
  ))
})

test_that("T_REUSE a canonical query is its own canonical form, with the same loss", {
  table <- people_to_plan()
  query <- table |>
    dplyr::filter(age > 18, 3L < age) |>
    dplyr::group_by(region) |>
    dplyr::summarise(z = dp_mean(pmin(age, 90), bounds = c(0, 90)), n = dp_count())
  form <- canonical_query(form_of_query(query))
  expect_identical(canonical_query(form), form)
  compiled <- core_query_compile(form, list(epsilon = 1), 0.05)
  plain <- core_query_compile(form_of_query(query), list(epsilon = 1), 0.05)
  expect_identical(compiled$loss, plain$loss)
  expect_setequal(compiled$preview$scale, plain$preview$scale)
})

stays_on_file <- function() {
  folder <- withr::local_tempdir(.local_envir = parent.frame())
  ledger <- suppressMessages(dp_ledger_create(
    file.path(folder, "stays.ledger"), "stays", dp_unit(id = patient), dp_zcdp(1e4), "1"
  ))
  data <- data.frame(
    patient = rep(1:90, each = 2), ward = rep(c("B", "A", "B"), 60), urgent = rep(1:2, 90) == 1,
    cost = rep(c(10, 20), 90)
  )
  dp_tbl(dp_session(ledger = ledger), data, dp_unit(id = patient), dp_domain(
    ward = dp_levels("B", "A"), urgent = dp_flag(), cost = dp_num(0, 100)
  )) |> dp_truncate(max_rows = 2)
}

test_that("D_QRY_4 T_REUSE a stored release has the order of the query that asks for it", {
  local_verbs()
  stays <- stays_on_file()
  first <- stays |>
    group_by(ward, urgent) |>
    summarise(n = dp_count(), cost = dp_mean(cost), q = dp_quantile(cost, at = 0:100)) |>
    release(rho = 100)
  again <- suppressMessages(stays |>
    summarise(q = dp_quantile(cost, at = 0:100), cost = dp_mean(cost), n = dp_count(),
      .by = c(urgent, ward)) |>
    release(rho = 100))
  expect_false(is.null(attr(again, "reused")))
  expect_identical(names(again), c("urgent", "ward", "q", "cost", "n"))
  expect_identical(again$urgent, c(FALSE, FALSE, TRUE, TRUE))
  expect_identical(again$ward, c("B", "A", "B", "A"))
  place <- match(paste(again$ward, again$urgent), paste(first$ward, first$urgent))
  for (column in c("n", "cost", "q")) expect_identical(again[[column]], first[[column]][place])
  tidy <- generics::tidy(again)
  expect_identical(tidy$estimate[tidy$term == "n"], again$n)
  file <- write_receipt(first, withr::local_tempfile())
  for (value in list(first, again, as.data.frame(again))) {
    checks <- verify_release(file, value = value)
    expect_identical(checks$result[checks$check == "release"], "passed")
  }
  again$n <- rev(again$n)
  checks <- verify_release(file, value = again)
  expect_identical(checks$result[checks$check == "release"], "failed")
})

test_that("T_REUSE groups of a key table keep its order, even from a stored release", {
  local_verbs()
  stays <- stays_on_file()
  keys <- data.frame(ward = c("A", "B", "A"), urgent = c(TRUE, FALSE, FALSE))
  first <- stays |> summarise(n = dp_count(), .by = c(ward, urgent)) |> dp_keys(keys) |>
    release(rho = 100)
  again <- suppressMessages(
    stays |> summarise(n = dp_count(), .by = c(urgent, ward)) |> dp_keys(keys) |>
      release(rho = 100)
  )
  expect_false(is.null(attr(again, "reused")))
  expect_identical(again$ward, keys$ward)
  expect_identical(again$n, first$n)
})
