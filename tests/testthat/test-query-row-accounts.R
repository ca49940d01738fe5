# Each row of a table is in a group of a release, or a note says why it is missing. Random queries
# over values that are missing, outside of their declaration or not readable, against counts in
# plain R.
local_verbs()

first <- as.Date("2026-01-01")

rows_to_account <- data.frame(
  n = c(0, 1, 2, 3, NA, 21, -3, 2, 1, NA, 3, 99),
  d = c("2026-01-01", "2026-01-02", "2026-02-03", NA, "31.12.2025", "x", "2030-01-01", "2026-02-01",
    "2000-01-01", "2026-01-02", "2026-03-10", "2026-03-10"
  ),
  l = c("a", "b", "zz", NA, "a", "b", "a", "", "b", "a", "zz", "b"),
  f = c(TRUE, FALSE, NA, TRUE, TRUE, FALSE, FALSE, TRUE, NA, TRUE, FALSE, TRUE)
)

# Values that a release reads in each column, as keys and as amounts. `missing`: NULL, a value, NA
# or dp_drop().
read_in_r <- function(missing) {
  day <- suppressWarnings(as.Date(rows_to_account$d, format = "%Y-%m-%d"))
  last <- first + 89
  keys <- list(
    n = ifelse(rows_to_account$n %in% 0:3, rows_to_account$n, NA),
    d = as.Date(ifelse(day >= first & day <= last, day, NA), "1970-01-01"),
    l = ifelse(rows_to_account$l %in% c("a", "b"), rows_to_account$l, NA), f = rows_to_account$f
  )
  amounts <- keys
  amounts$n <- pmin(pmax(rows_to_account$n, 0), 3)
  amounts$d <- pmin(pmax(day, first), last)
  there <- rep(TRUE, nrow(rows_to_account))
  filled <- list()
  if (inherits(missing, "dp_drop")) {
    there <- !Reduce(`|`, lapply(amounts, is.na))
  } else if (is.list(missing)) {
    for (name in names(missing)) {
      filled[[name]] <- is.na(keys[[name]])
      keys[[name]][is.na(keys[[name]])] <- missing[[name]]
      amounts[[name]][is.na(amounts[[name]])] <- missing[[name]]
    }
  }
  list(keys = keys, amounts = amounts, there = there, filled = filled)
}

table_to_account <- function(missing) {
  of <- function(name) {
    if (is.list(missing) && !inherits(missing, "dp_drop")) missing[[name]] else missing
  }
  or_drop <- function(x) if (is.null(x)) "drop" else x
  dp_tbl(plenty(), rows_to_account, dp_unit(rows = 1), dp_schema(
    n = dp_int(0, 3, missing = or_drop(of("n"))),
    d = dp_date(first, first + 89, missing = or_drop(of("d"))),
    l = dp_levels("a", "b", missing = of("l")), f = dp_flag(missing = or_drop(of("f")))
  ))
}

# Conditions: in the query and in R, with the columns that they compare as keys or as amounts.
filters_to_account <- list(
  list(expr = quote(n >= 0), r = function(k, a) a$n >= 0, amounts = "n"),
  list(expr = quote(n > 1), r = function(k, a) a$n > 1, amounts = "n"),
  list(expr = quote(n != 2), r = function(k, a) k$n != 2, keys = "n"),
  list(expr = quote(n %in% c(1, 3)), r = function(k, a) k$n %in% c(1, 3), keys = "n"),
  list(expr = quote(!is.na(n)), r = function(k, a) !is.na(a$n)),
  list(expr = quote(is.na(n) | n < 3), r = function(k, a) is.na(a$n) | a$n < 3, amounts = "n"),
  list(expr = quote(d >= !!first), r = function(k, a) a$d >= first, amounts = "d"),
  list(expr = quote(!is.na(d)), r = function(k, a) !is.na(a$d)),
  list(expr = quote(l != "b"), r = function(k, a) k$l != "b", keys = "l"),
  list(expr = quote(f), r = function(k, a) k$f),
  list(expr = quote(f | n == 1), r = function(k, a) k$f | k$n == 1, keys = "n")
)

month_starts <- function(day) as.Date(format(day, "%Y-%m-01"))

