released_counts <- function() {
  data <- data.frame(region = rep(c("North", "South"), c(3000, 1000)), age = rep(18:57, 100))
  table <- dp_tbl(dp_session(dp_epsilon(10)), data, dp_unit(rows = 1), dp_domain(
    region = dp_levels("North", "South"), age = dp_int(0, 120)
  ))
  table |>
    dplyr::group_by(region) |>
    dplyr::summarise(
      n = dp_count(), age = dp_mean(age), q = dp_quantile(age, c(0.25, 0.75), at = 0:120)
    ) |>
    release(epsilon = 5)
}

# 1000 rows in North, none in South, 20 in East.
people_to_try <- function() {
  data <- data.frame(region = rep(c("North", "East"), c(1000, 20)), age = 30)
  dp_tbl(dp_session(dp_epsilon(1000)), data, dp_unit(rows = 1), dp_domain(
    region = dp_levels("North", "South", "East"), age = dp_int(0, 120)
  ))
}

test_that("a release is a tibble with the public facts about its noise", {
  out <- released_counts()
  expect_identical(out$region, c("North", "South"))
  expect_identical(lengths(out$q), c(2L, 2L))
  tidy <- generics::tidy(out)
  expect_identical(
    names(tidy),
    c("region", "term", "estimate", "std.error", "conf.low", "conf.high", "mark", "covers")
  )
  expect_identical(nrow(tidy), 8L)
  expect_true(all(tidy$conf.low <= tidy$estimate & tidy$estimate <= tidy$conf.high, na.rm = TRUE))
  expect_false(anyNA(tidy$conf.low[tidy$term == "n"]))
  expect_identical(tidy$estimate[tidy$term == "n"], out$n)
  glance <- generics::glance(out)
  expect_equal(glance$epsilon, 5)
  expect_identical(glance$unit, "1 row")
  expect_match(glance$plan, "^[0-9a-f]{64}$")
})

test_that("confint() has the intervals of tidy(), with their target", {
  out <- released_counts()
  tidy <- generics::tidy(out)
  intervals <- confint(out)
  expect_identical(dim(intervals), c(8L, 2L))
  expect_identical(colnames(intervals), c("2.5 %", "97.5 %"))
  expect_identical(rownames(intervals)[1:2], c("n, region = North", "n, region = South"))
  expect_identical(unname(intervals[, 1]), tidy$conf.low)
  expect_identical(unname(intervals[, 2]), tidy$conf.high)
  expect_identical(attr(intervals, "covers"), "the data as used")
  expect_true("q[0.25], region = South" %in% rownames(confint(out, "q")))
  expect_identical(unname(confint(out, "n", level = 0.95)[1, ]),
    c(tidy$conf.low[[1]], tidy$conf.high[[1]])
  )
  expect_error(confint(out, level = 0.9), "other levels", class = "dp_error_invalid_argument")
  expect_error(confint(out, "zip"), "`parm`", class = "dp_error_invalid_argument")
  expect_error(confint(out, 1), "`parm`", class = "dp_error_invalid_argument")
  local_verbs()
  total <- release(summarise(people_to_try(), n = dp_count()), epsilon = 1)
  expect_identical(rownames(confint(total)), "n")
})

test_that("tidy() says which rows an interval covers", {
  local_verbs()
  tidy <- generics::tidy(released_counts())
  expect_identical(tidy$covers, ifelse(is.na(tidy$conf.low), NA, "the data as used"))
  data <- data.frame(id = rep(1:100, each = 3), x = 1:3)
  table <- dp_tbl(dp_session(dp_epsilon(10)), data, dp_unit(id = id), dp_domain(x = dp_int(0, 3)))
  capped <- small(release(summarise(filter(dp_truncate(table, max_rows = 2), !is.na(x)),
    n = dp_count(), q = dp_quantile(x, 0.5, at = 0:3, method = "score")
  ), epsilon = 1))
  expect_identical(generics::tidy(capped)$covers, c("the rows that caps keep", NA))
  expect_false("covers" %in% names(generics::tidy(capped, conf.int = FALSE)))
  expect_identical(attr(confint(capped), "covers"), "the rows that caps keep")
})

