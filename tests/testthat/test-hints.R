# Hints depend on the meaning of a name. Each hint is followed, and its result compared with the
# intended one.

test_that("unknown arguments of statistics share an error class that names the intended argument", {
  named <- list(
    list("dpMean", "range", "rng"), list("dpMean", "eps", "epsilon"),
    list("dpMean", "columns", "variable"), list("dpMean", "variables", "variable"),
    list("dpMean", "bounds", "rng"), list("dpMean", "size", "n"), list("dpMean", "nrow", "n"),
    list("dpContingency", "columns", "variables"), list("dpContingency", "variable", "variables"),
    list("dpContingency", "vars", "variables"), list("dpCovariance", "variables", "columns"),
    list("dpCovariance", "variable", "columns"), list("dpPCA", "variables", "columns"),
    list("dpKMeans", "variable", "columns"), list("dpTree", "column", "variable"),
    list("dpHistogram", "breaks", "bins"), list("dpGLM", "family", "objective"),
    list("dpQuantile", "range", "rng"), list("dpMeanDifference", "columns", "variable"),
    list("dpMean", "conf.level", "alpha"), list("dpQuantile", "quantile", "prob"),
    list("dpQuantiles", "quantiles", "probs"), list("dpQuantiles", "quantile", "probs"),
    list("dpTree", "quantiles", "percentiles")
  )
  for (each in named) {
    generator <- get(each[[1]])
    expect_true(each[[3]] %in% names(formals(generator)), info = each[[1]])
    error <- expect_error(do.call(generator, stats::setNames(list(1), each[[2]])),
      class = "dp_error_invalid_argument", info = each
    )
    expect_identical(error$argument, each[[2]])
    expect_match(conditionMessage(error), paste0("`", each[[3]]), fixed = TRUE, info = each)
  }
})

test_that("arguments that statistics do not have name an alternative", {
  said <- function(generator, arg) {
    error <- expect_error(do.call(generator, stats::setNames(list(1), arg)),
      class = "dp_error_invalid_argument"
    )
    conditionMessage(error)
  }
  expect_match(said(dpMean, "na"), "declare the codes with `dp_num(na = )`", fixed = TRUE)
  expect_match(said(dpMean, "weights"), "dp_mean(x, weights = w)", fixed = TRUE)
  expect_match(said(dpKMeans, "missing"), "Its help page", fixed = TRUE)
  # Statistics that have the argument accept it.
  expect_false(grepl("Use a query", said(dpLM, "weight")))
})

test_that("an error about a column's type says how to convert it", {
  rows <- data.frame(t = c("1", "2"), n = 1:2)
  mean <- small(dpMean(variable = "t", n = 2, rng = c(0, 5), epsilon = 1))
  expect_error(mean$release(rows), "as.numeric() makes numbers of texts.", fixed = TRUE)
  cells <- small(dpHistogram(variable = "n", n = 2, bins = c("1", "2"), epsilon = 1))
  expect_error(cells$release(rows), "as.character() makes texts of numbers.", fixed = TRUE)
  expect_error(dpHistogram(variable = "n", n = 2, bins = c(0, 1), epsilon = 1),
    'give `varType = "logical"`', fixed = TRUE
  )
})

test_that("no statistic leaves an unknown argument to R", {
  for (name in names(valid_arguments)) {
    expect_error(do.call(generator_of(name), list(no_such_argument = 1)),
      class = "dp_error_invalid_argument", info = name
    )
  }
})

test_that("a session explains how to write its loss", {
  error <- expect_error(dp_session(epsilon = 1), class = "dp_error_invalid_argument")
  expect_match(conditionMessage(error), "`dp_session(dp_epsilon(epsilon))`", fixed = TRUE)
  expect_error(dp_session(rho = 1), "dp_zcdp", class = "dp_error_invalid_argument")
  expect_error(dp_session(budget = 1), class = "dp_error_invalid_argument")
})

# Code in backticks in a hint.
suggested_by <- function(expr) {
  error <- tryCatch(expr, dp_error = identity)
  expect_s3_class(error, "dp_error_unsupported")
  expect_match(conditionMessage(error), "Did you mean `", fixed = TRUE)
  sub("(?s).*Did you mean `(.*)`[?].*", "\\1", conditionMessage(error), perl = TRUE)
}

hinted_rows <- function() {
  data.frame(x = rep(c(0:8, NA), each = 10), y = 3L, b = c(TRUE, FALSE), w = 1)
}

hinted_table <- function() {
  dp_tbl(plenty(), hinted_rows(), dp_unit(rows = 1), dp_domain(
    x = dp_int(0, 8), y = dp_int(0, 8), b = dp_flag(), w = dp_num(0, 1)
  ))
}

