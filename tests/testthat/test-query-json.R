# Queries as JSON: a written text reads back as the same query, and any other text is rejected.

hash_of <- function(query) hash_of_query(query, dp_epsilon(0.1), 0.05)

# A table with a column of each type, of people with several rows.
visits <- function(..., session = dp_session(dp_epsilon(1, delta = 1e-6))) {
  dp_tbl(session, NULL, dp_unit(id = person), dp_domain(
    age = dp_int(0, 120, na = c(998, 999)), cost = dp_num(0, 100, missing = "midpoint"),
    day = dp_date("2026-01-01", "2026-12-31", tz = "UTC"),
    ward = dp_levels("A", "B", missing = NA), code = dp_levels(1, 2, 3, missing = 2),
    free = dp_text(na = "none"), old = dp_flag(missing = TRUE), ...
  )) |>
    dp_truncate(max_rows = 3)
}

bare <- function(query) {
  with_tbl_data(query$table, steps = list(), groups = character(), keys = NULL)
}

# The text, the hash and what prints survive the trip.
expect_same_query <- function(query) {
  text <- to_json(query)
  read <- from_json(text)
  bound <- on_table(read, bare(query), promises = TRUE)
  expect_identical(to_json(read), text)
  expect_identical(to_json(bound), text)
  expect_identical(hash_of(bound), hash_of(query))
  expect_identical(format(bound), format(query))
  expect_s3_class(read, "dp_written_query")
}

test_that("every aggregate is written and read", {
  local_verbs()
  calls <- list(
    dp_count = quote(dp_count(weights = cost)), dp_n_ids = quote(dp_n_ids(accuracy = 10L)),
    dp_n_missing = quote(dp_n_missing(age)), dp_n_distinct = quote(dp_n_distinct(age, scale = 5)),
    dp_sum = quote(dp_sum(age, bounds = c(0L, 90L), weights = cost)),
    dp_mean = quote(dp_mean(cost, share = 2L, weights = age)), dp_var = quote(dp_var(cost)),
    dp_sd = quote(dp_sd(age, share = 5L)),
    dp_quantile = quote(dp_quantile(age, c(0.25, 0.5), at = 0:100, method = "tree")),
    dp_median = quote(dp_median(day)), dp_histogram = quote(dp_histogram(cost, c(0, 10, 99.5))),
    dp_n_capped = quote(dp_n_capped()), dp_n_dropped = quote(dp_n_dropped(up_to = 9)),
    dp_moment = quote(dp_moment(as.integer(code), old, scale = 5))
  )
  # A new aggregate needs a call here, and keys in the core.
  expect_setequal(names(calls), names(aggregate_kinds))
  expect_setequal(core_query_json_words()$aggregates,
    c(unique(aggregate_kinds), hidden_kinds, names(row_models))
  )
  for (name in names(calls)) {
    expect_same_query(summarise(visits(), x = !!calls[[name]]))
    expect_same_query(summarise(group_by(visits(), ward, old), x = !!calls[[name]]))
  }
})

test_that("every step is written and read", {
  local_verbs()
  table <- visits()
  public <- data.frame(
    code = c(1, 2, NA), name = c("x", NA, "\u00e4 \"q\"\\"), big = c(0.1, Inf, NA),
    when = as.Date(c("2026-02-01", NA, "2026-03-01")), is = c(TRUE, NA, FALSE), few = c(1L, NA, 3L)
  )
  steps <- list(
    filter = filter(table, age > 18, is.na(ward) | ward == "A"),
    mutate = mutate(table, years = age %/% 10),
    select = select(table, years = age, cost),
    join = left_join(table, public, by = c(age = "code"), na_matches = "never"),
    per_unit = dp_per_unit(visits(), n = n(), most = max(age), .by = ward),
    truncate = dp_truncate(table, max_rows = 2, keep = "last", order = day),
    margin = dp_margin(table, ward, keys = TRUE, max_groups = 2)
  )
  expect_setequal(names(steps), core_query_json_words()$steps)
  for (step in steps) expect_same_query(summarise(step, n = dp_count()))
  empty <- public[0, c("code", "name")]
  expect_same_query(summarise(semi_join(table, empty, by = c(age = "code")), n = dp_count()))
})

