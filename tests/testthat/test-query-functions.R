# Functions of numbers, choices and texts in queries, against R and dplyr, row by row.

# Columns with ties, gaps, and numbers that are hard to round.
numbers_to_round <- function() {
  withr::local_seed(20261128)
  x <- c(-2.5, -0.5, 0.15, 0.5, 1.5, 2.675, 1.005, -1e5 + 0.5, 14.999, 15, 25, NA,
    round(stats::runif(400, -1000, 1000), 3), stats::runif(200, -10, 10)
  )
  n <- as.integer(c(NA, -25, -15, -5, 5, 15, 25, 150, 250, 350, 995, seq_len(length(x) - 11)))
  letters <- c(" Ab", "aB ", "x\u00e9Y", "ab", NA)
  data.frame(x = x, n = n, g = rep_len(letters, length(x)))
}

functions_table <- function(data, source_of = identity, more = list(), ...,
                            session = plenty()) {
  columns <- c(list(
    x = dp_num(-1e5, 1e5), n = dp_int(-1000, 1000),
    g = dp_levels(" Ab", "aB ", "x\u00e9Y", "ab")
  ), more)
  dp_tbl(session, source_of(data), dp_unit(rows = 1), do.call(dp_domain, columns), ...)
}

# Tells whether each case has R's value in all rows, and is missing in the same rows. A case is the
# code of a column, or a formula with code that has the same value in older versions of dplyr.
expect_same_cells <- function(cases, data, source_of = identity, ...) {
  is_pair <- vapply(cases, rlang::is_formula, NA)
  wanted <- stats::setNames(lapply(cases, function(code) {
    if (rlang::is_formula(code)) code <- rlang::f_rhs(code)
    rlang::eval_tidy(code, data, asNamespace("dplyr"))
  }), paste0("w", seq_along(cases)))
  cases[is_pair] <- lapply(cases[is_pair], rlang::f_lhs)
  more <- lapply(wanted, function(value) {
    if (is.character(value)) return(do.call(dp_levels, as.list(unique(value[!is.na(value)]))))
    dp_num(-1e7, 1e7)
  })
  table <- functions_table(cbind(data, as.data.frame(wanted)), source_of, more, ...)
  differs <- Map(function(code, name) {
    name <- as.name(name)
    rlang::expr(dp_sum(coalesce(!!code != !!name, is.na(!!code) != is.na(!!name))))
  }, cases, names(wanted))
  names(differs) <- vapply(cases, deparse1, "")
  released <- exact_release(rlang::inject(summarise(table, !!!differs)))
  counts <- round(unlist(as.data.frame(released)))
  expect_identical(names(counts)[counts != 0], character())
}

# Functions that all engines compute, and functions that they leave to the core.
pushed_functions <- rlang::exprs(
  round(x), round(n, -1), round(n, digits = -2), round(n, 3), floor(x), ceiling(x), trunc(x),
  as.integer(n), as.numeric(n > 5), na_if(n, 15L), na_if(x, 15), na_if(g, "ab"),
  case_when(n > 5 ~ 1, x > 0 ~ 2), case_when(n > 5 ~ 1, TRUE ~ x),
  na_if(n, NA) ~ n, case_when(n > 5 ~ NA, .default = n) ~ replace(n, which(n > 5), NA),
  case_when(is.na(n) ~ 0, n > 5 ~ 1, .default = 2) ~ ifelse(is.na(n), 0, ifelse(n > 5, 1, 2)),
  case_match(n, c(5, 15) ~ 1, 25 ~ 2, .default = 3) ~
    ifelse(n %in% c(5, 15), 1, ifelse(n %in% 25, 2, 3)),
  case_match(n, NA ~ 0, 5 ~ n) ~ ifelse(is.na(n), 0, ifelse(n == 5, n, NA)),
  case_match(g, "ab" ~ "u", NA ~ "none", .default = "v") ~
    ifelse(is.na(g), "none", ifelse(g == "ab", "u", "v")),
  if_else(n > 5, 1, 0, missing = 2), if_else(n > 5, "u", "v", "none"),
  if_else(n > 5, n, NA) ~ ifelse(n > 5, n, NA),
  if_else(if_else(n > 5, x > 0, NA, missing = TRUE), x, 0, missing = if_else(n < 0, 1, 2, 3)),
  if_else(between(n, 5, 25) & !between(x, -1, 1), "u", "v", missing = "none"),
  case_when(between(n, 5, 25) | between(x, 100, 200) ~ 1, !between(n, -25, 25) ~ 2, TRUE ~ 3),
  coalesce(n, 0L), coalesce(na_if(x, 15), 7),
  replace_na(x, 0) ~ ifelse(is.na(x), 0, x), replace_na(g, "none") ~ ifelse(is.na(g), "none", g),
  replace(n, n > 5, NA) ~ ifelse(!is.na(n) & n > 5, NA, n),
  replace(x, x > 5 & n > 5, 1) ~ ifelse(!is.na(x > 5 & n > 5) & x > 5 & n > 5, 1, x)
)
streamed_functions <- rlang::exprs(
  round(x, 1), round(x, 2), round(x, digits = 5), round(x, -1), round(x, -3), round(x / 7, 3)
)
text_functions_of_levels <- rlang::exprs(
  trimws(g), trimws(g, "left"), trimws(g, which = "right"), substr(g, 2, 3), substring(g, 2),
  substring(g, 1, 1)
)

test_that("functions have the values of R and dplyr, row by row", {
  local_verbs()
  cases <- c(pushed_functions, streamed_functions, text_functions_of_levels)
  expect_same_cells(cases, numbers_to_round())
})