test_that("a release with several numbers in a column is a plain table in a file of CSV", {
  out <- released_counts()
  plain <- as.data.frame(out)
  expect_identical(class(plain), "data.frame")
  expect_identical(names(plain), c("region", "n", "age", "q[0.25]", "q[0.75]"))
  expect_identical(plain[["q[0.75]"]], vapply(out$q, `[[`, 0, 2, USE.NAMES = FALSE))
  file <- withr::local_tempfile()
  utils::write.csv(plain, file, row.names = FALSE)
  expect_equal(utils::read.csv(file, check.names = FALSE), plain)
})

test_that("verbs turn a release into an ordinary tibble", {
  out <- released_counts()
  for (plain in list(
    dplyr::filter(out, n > 0), dplyr::arrange(out, n), dplyr::mutate(out, half = n / 2), out[1, ],
    dplyr::select(out, n)
  )) {
    expect_false(inherits(plain, "dp_released"))
    expect_null(attr(plain, "released"))
    expect_s3_class(plain, "tbl_df")
  }
  expect_identical(out$n, out[["n"]])
})

test_that("a release prints an interval beside each number, the loss and the unit", {
  out <- released_counts()
  lines <- format(out)
  expect_match(lines[[1]], "epsilon 5 for 1 row", fixed = TRUE)
  expect_match(lines[[3]], "North +[0-9]+ \\[[0-9]+; [0-9]+\\] +[0-9.]+ \\[[0-9.]+; [0-9.]+\\]")
  expect_match(lines[[2]], "q[0.25]", fixed = TRUE)
  expect_match(lines, "[ ]: 95% intervals of the noise; unit: 1 row; loss: epsilon 5",
    fixed = TRUE, all = FALSE
  )
  expect_match(tail(lines, 1), "~: no interval is known", fixed = TRUE)
  expect_output(print(summary(out)), "loss    epsilon 5 for 1 row", fixed = TRUE)
  shown <- knitr::knit_print(out)
  expect_match(shown, "Differentially private: epsilon 5 for 1 row", fixed = TRUE)
  expect_match(shown, "95% intervals of the noise", fixed = TRUE)
  expect_length(grep("^  (North|South)", format(out, n = 1)), 1)
  expect_match(format(out, n = 1), "and 1 more rows", fixed = TRUE, all = FALSE)
  expect_identical(format(out, rows = 1), format(out, n = 1))
})

test_that("numbers that are mostly noise are marked", {
  # "b" has no row. At this loss a node of the tree has noise with a probability of 1e-144.
  data <- data.frame(g = rep(c("a", "few"), c(5000, 3)), y = 5)
  table <- dp_tbl(dp_session(dp_epsilon(1e5)), data, dp_unit(rows = 1), dp_domain(
    g = dp_levels("a", "b", "few"), y = dp_num(0, 10)
  ))
  query <- table |>
    dplyr::group_by(g) |>
    dplyr::summarise(n = dp_count(), m = dp_mean(y), q = dp_quantile(y, c(0.2, 0.5, 0.8)),
      ratio = n / (n - 0), above = m - 50
    )
  out <- release(query, epsilon = 4000)
  tidy <- generics::tidy(out)
  bare <- tidy$g == "b" & tidy$term != "n"
  expect_identical(unique(tidy$mark[bare]), "empty")
  expect_true(all(is.na(tidy$conf.low[bare])))
  expect_identical(unique(tidy$mark[tidy$g == "a"]), "")
  expect_false(anyNA(tidy$conf.low[tidy$g != "b"]))
  lines <- format(out)
  expect_match(grep("^  b ", lines, value = TRUE), "[0-9] +[?]")
  expect_match(lines, "?: no interval: the group can be empty", fixed = TRUE, all = FALSE)
})