test_that("every kind of keys is written and read", {
  local_verbs()
  by <- function(keys, ...) {
    visits() |> group_by(ward) |> summarise(n = dp_count(), m = n / 2 + 1) |> dp_keys(keys, ...)
  }
  expect_same_query(by(data.frame(ward = c("A", "B"))))
  expect_same_query(by("declared", suppress = 5))
  expect_same_query(by("threshold", share = 2))
  expect_same_query(by("select"))
  expect_setequal(
    c("declared", "table", "threshold", "select"),
    c(by("declared")$keys$kind, by("threshold")$keys$kind, by("select")$keys$kind, "table")
  )
})

test_that("every function of expressions is written and read", {
  local_verbs()
  calls <- list(
    "!" = quote(!old), is.na = quote(is.na(ward)), abs = quote(abs(age)), year = quote(year(day)),
    month = quote(month(day)), day = quote(day(day)), mday = quote(mday(day)),
    yday = quote(yday(day)), quarter = quote(quarter(day)), week = quote(week(day)),
    isoweek = quote(isoweek(day)), isoyear = quote(isoyear(day)), wday = quote(wday(day)),
    floor_date = quote(floor_date(day, "month")),
    difftime = quote(difftime(day, day, units = "days")),
    as.integer = quote(as.integer(age)), as.numeric = quote(as.numeric(age)),
    as.double = quote(as.double(age)), floor = quote(floor(cost)), ceiling = quote(ceiling(cost)),
    trunc = quote(trunc(cost)), round = quote(round(cost, 1)), sqrt = quote(sqrt(cost)),
    exp = quote(exp(cost / 100)), log = quote(log(cost + 1)), log1p = quote(log1p(cost)),
    log2 = quote(log2(cost + 1)), log10 = quote(log10(cost + 1)), tolower = quote(tolower(ward)),
    toupper = quote(toupper(ward)), trimws = quote(trimws(ward)),
    substr = quote(substr(ward, 1, 1)), substring = quote(substring(ward, 1)),
    coalesce = quote(coalesce(age, 3)), pmin = quote(pmin(age, 3)), pmax = quote(pmax(age, 3L)),
    "%in%" = quote(age %in% c(3, NA, 5)), between = quote(between(age, 3, 5)),
    if_else = quote(if_else(age > 3, 1, NA)), ifelse = quote(ifelse(age > 3, 1, 2)),
    case_when = quote(case_when(age > 3 ~ "a", TRUE ~ NA)),
    case_match = quote(case_match(ward, "A" ~ 1, .default = 2)), na_if = quote(na_if(age, 3)),
    replace_na = quote(replace_na(age, 3)), replace = quote(replace(age, age > 3, NA)),
    cut = quote(cut(age, c(0, 10, 120)))
  )
  binary <- c("==", "!=", "<", "<=", ">", ">=", "*", "/", "%/%", "%%", "+", "-")
  calls[binary] <- lapply(binary, function(op) call(op, quote(age), 2))
  calls[c("&", "|")] <- lapply(c("&", "|"), function(op) call(op, quote(old), TRUE))
  expect_identical(setdiff(names(readers), names(calls)), character())
  for (name in names(calls)) {
    expect_same_query(summarise(mutate(visits(), x = !!calls[[name]]), n = dp_count()))
  }
})

test_that("literals keep their type to the last bit", {
  local_verbs()
  values <- list(TRUE, NA, 3L, 3, -0.1, 1e300, 5e-324, 2^53 + 2, "a\"\\\n\u00e9\U1f600", Inf,
    as.Date("2026-05-01"), NA_real_, NA_integer_, NA_character_
  )
  for (value in values) {
    query <- or_else(
      summarise(mutate(visits(), x = if_else(old, !!value, !!value)), n = dp_count()),
      function(error) NULL
    )
    if (!is.null(query)) expect_same_query(query)
  }
  literals <- from_json(to_json(summarise(filter(visits(), age > 3L, cost > 3), n = dp_count())))
  values <- lapply(literals$query$steps[-1], function(step) step$predicate$args[[2]]$value)
  expect_identical(values, list(3L, 3))
})