test_that("a column that is not there is suggested by the name that is meant", {
  local_verbs()
  data <- data.frame(kids = 1:3, `Net income` = 1, los_days = 2L, ward = "a", check.names = FALSE)
  declared <- dp_schema(
    kids = dp_int(0, 9), `Net income` = dp_num(0, 9), los_days = dp_int(0, 9),
    ward = dp_levels("a", "b"), day1 = dp_int(0, 9), day2 = dp_int(0, 9)
  )
  table <- dp_tbl(plenty(), NULL, dp_unit(rows = 1), declared)
  suggested <- function(expr, class = "dp_error_domain") {
    message <- conditionMessage(expect_error(expr, class = class))
    if (!grepl("Did you mean", message)) return(NA_character_)
    sub("(?s).*Did you mean `(.*)`[?].*", "\\1", message, perl = TRUE)
  }
  meant <- c(
    Kids = "kids", KIDS = "kids", ` kids ` = "kids", kid = "kids", kdis = "kids",
    net_income = "Net income", `net.income` = "Net income", los.days = "los_days",
    `LOS days` = "los_days", los_day = "los_days", Ward = "ward", wrad = "ward", day3 = NA,
    day = NA, age = NA
  )
  for (name in names(meant)) {
    asked <- as.name(name)
    for (call in list(
      function() mutate(table, y = !!asked), function() filter(table, !!asked > 1),
      function() group_by(table, !!asked), function() summarise(table, m = dp_mean(!!asked)),
      function() select(table, !!asked), function() rename(table, z = !!asked),
      function() mutate(table, y = .data[[!!name]])
    )) {
      expect_identical(suggested(call()), meant[[name]], info = name)
    }
  }
  # Columns of data, of public tables and of tables of keys.
  other <- dp_schema(Kids = dp_int(0, 9))
  expect_identical(suggested(dp_tbl(plenty(), data, dp_unit(rows = 1), other)), "kids")
  expect_identical(suggested(dp_tbl(plenty(), data, dp_unit(id = Ward), other)), "kids` and `ward")
  beds <- data.frame(Ward = "a", beds = 1)
  expect_identical(suggested(left_join(table, beds, by = "ward")), "Ward")
  expect_identical(suggested(left_join(table, beds, by = "Ward")), "ward")
  keys <- data.frame(Ward = "a")
  expect_identical(suggested(dp_keys(count(table, ward), keys), "dp_error_keys"), "Ward")
  mean <- small(dpMean(variable = "Kids", n = 3, rng = c(0, 9), epsilon = 1))
  expect_identical(suggested(mean$release(data), "dp_error_invalid_argument"), "kids")
})

test_that("functions for queries and ledgers reject names and say what to write", {
  local_verbs()
  query <- count(hinted_table(), x)
  error <- expect_error(dp_keys(query, "declared", min = 10), class = "dp_error_invalid_argument")
  expect_match(conditionMessage(error), "Write `suppress`", fixed = TRUE)
  error <- expect_error(
    dp_ledger_create("l", budget = 1),
    class = "dp_error_invalid_argument"
  )
  expect_match(conditionMessage(error), "Write `loss`", fixed = TRUE)
  expect_error(dp_levels(levels = 1:3), "give levels without names",
    class = "dp_error_invalid_argument"
  )
})

test_that("each hint for an aggregate gives what its name means", {
  local_verbs()
  x <- hinted_rows()$x
  present <- x[!is.na(x)]
  n <- length(x)
  variance <- mean(present^2) - mean(present)^2
  meant <- list(
    "mean(x)" = mean(present), "mean(x, na.rm = TRUE)" = mean(present), "avg(x)" = mean(present),
    "dp_avg(x)" = mean(present), "dp_average(x)" = mean(present), "sum(x)" = sum(present),
    "dp_total(x)" = sum(present), "n()" = n, "length(x)" = n, "nrow(x)" = n, "count(x)" = n,
    "dp_len()" = n, "dp_length()" = n, "dp_n()" = n, "dp_nrow()" = n,
    "var(x)" = variance, "dp_variance(x)" = variance, "sd(x)" = sqrt(variance),
    "dp_stdev(x)" = sqrt(variance), "dp_std(x)" = sqrt(variance), "median(x)" = 4,
    "max(x)" = 8, "max(x, na.rm = TRUE)" = 8, "dp_max(x)" = 8, "min(x)" = 0, "dp_min(x)" = 0,
    "range(x)" = c(0, 8), "IQR(x)" = 4, "n_distinct(x)" = 9, "dp_count_distinct(x)" = 9,
    "weighted.mean(x, w)" = mean(present)
  )
  for (asked in names(meant)) {
    table <- hinted_table()
    query <- function(code) rlang::inject(summarise(table, m = !!str2lang(code)))
    released <- release(query(suggested_by(query(asked))), epsilon = 1e7)
    expect_equal(unlist(released$m), meant[[asked]], tolerance = 1e-2, ignore_attr = TRUE,
      info = asked
    )
  }
})