test_that("the footer has the rule of each cap", {
  out <- stays_in(plenty()) |>
    dp_truncate(by = "ward", max_groups = 2, max_rows_per_group = 3) |>
    dplyr::count(ward) |>
    release(epsilon = 1)
  rule <- paste(
    "counted: at most 2 groups (ward) of each patient, at most 3 rows of each patient in a",
    "group (ward), at random"
  )
  expect_match(format(out), rule, fixed = TRUE, all = FALSE)
  expect_match(format(summary(out)), rule, fixed = TRUE, all = FALSE)
  expect_match(knitr::knit_print(out), rule, fixed = TRUE)
  expect_match(picture(out, NULL, NULL)$note, rule, fixed = TRUE)
})

test_that("cells of a histogram print as rows", {
  out <- stays_in(plenty()) |>
    dp_truncate(max_rows = 10) |>
    dplyr::group_by(ward) |>
    dplyr::summarise(n = dp_count(), h = dp_histogram(days, c(0, 10, 60))) |>
    exact_release()
  lines <- format(out)
  expect_match(lines, "^  h:$", all = FALSE)
  expect_length(grep("^  (North|South|East) +(0 to 10|10 to 60) ", lines), 6)
})

test_that("counts can be held at 0, and numbers rounded by their noise", {
  table <- people_to_try()
  query <- dplyr::count(table, region)
  out <- release(query, epsilon = 0.5, nonnegative = TRUE)
  tidy <- generics::tidy(out)
  expect_true(all(tidy$estimate >= 0 & tidy$conf.low >= 0))
  expect_identical(out$n, tidy$estimate)
  expect_match(format(out), "counts below 0 were set to 0", fixed = TRUE, all = FALSE)
  # The interval reaches 6 rows at epsilon 0.5: the first digit is a one's.
  rounded <- release(query, epsilon = 0.05, digits = "noise")
  expect_identical(rounded$n %% 10, c(0, 0, 0))
  expect_match(format(rounded), "rounded to the first digit", fixed = TRUE, all = FALSE)
  expect_match(format(release(query, epsilon = 0.05), digits = "noise"), "0 [", fixed = TRUE,
    all = FALSE
  )
  expect_error(release(query, epsilon = 1, digits = 3), class = "dp_error_invalid_argument")
})

test_that("all columns of a release are plotted", {
  out <- released_counts()
  withr::local_pdf(withr::local_tempfile(fileext = ".pdf"))
  for (what in c("n", "age", "q")) {
    expect_identical(plot(out, what), out)
    expect_s3_class(ggplot2::autoplot(out, what), "ggplot")
  }
  expect_error(plot(out, "other"), class = "dp_error_invalid_argument")
})

# Chance to fail: 20 releases, each below 5000 exp(-260 / 2) at most.
test_that("a median of values that many rows share is one of them", {
  skip_if_not_installed("dplyr")
  kids <- data.frame(kids = rep(0:5, c(2700, 2160, 860, 230, 40, 10)))
  table <- dp_tbl(dp_session(dp_epsilon(100)), kids,
    unit = dp_unit(rows = 1), domain = dp_domain(kids = dp_num(0, 15))
  )
  query <- dplyr::summarise(table, m = dp_median(kids), near = dp_median(kids, at = c(0.1, 0.9, 2)))
  for (i in 1:10) {
    released <- small(release(query, epsilon = 2))
    expect_identical(as.double(c(released$m, released$near)), c(1, 0.9))
  }
  aggregates <- dplyr::summarise(table,
    one = dp_median(kids), two = dp_quantile(kids, c(0.1, 0.9), method = "score"),
    three = dp_quantile(kids, 1:3 / 4), tree = dp_median(kids, method = "tree")
  )$aggregates
  methods <- unname(vapply(aggregates, `[[`, "", "method"))
  expect_identical(methods, c("rank", "rank", "automatic", "tree"))
})