test_that("the text has neither columns nor bounds nor unit", {
  local_verbs()
  text <- to_json(summarise(visits(), n = dp_count()))
  for (word in c("person", "midpoint", "120", "999", "unit", "columns", "source")) {
    expect_false(grepl(word, text, fixed = TRUE), info = word)
  }
  expect_identical(to_json(from_json(to_json(from_json(text), pretty = TRUE))), text)
})

test_that("promises about the data are taken only if the data holder says so", {
  local_verbs()
  table <- people_to_plan()
  query <- dp_margin(table, by = region, keys = TRUE, lengths = TRUE) |>
    group_by(region) |>
    summarise(n = dp_count())
  read <- from_json(to_json(query))
  expect_error(on_table(read, table), "promises", class = "dp_error_unsupported")
  expect_error(on_table(query, table), "promises", class = "dp_error_unsupported")
  bound <- on_table(read, table, promises = TRUE)
  expect_identical(to_json(bound), to_json(query))
  expect_error(release(read, epsilon = 1), "on_table()", fixed = TRUE, class = "dp_error")
})

test_that("a table with another declaration or unit is refused", {
  local_verbs()
  table <- people_to_plan()
  read <- from_json(to_json(summarise(group_by(table, region), n = dp_count())))
  expect_s3_class(on_table(read, table), "dp_query")
  others <- list(
    people_to_plan(more = dp_int()),
    dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 2), tbl_data(table)$domain),
    dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(id = name), tbl_data(table)$domain)
  )
  for (other in others) expect_error(on_table(read, other), class = "dp_error_domain")
  expect_error(on_table(read, filter(table, age > 3)), "verbs", class = "dp_error_invalid_argument")
  expect_error(on_table(1, table), class = "dp_error_invalid_argument")
  expect_error(on_table(read, 1), class = "dp_error_invalid_argument")
  older <- read
  older$query$rules <- 1
  expect_error(on_table(older, table), class = "dp_error_unsupported")
  private <- from_json(to_json(visits() |> group_by(ward) |> summarise(n = dp_count()) |>
    dp_keys("threshold")))
  without <- visits(session = dp_session(dp_epsilon(1)))
  bare <- with_tbl_data(without, steps = list())
  expect_error(on_table(private, bare), class = "dp_error_keys")
})

test_that("a query without a table prints, and is not released", {
  local_verbs()
  read <- from_json(to_json(summarise(group_by(people_to_plan(), region), n = dp_count())))
  expect_match(format(read), "n = dp_count()", fixed = TRUE, all = FALSE)
  for (use in list(release, dp_preview, function(x) dp_solve(x, c(n = 1)))) {
    expect_error(use(read), "on_table", class = "dp_error_source")
  }
})

test_that("a table released from a text costs what the query costs, and is stored with it", {
  local_verbs()
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  data <- data.frame(age = rep(c(20, 40), 50))
  table <- dp_tbl(dp_session(ledger = ledger), data, dp_unit(rows = 1),
    dp_domain(age = dp_int(0, 99))
  )
  query <- summarise(table, n = dp_count())
  released <- release(query, epsilon = 0.1)
  again <- release(on_table(from_json(to_json(query)), table), epsilon = 0.1)
  expect_identical(again$n, released$n)
  expect_identical(nrow(dp_history(ledger)), 1L)
  receipt <- dp_receipt(released)
  checks <- verify_release(receipt, ledger, value = released)
  expect_identical(checks$result[checks$check %in% c("plan", "unit", "facts", "loss")],
    rep("passed", 4)
  )
  # The receipt has the same form, with the source.
  read <- from_json(receipt$plan)
  expect_identical(read$declaration, from_json(to_json(query))$declaration)
  expect_identical(read$declaration, receipt$domain)
  expect_match(format(read), "epsilon 0.1, alpha 0.05", fixed = TRUE, all = FALSE)
  expect_identical(hash_of(on_table(read, table)), receipt$plan_hash)
})

