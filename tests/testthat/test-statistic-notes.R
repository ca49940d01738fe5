# Notes in prints, tables and captions about how values were read.

noted_rows <- data.frame(
  x = c(seq(0, 99), NA), y = seq_len(101), flag = rep(0:2, length.out = 101)
)
noted <- function(generator, ..., data = noted_rows) {
  small(exactly(generator(..., n = nrow(data), epsilon = 1e6)))$release(data)
}
expect_noted <- function(result, note, noted = TRUE) {
  lines <- if (noted) note else character()
  expect_identical(intersect(trimws(format(result)), note), lines)
  expect_identical(grepl(note, generics::glance(result)$notes, fixed = TRUE), noted)
  expect_identical(any(grepl(note, knitr::knit_print(result), fixed = TRUE)), noted)
}

test_that("a result names the declared bounds of its values", {
  expect_noted(noted(dpMean, variable = "x", rng = c(50, 0)), "x counts as 0 to 50 (declared)")
  expect_noted(noted(dpMedian, variable = "x", rng = c(0, 50)), "x counts as 0 to 50 (declared)")
  expect_noted(noted(dpVariance, variable = "x", rng = c(0, 50)), "x counts as 0 to 50 (declared)")
  line <- noted(dpLM, y ~ x, rng = list(c(0, 80), c(0, 50)))
  for (note in c("y counts as 0 to 80 (declared)", "x counts as 0 to 50 (declared)")) {
    expect_noted(line, note)
  }
  named <- noted(dpLM, y ~ x, rng = list(x = c(0, 50), y = c(0, 80)))
  expect_noted(named, "y counts as 0 to 80 (declared)")
  pair <- noted(dpCorrelation, c("x", "y"), rng = list(c(0, 50), c(0, 80)))
  expect_noted(pair, "x counts as 0 to 50 (declared)")
})

test_that("a histogram says where values outside of its edges are", {
  cells <- function(...) noted(dpHistogram, variable = "x", bins = c(0, 20, 50), ...)
  expect_noted(cells(), "values outside of 0 to 50 and missing ones are in the cell NA")
  expect_noted(cells(closed = "right"), "values outside of 0 to 50 count in the nearest cell")
  expect_noted(cells(closed = "right"), "missing values are in the cell NA")
  imputed <- cells(missing = "impute")
  expect_noted(imputed, "values outside of 0 to 50 count in the nearest cell")
  expect_noted(imputed, "missing values are in the cell NA", FALSE)
})

test_that("counts of levels say where values that are not declared count", {
  rows <- data.frame(a = rep(c("x", "y", "X", NA), 25), b = rep(1:2, 50))
  note <- "values that are missing or not declared count as NA"
  expect_noted(noted(dpHistogram, variable = "a", bins = c("x", "y"), data = rows), note)
  table <- noted(dpContingency, c("a", "b"), list(c("x", "y"), 1:2), data = rows)
  expect_noted(table, note)
})

test_that("cells between whole edges say which cell has two codes", {
  cells <- function(bins) noted(dpHistogram, variable = "x", bins = bins)
  note <- "the last cell has 15 and 16: `bins = 1:17 - 0.5` has a cell for each whole number"
  expect_noted(cells(1:16), note)
  expect_noted(cells(1:17 - 0.5), note, FALSE)
  expect_noted(cells(c(1, 2, 16)), note, FALSE)
})

test_that("a test of independence says if its p-value is the least of its draws", {
  rows <- data.frame(a = rep(1:2, each = 500), b = rep(1:2, each = 500))
  plan <- small(dpContingency(c("a", "b"), list(1:2, 1:2), n = 1000, epsilon = 1))
  found <- dp_association(plan$release(rows), draws = 100)
  expect_match(found$method, "(100 draws: p <= 0.0099)", fixed = TRUE)
})

test_that("a result says how numbers were converted", {
  whole <- function(...) noted(dpMean, varType = "integer", variable = "x", rng = c(0, 50), ...)
  expect_noted(whole(), "fractions count as the nearest whole number")
  expect_noted(whole(conversion = "truncate"), "fractions are cut off")
  share <- noted(dpMean, varType = "logical", variable = "flag")
  expect_noted(share, "numbers other than 0 and 1 are missing")
})

test_that("a result says that rows without a value are left out", {
  mean <- noted(dpMean, variable = "x", rng = c(0, 50))
  expect_noted(mean, "rows without `x` are left out")
  expect_match(format(mean), "nPresent .* rows with a value, with noise", all = FALSE)
  imputed <- noted(dpMean, variable = "x", rng = c(0, 50), missing = "impute")
  expect_noted(imputed, "rows without `x` are left out", FALSE)
  model <- noted(dpGLM, formula = flag ~ x, rng = list(c(0, 1), c(0, 50)), objective = "logit")
  expect_noted(model, "rows without a value in any column are left out")
  expect_identical(nobs(model), NA_real_)
  expect_identical(nobs(mean), 100)
})