test_that("each hint for a row gives what its name means", {
  local_verbs()
  d <- hinted_rows()
  total <- function(values) sum(as.numeric(values), na.rm = TRUE)
  meant <- list(
    "max(x, y)" = pmax(d$x, d$y), "min(x, y)" = pmin(d$x, d$y), "sum(x, y)" = d$x + d$y,
    "is.null(x)" = is.na(d$x), "is_missing(x)" = is.na(d$x),
    "nvl(x, y)" = ifelse(is.na(d$x), 3, d$x),
    "isTRUE(b)" = d$b, "isFALSE(b)" = !d$b, "xor(b, b)" = xor(d$b, d$b), "sign(x)" = sign(d$x)
  )
  for (asked in names(meant)) {
    table <- hinted_table()
    made <- function(code) rlang::inject(mutate(table, z = !!str2lang(code)))
    query <- summarise(made(suggested_by(made(asked))), s = dp_sum(z, bounds = c(-20, 20)))
    expect_equal(release(query, epsilon = 1e6)$s, total(meant[[asked]]),
      tolerance = 1e-3, info = asked
    )
  }
})

test_that("an error names an argument that an aggregate does not need", {
  local_verbs()
  error <- expect_error(summarise(hinted_table(), m = dp_mean(x, na.rm = TRUE)),
    class = "dp_error_invalid_argument"
  )
  expect_match(conditionMessage(error), "Leave it out")
})

test_that("no hint suggests a function only because its name is similar", {
  local_verbs()
  for (code in c("expm1(x)", "tanh(x)", "gamma(x)", "abz(x)")) {
    error <- expect_error(rlang::inject(mutate(hinted_table(), z = !!str2lang(code))),
      class = "dp_error_unsupported", info = code
    )
    expect_match(conditionMessage(error), "Compute the column before", info = code)
    expect_no_match(conditionMessage(error), "Did you mean", info = code)
  }
})

test_that("mistakes of the first hour raise classed errors with the line to write", {
  local_verbs()
  data <- data.frame(patient = 1:9, age = 21:29)
  session <- dp_session(dp_epsilon(100))
  domain <- dp_domain(age = dp_int(18, 93))
  unit <- dp_unit(rows = 1)
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data", unit,
    dp_epsilon(9), version = "1"
  )
  query <- summarise(dp_tbl(session, data, unit, domain), age = dp_mean(age))
  says <- function(code, line, works) {
    expect_error(code, line, class = "dp_error_invalid_argument", fixed = TRUE)
    # The line that the error writes runs.
    expect_no_error(works)
  }
  says(dp_session(ledger), "`dp_session(ledger = ledger)`", dp_session(ledger = ledger))
  says(dp_session(1), "`dp_session(dp_epsilon(1))`", dp_session(dp_epsilon(1)))
  says(dp_unit("patient"), "`dp_unit(id = patient)`", dp_unit(id = patient))
  says(dp_unit(patient), "`dp_unit(id = patient)`", dp_unit(id = patient))
  says(release(query, loss = 1), "`epsilon = 1`", small(release(query, epsilon = 1)))
  made <- function() dp_tbl(dp_session(dp_epsilon(1)), data, unit = unit, domain = domain)
  says(dp_tbl(data, session, unit, domain),
    "`dp_tbl(dp_session(dp_epsilon(1)), data, unit = , domain = )`", made()
  )
  says(dp_tbl(ledger, data, unit, domain), "`dp_session(ledger = ledger)`",
    dp_tbl(dp_session(ledger = ledger), data, unit, domain)
  )
  says(dp_tbl(dp_epsilon(1), data, unit, domain), "`dp_session(loss)`", made())
  says(dp_tbl(session, data, domain, unit), "`dp_unit(rows = 1)`", dp_unit(rows = 1))
  says(dp_tbl(session, data, unit, data), "`dp_domain(age = dp_int(0, 120))`",
    dp_domain(age = dp_int(0, 120))
  )
  says(with_ledger(ledger, dp_allocate(session, 1)), "`dp_epsilon(1)`", dp_epsilon(1))
  # Variables still hold numbers of rows.
  k <- 2L
  expect_identical(dp_unit(k), dp_unit(rows = 2))
  expect_identical((function(rows) dp_unit(rows))(3), dp_unit(rows = 3))
  expect_identical(dp_unit(rows = NULL, changes = 1), dp_unit(changes = 1))
})