test_that("limits of a server hold, and are arguments", {
  local_verbs()
  limits <- core_query_json_limits()$server
  text <- to_json(summarise(people_to_plan(), n = dp_count()))
  expect_s3_class(query_in_json(text, limits), "dp_written_query")
  padded <- paste0(text, strrep(" ", 2^16))
  expect_error(query_in_json(padded, limits), "65536 bytes", class = "dp_error_serialization")
  expect_s3_class(query_in_json(padded), "dp_written_query")
  limits[["steps"]] <- 0
  expect_s3_class(query_in_json(text, limits), "dp_written_query")
  one <- to_json(summarise(filter(people_to_plan(), age > 3), n = dp_count()))
  expect_error(query_in_json(one, limits), "at most 0", class = "dp_error_serialization")
})

test_that("deep expressions are written and read, and deeper ones refused", {
  local_verbs()
  value <- quote(age)
  for (i in 1:limit("nested_calls")) value <- call("abs", value)
  expect_same_query(summarise(mutate(visits(), x = !!value), n = dp_count()))
  text <- to_json(summarise(mutate(visits(), x = !!quote(abs(age))), n = dp_count()))
  deep <- function(times) {
    inner <- '{"op":"column","name":"age"}'
    nested <- paste0(strrep('{"op":"abs","args":[', times), inner, strrep("]}", times))
    sub(paste0('{"op":"abs","args":[', inner, "]}"), nested, text, fixed = TRUE)
  }
  for (times in c(300, 20000)) {
    expect_error(on_table(from_json(deep(times)), bare(summarise(visits(), n = dp_count()))),
      class = "dp_error"
    )
  }
})

# Texts that are changed at random -----------------------------------------------------------------

test_that("changed texts are queries, or refused by an error of the package", {
  local_verbs()
  table <- with_tbl_data(visits(), steps = list())
  queries <- list(
    visits() |> filter(age > 18, age %in% c(20, 21)) |> group_by(ward) |>
      summarise(n = dp_count(), m = dp_mean(cost), r = m / 2),
    visits() |> left_join(data.frame(code = c(1, 2), v = c(0.5, 1)), by = c(age = "code")) |>
      summarise(q = dp_quantile(v, at = c(0, 0.5, 1)), h = dp_histogram(cost, c(0, 50, 100))),
    with_tbl_data(visits(), steps = list()) |> dp_per_unit(n = n(), m = max(age)) |>
      mutate(c = cut(n, c(0, 2, 10)), d = if_else(m > 3, 1L, NA)) |>
      summarise(s = dp_sum(d), n = dp_n_ids())
  )
  texts <- vapply(queries, to_json, "")
  set.seed(20261128)
  slowest <- in_tier(quick = 1500, long = 1e6)
  read <- 0
  bound <- 0
  for (i in seq_len(slowest)) {
    text <- changed_text(texts[[1 + i %% length(texts)]])
    problem <- NULL
    withCallingHandlers(
      tryCatch({
        query <- from_json(text)
        read <- read + 1
        query <- on_table(query, table, promises = TRUE)
        bound <- bound + 1
        if (i %% 10 == 0) dp_preview(query, epsilon = 1)
      }, dp_error = function(error) NULL, error = function(error) problem <<- error),
      warning = function(warning) problem <<- warning
    )
    if (!is.null(problem)) fail(paste0(conditionMessage(problem), " at ", text))
  }
  # Else only the first checks would be tried.
  expect_gt(read, slowest / 30)
  expect_gt(bound, slowest / 100)
})

test_that("names in a text cannot rewrite the lines that print them", {
  hidden <- "a\u001b[31m\nloss: 0\u202e"
  name <- as.character(jsonlite::toJSON(hidden, auto_unbox = TRUE))
  text <- to_json(dplyr::summarise(people_to_plan(), n = dp_count()))
  lines <- format(from_json(gsub("\"n\"", name, text, fixed = TRUE)))
  expect_false(any(grepl("[[:cntrl:]\u202e]", lines)))
  expect_match(lines, "a\\u001b[31m\\u000aloss: 0\\u202e", fixed = TRUE, all = FALSE)
  expect_identical(quoted(c("a\tb", "\u00e9")), c("`a\\u0009b`", "`\u00e9`"))
})