test_that("functions have the same values in SQLite", {
  local_verbs()
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  source_of <- function(data) {
    DBI::dbWriteTable(connection, "numbers", data)
    dplyr::tbl(connection, "numbers")
  }
  cases <- c(pushed_functions, streamed_functions, text_functions_of_levels)
  expect_same_cells(cases, numbers_to_round(), source_of)
})

function_server <- local_postgres(env = testthat::teardown_env())
function_engines <- list(
  PostgreSQL = function(env) local_connection(function_server, env),
  DuckDB = function(env) local_duckdb(env)
)
for (engine in names(function_engines)) {
  test_that(paste("functions have the same values in", engine), {
    local_verbs()
    connection <- function_engines[[engine]](environment())
    source_of <- function(data) stays_on(connection, data, "numbers")
    pushed <- c(pushed_functions, text_functions_of_levels)
    expect_same_cells(pushed, numbers_to_round(), source_of, execute = "push")
    expect_same_cells(c(pushed, streamed_functions), numbers_to_round(), source_of,
      execute = "stream"
    )
  })

  test_that(paste("functions that are the core's stream, or are refused, in", engine), {
    local_verbs()
    connection <- function_engines[[engine]](environment())
    source <- stays_on(connection, numbers_to_round(), "numbers")
    for (code in rlang::exprs(log(pmax(x, 1)), sqrt(pmax(x, 1)), exp(pmin(x, 1)), log1p(abs(x)))) {
      asked <- function(...) {
        table <- functions_table(source, ...)
        rlang::inject(summarise(table, m = dp_mean(!!code)))
      }
      session <- dp_session(dp_epsilon(1))
      error <- expect_error(release(asked(execute = "push", session = session), epsilon = 1),
        class = "dp_error_unsupported"
      )
      expect_match(conditionMessage(error), paste0(code[[1]], "()"), fixed = TRUE)
      expect_identical(dp_spent(session)[["epsilon"]], 0)
      x <- numbers_to_round()$x
      value <- rlang::eval_tidy(code, list(x = x))
      expect_equal(exact_release(asked(rows = "may_leave"))$m, mean(value, na.rm = TRUE),
        tolerance = 1e-6
      )
    }
  })
}

test_that("logarithms, roots and exponentials have R's values to the public lattice", {
  local_verbs()
  data <- data.frame(x = c(1, 1.5, 2, 3.25, 10, 99, NA), n = 1L, g = "ab")
  table <- function() {
    dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(x = dp_num(1, 100)))
  }
  cases <- rlang::exprs(log(x), log(x, 3), log(x, base = 2), log2(x), log10(x), log1p(x), sqrt(x),
    exp(pmin(x, 5))
  )
  for (code in cases) {
    released <- exact_release(rlang::inject(summarise(table(), s = dp_sum(!!code))))
    expected <- sum(rlang::eval_tidy(code, data), na.rm = TRUE)
    expect_equal(released$s, expected, tolerance = 1e-4, info = deparse1(code))
    field <- fields_of(rlang::inject(mutate(table(), y = !!code)))$y
    ends <- rlang::eval_tidy(code, list(x = c(1, 100)))
    expect_equal(c(field$lower, field$upper), ends, tolerance = 1e-9, info = deparse1(code))
  }
})

test_that("groups of rounded numbers and of changed texts need no keys", {
  local_verbs()
  data <- numbers_to_round()
  released <- exact_release(count(functions_table(data), g = toupper(trimws(g))))
  expect_identical(as.character(released$g), c("AB", "X\u00e9Y"))
  expect_equal(round(released$n), c(sum(trimws(tolower(data$g)) == "ab", na.rm = TRUE),
    sum(data$g == "x\u00e9Y", na.rm = TRUE)
  ))
  tens <- exact_release(count(functions_table(data), ten = round(n, -3)))
  expect_identical(as.integer(tens$ten), c(-1000L, 0L, 1000L))
})

test_that("only ASCII letters change their case", {
  local_verbs()
  data <- data.frame(x = 1, n = 1L, g = "x\u00e9Y")
  upper <- exact_release(count(functions_table(data), g = toupper(g)))
  expect_true("X\u00e9Y" %in% upper$g)
})

test_that("what could never match, and digits that are no constants, are refused", {
  local_verbs()
  refused <- function(expr, text, class = "dp_error_unsupported") {
    error <- expect_error(mutate(functions_table(numbers_to_round()), z = {{ expr }}),
      class = class
    )
    expect_match(conditionMessage(error), text, fixed = TRUE)
  }
  refused(na_if(n, 9999), "`na = 9999`")
  refused(na_if(g, "zz"), "`na = \"zz\"`")
  refused(round(x, n), "public constant")
  refused(round(x, 20), "-15 to 15")
  refused(log(pmax(x, 1), -1), "a positive number other than 1")
  refused(log(x, n), "public constant")
  refused(trimws(g, "middle"), "\"both\", \"left\" or \"right\"")
  refused(tolower(n), "declared levels")
  refused(signif(x), "round(x, 2)")
  refused(exp(x), "at most 690")
})

test_that("a missing code is removed from declared values, but not from bounds", {
  local_verbs()
  data <- data.frame(x = c(3, 100, 500, 99, NA), n = 1L, g = "ab")
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(x = dp_int(0, 100)))
  released <- table |>
    summarise(s = dp_sum(na_if(x, 100)), k = dp_n_missing(na_if(x, 100))) |>
    exact_release()
  expect_equal(round(c(released$s, released$k)), c(3 + 100 + 99, 2))
})