test_that("a median of numbers warns of heaps if its score balances rows", {
  heaps <- 'a number beside a value that many rows share is possible: use score = "nearest"'
  of_heaps <- function(...) noted(dpMedian, variable = "x", rng = c(0, 99), ...)
  expect_noted(of_heaps(), heaps, FALSE)
  expect_noted(of_heaps(score = "balance"), heaps)
  expect_noted(of_heaps(varType = "integer", score = "balance"), heaps, FALSE)
})

test_that("a mean at a bound of its range says so", {
  at <- paste("the number reaches a bound of `rng`: many values may lie beyond it. Widen `rng`",
    "to include them"
  )
  beyond <- data.frame(x = rep(500, 101))
  # The interval misses the mean, which is the bound, with a chance of `alpha`.
  expect_noted(noted(dpMean, variable = "x", rng = c(0, 100), data = beyond, alpha = 1e-12), at)
  expect_noted(noted(dpMean, variable = "x", rng = c(0, 100)), at, FALSE)
  shares <- noted(dpMean, varType = "logical", variable = "x", data = data.frame(x = rep(1, 101)))
  expect_noted(shares, at, FALSE)
})

test_that("quantiles and block results at a bound say so, and advise to widen it", {
  beyond <- data.frame(x = rep(500, 101))
  at <- "the number reaches a bound of `rng`: many values may lie beyond it. Widen `rng` to include"
  for (statistic in c(dpMedian, dpQuantile, dpQuantiles)) {
    of <- function(data) {
      arguments <- list(variable = "x", rng = c(0, 100), n = 101, epsilon = 1e3)
      if ("prob" %in% names(formals(statistic))) arguments$prob <- 0.4
      if ("probs" %in% names(formals(statistic))) arguments$probs <- c(0.4, 0.6)
      exactly(do.call(statistic, arguments))$release(data)
    }
    said <- of(beyond)
    expect_match(format(said), at, fixed = TRUE, all = FALSE)
    expect_no_match(format(said), "narrow")
    expect_true(all(generics::tidy(said)$mark == "bound"))
    expect_false("bound" %in% generics::tidy(of(data.frame(x = rep(50, 101))))$mark)
  }
  for (aggregate in c("Mean", "Median")) {
    blocks <- exactly(dpSampleAndAggregate(innerFun = function(x) 0.6, variable = "x", n = 101,
      rng = c(0, 100), outputRange = c(0, 0.3), epsilon = 1e3, numSubsets = 20,
      aggregationFun = aggregate))$release(beyond)
    expect_match(format(blocks), "Widen `outputRange` to include them", fixed = TRUE, all = FALSE)
    expect_identical(generics::tidy(blocks)$mark, "bound")
  }
  tree <- exactly(dpTree(variable = "x", n = 101, rng = c(0, 100), epsilon = 1e3))$release(beyond)
  expect_match(format(tree), "Widen `rng` to include them", fixed = TRUE, all = FALSE)
  expect_no_match(format(tree), "narrow")
})

test_that("summaries of statistics and releases of queries have their notes in a column", {
  plan <- dpMean(variable = "x", n = 101, rng = c(0, 50), epsilon = 1)
  expect_match(summary(plan)$notes, "x counts as 0 to 50 (declared)", fixed = TRUE)
  local_verbs()
  table <- dp_tbl(plenty(), noted_rows, dp_unit(id = y), dp_domain(x = dp_num(0, 50)))
  query <- summarise(dp_truncate(table, max_rows = 1), m = dp_mean(x))
  notes <- generics::glance(release(query, epsilon = 1e6))$notes
  expect_match(notes, "x counts as 0 to 50 (declared)", fixed = TRUE)
  expect_match(notes, "at most 1 row", fixed = TRUE)
})

test_that("clusters say that rows without a value are left out", {
  rows <- data.frame(x = seq(0, 1, length.out = 200), y = rep(0:1, 100))
  plan <- dpKMeans(columns = c("x", "y"), k = 2, n = 200, rng = list(c(0, 1), c(0, 1)), epsilon = 1)
  notes <- reading_notes(plan$release(rows))
  expect_true("rows without a value in any column are left out" %in% notes)
})

test_that("models with factors say that rows without a value are left out", {
  left_out <- "rows without a value in any column are left out"
  notes <- function(class, ...) {
    plan <- class$new(
      formula = y ~ x + g, n = 500, rng = list(y = c(0, 1), x = c(0, 1)),
      levels = list(g = c("a", "b")), epsilon = 1, ...
    )
    rows <- data.frame(y = rep(0:1, 250), x = seq(0, 1, length.out = 500), g = c("a", "b"))
    reading_notes(plan$release(rows))
  }
  expect_true(left_out %in% notes(dpLM))
  expect_true(left_out %in% notes(dpGLM, objective = "logit"))
})
