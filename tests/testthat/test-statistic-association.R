two_by_two <- function(epsilon = exact_epsilon, ...) {
  small(exactly(dpContingency(c("sex", "married"), list(0:1, 0:1), n = 10000, epsilon = epsilon,
    ...)))
}

test_that("without noise it is Pearson's test", {
  result <- released(two_by_two())
  found <- dp_association(result)
  data <- PUMS5extract10000
  theirs <- stats::chisq.test(table(data$sex, data$married), correct = FALSE)
  expect_equal(found$statistic, theirs$statistic)
  expect_equal(found$parameter, theirs$parameter)
  expect_equal(found$expected, theirs$expected, ignore_attr = TRUE)
  v <- sqrt(unname(theirs$statistic) / 10000)
  expect_equal(unname(found$estimate), v)
  expect_true(found$conf.int[[1]] < v && v < found$conf.int[[2]])
  expect_lt(diff(found$conf.int), 0.1)
  # For the data as used there is no uncertainty.
  exact <- dp_association(result, sampling = FALSE)$conf.int
  expect_equal(as.vector(exact), c(v, v), tolerance = 1e-6)
  # Weak association: 1.14% by Pearson's test. The draws follow its law.
  weak <- small(exactly(dpContingency(c("x", "y"), list(0:1, 0:1), n = 1000,
    epsilon = exact_epsilon)))
  data <- data.frame(x = rep(c(0, 1, 0, 1), c(270, 230, 230, 270)), y = rep(0:1, each = 500))
  theirs <- stats::chisq.test(table(data), correct = FALSE)$p.value
  # The largest of ten p-values of 4000 draws: each is off by less than 7 standard deviations.
  expect_lt(abs(dp_association(weak$release(data), draws = 4000)$p.value - theirs), 0.012)
  expect_output(print(found), "Cramer's V")
  expect_s3_class(found, "htest")
})

test_that("two variables are found in larger tables and in margins", {
  whole <- small(exactly(dpContingency(c("sex", "educ", "married"), list(0:1, 1:16, 0:1),
    n = 10000, epsilon = exact_epsilon, missing = "drop")))
  margins <- small(exactly(dpContingency(c("sex", "educ", "married"), list(0:1, 1:16, 0:1),
    list(c("sex", "educ"), c("sex", "married")), 10000, exact_epsilon)))
  expected <- dp_association(released(two_by_two()))
  for (plan in list(whole, margins)) {
    found <- dp_association(released(plan), c("married", "sex"))
    expect_equal(found$statistic, expected$statistic)
    expect_equal(found$observed, t(expected$observed), ignore_attr = "class")
    expect_identical(dim(found$observed), c(2L, 2L))
  }
  expect_refused(dp_association(released(margins), c("educ", "married")), "variables")
  expect_refused(dp_association(released(whole)), "variables")
  expect_refused(dp_association(released(whole), "sex"), "variables")
  expect_refused(dp_association(released(mean_of())), "result")
  expect_refused(dp_association(two_by_two()), "result")
})

test_that("results of tables counted for margins use the counted table", {
  summed <- two_by_two(margins = list("sex", "married"))
  expect_identical(summed$design, "table")
  expect_equal(dp_association(released(summed))$statistic,
    dp_association(released(two_by_two()))$statistic)
})

test_that("samples follow the multinomial law, for any number of rows", {
  withr::local_seed(11)
  rows <- multinomial_draws(c(2, 0, 5, 3, 0), 1e10, 200)
  expect_equal(colSums(rows), rep(1e10, 200))
  expect_identical(unique(c(rows[c(2, 5), ])), 0)
  # Five standard deviations of the means.
  expect_true(all(abs(rowMeans(rows)[c(1, 3, 4)] - c(2, 5, 3) * 1e9) < 5 * 5e4 / sqrt(200)))
  small <- multinomial_draws(c(1, 1), 3, 4000)[1, ]
  expect_gt(stats::chisq.test(tabulate(small + 1, 4), p = c(1, 3, 3, 1) / 8)$p.value, 1e-6)
})

# A level without rows, apart from noise. Its margin is drawn above 0 in about half of the
# populations, in less than a tenth or more than nine tenths of 500 with a chance below 1e-60.
test_that("populations of the test have the margins that noise leaves open", {
  counts <- as.vector(rbind(c(60, 30), c(70, 40), c(-1, 1)))
  table <- list(n = 200, terms = 1, counts = counts, epsilon = 1, levels = c(3, 2), inner = 1:6)
  around <- function(table) {
    independent_populations(table$counts + table_noise(table, 500), table)
  }
  drawn <- around(table)
  expect_equal(colSums(drawn), rep(200, 500))
  rare <- drawn[3, ] + drawn[6, ]
  expect_true(mean(rare > 0) > 0.1 && mean(rare > 0) < 0.9)
  expect_equal(drawn[1, ] * drawn[5, ], drawn[2, ] * drawn[4, ])
  # Cells of other levels are not part of the independence.
  gaps <- utils::modifyList(table, list(
    counts = c(50, 20, 3, 30, 60, 2, 4, 1, 0), levels = c(2, 2), inner = c(1, 2, 4, 5)
  ))
  drawn <- around(gaps)
  expect_equal(colSums(drawn), rep(200, 500))
  expect_equal(drawn[1, ] * drawn[5, ], drawn[2, ] * drawn[4, ])
  expect_gte(min(drawn), 0)
})

