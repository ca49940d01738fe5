# Survey designs as private tables.

skip_if_not_installed("dplyr", "1.0.10")
skip_if_not_installed("survey")

sample_of_schools <- function() {
  n <- 300
  data.frame(
    score = 400 + (seq_len(n) * 37) %% 400, pw = 10 + (seq_len(n) * 13) %% 40,
    district = rep(1:60, each = 5), kind = rep(c("E", "H"), length.out = n)
  )
}

design_of <- function(data = sample_of_schools()) {
  survey::svydesign(ids = ~district, weights = ~pw, strata = ~kind, data = data, nest = TRUE)
}

schools_in <- function(data, session = plenty(), unit = dp_unit(rows = 1)) {
  dp_tbl(session, data, unit, dp_domain(
    score = dp_num(0, 1000), pw = dp_num(0, 60), kind = dp_levels("E", "H")
  ))
}

test_that("a design is read as its rows, and weighted means are those of package survey", {
  local_verbs()
  data <- sample_of_schools()
  query <- schools_in(design_of()) |>
    group_by(kind) |>
    summarise(
      n = dp_count(weights = pw), score = dp_mean(score, weights = pw),
      total = dp_sum(score, weights = pw)
    )
  released <- exact_release(query)
  by_kind <- function(of) survey::svyby(of, ~kind, design_of(data), survey::svymean)$score
  expect_equal(released$score, by_kind(~score), tolerance = 1e-5)
  totals <- survey::svyby(~score, ~kind, design_of(data), survey::svytotal)$score
  expect_equal(released$total, totals, tolerance = 1e-5)
  expect_equal(released$n, as.vector(tapply(data$pw, data$kind, sum)), tolerance = 1e-5)
})

test_that("a table of a design prints its columns, and has the unit that was declared", {
  table <- schools_in(design_of())
  expect_output(print(table), "survey design: weights pw; clusters district; strata kind",
    fixed = TRUE
  )
  expect_output(print(table), "the unit is 1 row")
  clustered <- schools_in(design_of(), unit = dp_unit(id = district))
  expect_output(print(clustered), "the unit is district")
})

test_that("a design's weights need a declaration", {
  expect_error(
    dp_tbl(plenty(), design_of(), dp_unit(rows = 1), dp_domain(score = dp_num(0, 1000))), "`pw`",
    class = "dp_error_domain"
  )
})

test_that("each aggregate of a design warns without weights, and the release says so", {
  local_verbs()
  table <- schools_in(design_of())
  warns <- function(query, words) {
    expect_warning(query, words, class = "dp_warning_weights", fixed = TRUE)
  }
  warns(summarise(table, m = dp_mean(score)), "In `dp_mean(score)`, write `weights = pw`.")
  warns(count(table, kind), "`dp_count()` ignores them.")
  # Another aggregate with weights does not silence the warning.
  warns(summarise(table, n = dp_count(weights = pw), m = dp_mean(score)),
    "`dp_mean(score)` ignores"
  )
  sample <- "cannot have weights, so the result describes the sample."
  warns(summarise(table, v = dp_var(score)), paste("`dp_var(score)`", sample))
  warns(summarise(table, v = dp_sd(score)), "`dp_count(weights = pw)`")
  warns(summarise(table, h = dp_histogram(score, c(0, 500, 1000))), sample)
  warns(summarise(table, h = dp_n_missing(score), d = dp_n_distinct(kind)), sample)
  clustered <- schools_in(design_of(), unit = dp_unit(id = district)) |>
    dp_truncate(max_rows = 2) |>
    dp_per_unit(score = max(score))
  warns(summarise(clustered, m = dp_mean(score)), "`dp_per_unit(pw = max(pw))`")
  expect_no_warning(summarise(table, m = dp_mean(score, weights = pw), n = dp_count(weights = pw)))
  expect_no_warning(summarise(schools_in(sample_of_schools()), m = dp_mean(score)))
  query <- suppressWarnings(summarise(table, n = dp_count(weights = pw), m = dp_mean(score)))
  expect_match(format(exact_release(query)),
    "without the weights of the survey design: dp_mean(score)", fixed = TRUE, all = FALSE
  )
})

test_that("designs whose weights are not a column are refused", {
  data <- sample_of_schools()
  refused <- function(design) {
    expect_error(schools_in(design), class = "dp_error_source")
  }
  refused(survey::svydesign(ids = ~1, weights = data$pw, data = data))
  refused(survey::svydesign(ids = ~1, probs = ~ I(1 / pw), data = data))
  refused(survey::as.svrepdesign(survey::svydesign(ids = ~1, weights = ~pw, data = data)))
  refused(survey::postStratify(design_of(), ~kind, data.frame(kind = c("E", "H"), Freq = 1e4)))
  expect_no_error(schools_in(suppressWarnings(survey::svydesign(ids = ~1, data = data))))
})