test_that("unknown arguments of declarations and of other functions name the intended argument", {
  named <- list(
    list("dp_int", "min", "lower"), list("dp_int", "max", "upper"), list("dp_num", "max", "upper"),
    list("dp_truncate", "max", "max_rows"), list("dpContingency", "bins", "levels"),
    list("dpHistogram", "levels", "bins"), list("dpSampleAndAggregate", "fun", "innerFun"),
    list("dpSampleAndAggregate", "FUN", "innerFun"), list("dpMeanDifference", "by", "group")
  )
  for (each in named) {
    error <- expect_error(do.call(each[[1]], stats::setNames(list(1), each[[2]])),
      class = "dp_error_invalid_argument", info = each
    )
    expect_match(conditionMessage(error), paste0("Write `", each[[3]], "`"), fixed = TRUE)
    expect_true(each[[3]] %in% names(formals(each[[1]])), info = each)
  }
  expect_error(dpMean(by = "sex"), "`group_by()` and `summarise(dp_mean(x))`", fixed = TRUE)
})

test_that("aggregates without row weights say so", {
  local_verbs()
  table <- people_to_plan(w = dp_num(0, 5))
  for (fun in c("dp_var", "dp_sd", "dp_histogram")) {
    error <- expect_error(summarise(table, a = !!call(fun, quote(age), weights = quote(w))),
      class = "dp_error_invalid_argument"
    )
    expect_match(conditionMessage(error), "It has no row weights.", fixed = TRUE)
    expect_no_match(conditionMessage(error), "Write `weight`", fixed = TRUE)
  }
})

test_that("a loss, and a probability as a candidate, name the argument to write", {
  local_verbs()
  table <- people_to_plan()
  loss <- dp_epsilon(1)
  expect_error(release(dplyr::count(table, region), epsilon = loss),
    "write `epsilon = loss$epsilon`", fixed = TRUE, class = "dp_error_invalid_argument"
  )
  expect_error(summarise(table, q = dp_quantile(age, 0.5, 0.9)),
    "several probabilities are `probs = c(0.25, 0.75)`", fixed = TRUE
  )
})

test_that("groups of a joined public table name the call that lists them", {
  local_verbs()
  parts <- data.frame(region = c("North", "South"), part = c("a", "b"))
  table <- dplyr::inner_join(people_to_plan(), parts, by = "region")
  query <- dplyr::count(table, part)
  expect_error(dp_preview(query, epsilon = 1), "`dp_keys(data.frame(part = ))`", fixed = TRUE,
    class = "dp_error_keys"
  )
  listed <- dp_keys(query, data.frame(part = c("a", "b")))
  expect_s3_class(dp_preview(listed, epsilon = 1), "dp_preview")
})

test_that("a hint keeps the arguments of a call, but no constants", {
  local_verbs()
  table <- hinted_table()
  meant <- c(
    "xor(x > 1, b)" = "(x > ...) != b", "min(x, y * 2, 3)" = "pmin(x, y * ..., ...)",
    "isTRUE(x > 1)" = "coalesce(x > ..., FALSE)", "is.finite(x / y)" = "!is.na(x/y)"
  )
  for (asked in names(meant)) {
    expect_identical(suggested_by(mutate(table, z = !!str2lang(asked))), meant[[asked]])
  }
  expect_identical(suggested_by(summarise(table, m = quantile(x, 0.5))), "dp_quantile(x, ...)")
})

test_that("unsupported functions and forms name another way", {
  local_verbs()
  table <- hinted_table()
  ways <- c(
    "x^2" = "x * x", "recode(x, a = 1)" = "case_match()", "if (b) 1 else 2" = "if_else()",
    "findInterval(x, 1:2)" = "cut()", "Sys.Date() - 1" = "compute it first",
    "dp_sum(x)" = "summarise()", "x == NA" = "is.na(x)", "NA != x" = "is.na(x)"
  )
  for (asked in names(ways)) {
    expect_error(mutate(table, z = !!str2lang(asked)), ways[[asked]],
      fixed = TRUE, class = "dp_error_unsupported", info = asked
    )
  }
  expect_error(summarise(table, n = dp_count(x > 1)), "`dp_sum(x > 1)`",
    fixed = TRUE, class = "dp_error_unsupported"
  )
})