test_that("a quantile by scores of values that may not exist has the declared range", {
  local_verbs()
  rows <- data.frame(x = rep(c(1, NA), each = 200), g = rep(c("a", "b"), each = 200))
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_schema(x = dp_num(0, 5),
    g = dp_levels("a", "b")
  ))
  marks <- function(query) {
    tidy <- generics::tidy(small(exact_release(query)))
    tidy <- tidy[tidy$term == "m", ]
    paste(tidy$mark, tidy$conf.low, tidy$conf.high)
  }
  range <- "range 0 5"
  unknown <- paste("unknown", NA, NA)
  empty <- paste("empty", NA, NA)
  # Nothing says whether there are values.
  expect_identical(marks(summarise(table, m = dp_median(x))), range)
  expect_identical(marks(summarise(filter(table, is.na(x)), m = dp_median(x))), range)
  expect_identical(marks(summarise(table, n = dp_count(), m = dp_median(x))), range)
  expect_identical(marks(summarise(filter(table, !is.na(x)), m = dp_median(x))), range)
  # A count of values does.
  grouped <- group_by(table, g)
  expect_identical(marks(summarise(grouped, a = dp_mean(x), m = dp_median(x))), c(unknown, empty))
  there <- filter(grouped, !is.na(x))
  expect_identical(marks(summarise(there, n = dp_count(), m = dp_median(x))), c(unknown, empty))
  none <- filter(grouped, g == "a")
  expect_identical(marks(summarise(none, n = dp_count(), m = dp_median(x))), range)
  # So does the root of a tree of the same values, with the same weights.
  tree <- quote(dp_quantile(x, 1:3 / 4, at = 0:5, method = "tree"))
  expect_identical(marks(summarise(grouped, q = !!tree, m = dp_median(x))), c(unknown, empty))
  heavy <- summarise(grouped, q = !!tree, m = dp_median(x, weights = pmin(x, 2)))
  expect_identical(marks(heavy), c(range, range))
})

test_that("bounds that are 1000 times too wide cost a median little, or are marked", {
  skip_if_not_installed("dplyr")
  table <- dp_tbl(dp_session(dp_epsilon(100)), PUMS5extract10000,
    unit = dp_unit(rows = 1), domain = dp_domain(income = dp_num(0, 5e7))
  )
  query <- dplyr::summarise(table,
    fine = dp_median(income), coarse = dp_median(income, at = seq(0, 5e7, 1e4))
  )
  released <- small(release(query, epsilon = 2))
  expect_lt(abs(as.double(released$fine) / stats::median(PUMS5extract10000$income) - 1), 0.06)
  expect_identical(generics::tidy(released)$mark, c("range", "cell"))
  expect_match(format(released), "represents a wide cell of values", all = FALSE)
})

test_that("a table with other rows or numbers than a release prints without its header", {
  local_verbs()
  table <- dp_tbl(plenty(), data.frame(g = c("a", "a", "b")), dp_unit(rows = 1),
    dp_schema(g = dp_levels("a", "b", "c"))
  )
  released <- small(release(count(table, g), epsilon = 1))
  zeros <- released
  zeros[] <- list(zeros$g, zeros$n)
  changed <- list(
    rbind(released, released), tibble::add_row(released, n = 1),
    tibble::add_column(released, z = 1),
    rapply(released, function(x) x * 0 - 1, classes = "numeric", how = "replace")
  )
  for (each in changed) {
    lines <- utils::capture.output(print(each))
    expect_false(any(grepl("Released|95%", lines)))
    if (inherits(each, "dp_released")) {
      expect_match(lines[[1]], "made from a release")
      expect_error(generics::tidy(each), "as `release()` returned it",
        fixed = TRUE, class = "dp_error_invalid_argument"
      )
    }
  }
  kept <- list(released, rename(released, k = g), stats::setNames(released, c("n", "g")))
  for (each in kept) expect_match(format(each)[[1]], "^Released")
})