# The classical test of the noisy counts rejects much too often. A test that keeps its level fails
# with a probability of 1e-9.
test_that("independence is rejected at the rate of the level, if it holds", {
  plan <- small(dpContingency(c("x", "y"), list(1:3, 1:4), n = 200, epsilon = 0.2))
  runs <- in_tier(200, 4000)
  # Intervals take most of the time, and this test does not use them.
  local_replaced("v_interval", function(...) c(0, 1))
  found <- replicate(runs, {
    data <- data.frame(
      x = sample(3, 200, TRUE, c(7, 2, 1)), y = sample(4, 200, TRUE, c(12, 6, 1, 1))
    )
    result <- plan$release(data)
    classical <- suppressWarnings(stats::chisq.test(as.table(result)))$p.value
    # A table with an empty level has no classical test.
    c(dp_association(result, draws = 100)$p.value, if (is.na(classical)) 1 else classical)
  })
  expect_lte(sum(found[1, ] <= 0.05), most_of(runs, 0.08))
  expect_gt(sum(found[2, ] <= 0.05), runs / 4)
})

test_that("intervals cover the population's Cramer's V, whether large or zero", {
  margins <- outer(c(0.5, 0.3, 0.2), c(0.6, 0.4))
  pull <- outer(c(1, 0, -1), c(1, -1)) / 10
  runs <- in_tier(200, 2000)
  plan <- small(dpContingency(c("x", "y"), list(1:3, 1:2), n = 1000, epsilon = 0.5))
  # The test has ten times the draws of each interval point, and this test does not use it.
  draw <- noisy_draws
  local_replaced("noisy_draws", function(counts, table, sampling, draws, ...) {
    draw(counts, table, sampling, min(draws, 100), ...)
  })
  for (strength in c(0, 0.5, 1)) {
    shares <- margins + strength * pull
    v <- sqrt(sum((strength * pull)^2 / margins))
    hits <- replicate(runs, {
      cell <- sample(6, 1000, TRUE, shares) - 1
      result <- plan$release(data.frame(x = cell %% 3 + 1, y = cell %/% 3 + 1))
      ends <- dp_association(result, draws = 100)$conf.int
      ends[[1]] <= v && v <= ends[[2]]
    })
    expect_gte(sum(hits), least_of(runs, 0.9))
  }
})

test_that("the same seed gives the same test", {
  result <- released(two_by_two(0.5))
  again <- function() withr::with_seed(1, dp_association(result))
  expect_identical(again(), again())
})

test_that("tables of a single row, or of no rows at all, have no association", {
  plan <- small(dpContingency(c("x", "y"), list(1:2, 1:2), n = 50, epsilon = 2.9, missing = "drop"))
  none <- dp_association(plan$release(data.frame(x = rep(NaN, 50), y = 1)))
  expect_true(all(is.finite(c(none$statistic, none$estimate, none$conf.int, none$p.value))))
  # More than twelve of twenty tests at level 0.05 reject with probability at most 1e-11.
  rejected <- replicate(20, {
    dp_association(plan$release(data.frame(x = rep(1, 50), y = 1)))$p.value <= 0.05
  })
  expect_lte(sum(rejected), stats::qbinom(1e-11, 20, 0.05, lower.tail = FALSE))
})

test_that("quantiles of draws exclude a further draw at the stated rate", {
  expect_equal(middle_of_draws(sample(99), 0.1), c(5, 95))
  expect_equal(middle_of_draws(c(3, 1, 2), 0.5), c(1, 3))
})

# The noise of large tables, cut down to its blocks: `sizes` gets the numbers of each.
counted_blocks <- function(env = parent.frame()) {
  seen <- new.env()
  seen$draws <- numeric()
  seen$numbers <- numeric()
  local_replaced("noisy_draws", function(counts, table, sampling, draws, ...) {
    seen$draws <- c(seen$draws, draws)
    seen$numbers <- c(seen$numbers, length(counts) * draws)
    matrix(counts, length(counts), draws)
  }, env)
  seen
}

test_that("tables are simulated in blocks whose size does not grow with cells or draws", {
  levels <- seq_len(60)
  plan <- small(exactly(dpContingency(c("x", "y"), list(levels, levels), n = 10,
    epsilon = exact_epsilon, missing = "drop")))
  result <- plan$release(data.frame(x = 1:10, y = 1:10))
  for (draws in c(100, 291, 1000)) {
    seen <- counted_blocks()
    dp_association(result, draws = draws)
    expect_lte(max(seen$numbers), 2^20)
    expect_equal(sum(seen$draws), draws * (10 + length(strengths)))
  }
  # A table that is a block alone.
  local_replaced("largest_block", 1)
  seen <- counted_blocks()
  found <- dp_association(released(two_by_two()), draws = 100)
  expect_identical(unique(seen$draws), 1)
  expect_equal(as.vector(found$conf.int), rep(unname(found$estimate), 2), tolerance = 1e-6)
})

test_that("blocks of draws are put together in their order, with a row for each point", {
  local_replaced("largest_block", 6)
  from <- 0
  count <- function(size) {
    from <<- from + size
    matrix(seq(to = from, length.out = size), 2, size, byrow = TRUE)
  }
  expect_equal(in_blocks_of_draws(3, 7, count), matrix(1:7, 2, 7, byrow = TRUE))
})

test_that("a simulation that would take hours is refused before it starts", {
  result <- released(two_by_two(missing = "impute"))
  local_replaced("noisy_draws", function(...) stop("drawn"))
  error <- condition_of(dp_association(result, draws = 3e7))
  expect_s3_class(error, "dp_error_invalid_argument")
  expect_match(conditionMessage(error), "at most 29020049 for a table of 4 cells, not 3")
})