# Columns to group by.
groups_to_account <- list(
  list(expr = quote(n), r = function(k, a) k$n),
  list(expr = quote(d), r = function(k, a) k$d),
  list(expr = quote(l), r = function(k, a) k$l),
  list(expr = quote(f), r = function(k, a) k$f),
  list(expr = quote(n + 1L), r = function(k, a) k$n + 1),
  list(expr = quote(n %/% 2L), r = function(k, a) k$n %/% 2),
  list(expr = quote(cut(n, c(-1, 1, 3))), r = function(k, a) {
    as.character(cut(k$n, c(-1, 1, 3)))
  }),
  list(expr = quote(month(d)), r = function(k, a) as.integer(format(k$d, "%m"))),
  list(expr = quote(floor_date(d, "month")), r = function(k, a) month_starts(k$d)),
  list(expr = quote(toupper(l)), r = function(k, a) toupper(k$l)),
  list(expr = quote(n > 1), r = function(k, a) a$n > 1, amounts = "n"),
  list(expr = quote(if_else(n > 1, "high", "low")), amounts = "n", r = function(k, a) {
    ifelse(a$n > 1, "high", "low")
  }),
  list(expr = quote(case_when(n == 1 ~ "one", TRUE ~ "other")), keys = "n", r = function(k, a) {
    ifelse(k$n %in% 1, "one", "other")
  }),
  list(expr = quote(coalesce(n, 3L)), r = function(k, a) ifelse(is.na(a$n), 3, k$n))
)

# Errors in the account of a query: sentences, or character().
faults_of_account <- function(missing, filter, group, release_of = released_account) {
  read <- read_in_r(missing)
  passes <- read$there & filter$r(read$keys, read$amounts)
  key <- group$r(read$keys, read$amounts)
  released <- release_of(missing, filter, group)
  notes <- attr(released, "released")$notes
  said <- function(...) any(grepl(paste0(...), notes, perl = TRUE))
  counts <- tapply(round(as.double(released$rows)), as.character(released$key), sum)
  expected <- table(as.character(key[passes %in% TRUE]))
  lacking <- sum(is.na(key[passes %in% TRUE]))
  in_group <- round(sum(as.double(released$rows)[is.na(released$key)]))
  found <- counts[names(expected)]
  outside <- function(name) {
    is.na(read_in_r(NULL)$keys[[name]]) & !is.na(rows_to_account[[name]]) & read$there
  }
  compared <- c(filter$keys, group$keys)
  filled <- names(Filter(any, read$filled))
  read_as_keys <- c(compared, if (is.null(group$amounts)) all.vars(group$expr))
  amounts <- c(filter$amounts, group$amounts)
  c(
    if (!identical(as.double(found), as.double(expected))) "counts differ",
    if (sum(counts) != sum(expected)) "groups have other rows",
    if (anyNA(released$key) && in_group != lacking) "group NA has other rows",
    if (in_group > 0 && !said("`key` is missing.* are in group NA")) "group NA has no note",
    if (!anyNA(released$key) && lacking > 0 && !said("`key` is missing.* are in no group")) {
      "rows are lost without a note"
    },
    if (any(!read$there) && !said("left the table")) "dropped rows have no note",
    unlist(lapply(unique(compared), function(name) {
      # The note on the group is about the same rows.
      is_key <- name %in% all.vars(group$expr) && said("`key` is missing or not declared")
      noted <- is_key || said("`", name, "`.* counts? as ")
      if (any(outside(name)) && !noted) paste("values of", name, "are missing without a note")
    })),
    unlist(lapply(intersect(filled, read_as_keys), function(name) {
      noted <- said("`", name, "`.* counts? as (?!missing).* in groups")
      if (!noted) paste(name, "is filled without a note")
    })),
    unlist(lapply(setdiff(amounts, "l"), function(name) {
      if (!said("^", name, " counts as ")) paste(name, "is clamped without a note")
    }))
  )
}

released_account <- function(missing, filter, group) {
  table_to_account(missing) |>
    filter(!!rlang::inject(rlang::expr(!!filter$expr))) |>
    mutate(key = !!group$expr) |>
    group_by(key) |>
    summarise(rows = dp_count()) |>
    exact_release() |>
    small()
}

declarations_to_account <- list(
  NULL, NA, list(n = 2, d = first + 1, l = "a", f = TRUE), dp_drop()
)

test_that("each row is in a group, or a note says why not", {
  set.seed(20)
  for (i in seq_len(in_tier(60, 600))) {
    missing <- declarations_to_account[[sample(length(declarations_to_account), 1)]]
    filter <- sample(filters_to_account, 1)[[1]]
    group <- sample(groups_to_account, 1)[[1]]
    query <- paste(deparse1(missing), deparse1(filter$expr), deparse1(group$expr))
    expect_identical(faults_of_account(missing, filter, group), NULL, info = query)
  }
})

test_that("the account finds releases whose notes are left out", {
  silent <- function(...) {
    released <- released_account(...)
    attr(released, "released")$notes <- character()
    released
  }
  group <- groups_to_account[[1]]
  filter <- filters_to_account[[1]]
  for (missing in declarations_to_account) {
    expect_gt(length(faults_of_account(missing, filter, group, silent)), 0)
  }
  fewer <- function(...) {
    released <- released_account(...)
    released$rows[[1]] <- released$rows[[1]] - 1
    released
  }
  expect_true("counts differ" %in% faults_of_account(NULL, filter, group, fewer))
})
