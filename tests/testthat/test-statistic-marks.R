# Marks of numbers that say little, in prints, documents, tables and pictures of statistics.

# The result that follows from these noisy numbers.
described <- function(statistic, release) described_result(plan_in(statistic), release)

rows_of_print <- function(result, term) {
  lines <- format(result)
  trimws(lines[startsWith(trimws(lines), paste0(term, " "))])
}

has_sign <- function(result, term) grepl("\\*$", rows_of_print(result, term))

said_of <- function(result) {
  c(
    paste(format(result), collapse = "\n"), generics::glance(result)$notes,
    paste(knitr::knit_print(result), collapse = "\n")
  )
}

letters_counted <- function(n = 1000, epsilon = 0.1, ...) {
  small(dpHistogram(variable = "x", bins = c("a", "b", "c"), n = n, epsilon = epsilon, ...))
}

test_that("a count has a sign if half of its interval exceeds it", {
  # The noise is within 60 of 0.
  result <- described(letters_counted(), c(800, 140, 20, 40))
  expect_identical(
    vapply(c("a", "b", "c", "NA"), has_sign, NA, result = result),
    c(a = FALSE, b = FALSE, c = TRUE, `NA` = TRUE)
  )
  for (said in said_of(result)) {
    expect_match(said, "*: mostly noise: the interval covers the declared range", fixed = TRUE)
  }
  sure <- described(letters_counted(), c(600, 200, 100, 100))
  expect_no_match(said_of(sure), "mostly noise")
  expect_false(any(grepl("mark", format(sure))))
})

test_that("tables name the mark of each number as released queries do", {
  marks <- function(result) generics::tidy(result)$mark
  of_counts <- described(letters_counted(), c(800, 140, -200, 40))
  expect_identical(marks(of_counts), c("", "", "below", "wide"))
  expect_identical(as.data.frame(of_counts)$mark, marks(of_counts))
  mean_at <- function(number, epsilon) {
    described(small(dpMean(variable = "x", n = 1000, rng = c(-5, 9), missing = "impute",
      epsilon = epsilon)), number)
  }
  expect_identical(marks(mean_at(5, 1)), "")
  expect_identical(marks(mean_at(9, 1)), "bound")
  expect_identical(marks(mean_at(0.01, 1)), "wide")
  expect_identical(marks(mean_at(5, 1e-4)), "range")
})

test_that("an interval that noise moved to an end of the range has a sign", {
  result <- described(letters_counted(), c(500, 600, -200, 100))
  ends <- as.data.frame(result)[3, c("conf.low", "conf.high")]
  expect_identical(unlist(ends, use.names = FALSE), c(0, 0))
  expect_true(has_sign(result, "c"))
})

test_that("a count whose noise is a trifle in the range has no sign", {
  exact <- small(exactly(letters_counted(n = 4, epsilon = 1e8)))
  for (none in c(-1e-6, 0, 1e-9)) {
    expect_no_match(said_of(described(exact, c(3, 1, none, 0))), "mostly noise")
  }
})

test_that("a number is wide if half of its interval is exactly the number, but not without noise", {
  statistic <- letters_counted()
  reach <- described(statistic, c(1, 1, 1, 1))$accuracy[[1]]
  marks <- generics::tidy(described(statistic, c(1000 - reach, reach, 500, 2 * reach)))$mark
  expect_identical(marks[c(1, 2, 3)], c("", "wide", ""))
})

test_that("the mean of a tree has an interval, and a status if noise hides it", {
  rows <- data.frame(x = rep(1:10, 100))
  mean_of <- function(range) {
    small(dpTree(variable = "x", n = 1000, rng = c(0, range), epsilon = 1))$release(rows)
  }
  near <- mean_of(20)
  expect_true(near$meanInterval[[1]] < 5.5 && 5.5 < near$meanInterval[[2]])
  expect_lt(diff(near$meanInterval), 5)
  far <- mean_of(1e5)
  expect_identical(far$status, "noise")
  expect_match(format(far), "meanInterval", all = FALSE)
  expect_match(format(far), "noise alone may have made a part", all = FALSE)
  few <- described(small(dpTree(variable = "x", n = 1000, rng = c(0, 4), depth = 1, globalEps = 1)),
    list(c(1, 1, 998)))
  expect_identical(few$meanInterval, c(NA_real_, NA_real_))
})

test_that("pictures draw marked numbers hollow and say why", {
  result <- described(letters_counted(), c(800, 140, 20, 40))
  shown <- picture(result, NULL, environment())
  expect_identical(shown$marked, c(FALSE, FALSE, TRUE, TRUE))
  expect_match(shown$note, "hollow")
  sure <- picture(described(letters_counted(), c(600, 200, 100, 100)), NULL, environment())
  expect_null(sure$marked)
  expect_no_match(sure$note, "hollow")
})

# The symbols of the last points that base graphics drew.
symbols_drawn <- function(result, count) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  plot(result)
  calls <- lapply(grDevices::recordPlot()[[1]], `[[`, 2)
  points <- Filter(function(call) identical(call[[1]]$name, "C_plotXY") && call[[3]] == "p", calls)
  utils::tail(as.numeric(unlist(lapply(points, `[[`, 4))), count)
}

test_that("numbers in strips are drawn hollow if they are marked", {
  rows <- data.frame(x = rep(0:1, 500), y = rep(c(2, 2, 3, 3), 250))
  plan <- exactly(dpLM(y ~ x, n = 1000, rng = list(c(0, 10), c(0, 1)), epsilon = 1e4))
  result <- exactly(plan$release(rows))
  marked <- as.data.frame(result)$mark != ""
  # The slope is 0, and its interval counts the sampling of the rows.
  expect_identical(marked, c(FALSE, TRUE))
  expect_identical(symbols_drawn(result, 2) == 1, marked)
})

test_that("a mean whose interval is the whole range is marked, and not as one at a bound", {
  statistic <- small(dpMean(variable = "x", n = 1000, rng = c(0, 100), epsilon = 0.1))
  # So few rows may be left that any mean is possible.
  result <- described(statistic, c(90, 1500))
  expect_identical(result$interval, c(0, 100))
  for (said in said_of(result)) {
    expect_match(said, "mostly noise: the interval covers the declared range", fixed = TRUE)
    expect_no_match(said, "reaches a bound")
  }
  many <- described(statistic, c(1000, 0))
  expect_no_match(said_of(many), "mostly noise")
})

test_that("a variance whose interval is twice as long as the number is marked", {
  statistic <- small(dpVariance(variable = "x", n = 400, rng = c(0, 100), epsilon = 0.3))
  # About the middle of the range: number, sum and sum of squares.
  expect_match(said_of(described(statistic, c(220, 0, 220 * 500))), "mostly noise", all = TRUE)
  expect_no_match(said_of(described(statistic, c(400, 0, 400 * 2000))), "mostly noise")
})

test_that("a leaf of a tree has a sign if its noise exceeds it", {
  statistic <- small(dpTree(variable = "x", n = 1000, rng = c(0, 4), depth = 2, globalEps = 1))
  release <- list(c(600, 400, 0), c(599, 1, 200, 200, 0))
  result <- described(statistic, release)
  found <- vapply(c("[0,1)", "[1,2)", "[2,3)"), has_sign, NA, result = result)
  expect_identical(unname(found), c(FALSE, TRUE, FALSE))
})

test_that("a leaf whose count noise moved below 0 has a sign", {
  statistic <- small(dpTree(variable = "x", n = 1000, rng = c(0, 4), depth = 2, globalEps = 1))
  # The noise of a leaf has a standard deviation of 5.7.
  result <- described(statistic, list(c(600, 400, 0), c(650, -50, 200, 200, 0)))
  table <- as.data.frame(result)
  expect_lt(table$estimate[[2]] + 2 * table$std.error[[2]], 0)
  expect_identical(table$mark, c("", "below", "", ""))
})

test_that("intervals that count sampling are uncertain, and not mostly noise", {
  difference <- small(dpMeanDifference(variable = "x", group = "g", groups = 0:1, n = 400,
    rng = c(0, 100), epsilon = 0.3))
  rows <- data.frame(x = rep(c(40, 60), 200), g = rep(0:1, each = 200))
  # The same mean in both groups: an estimate exceeds half of its interval in less than one of 1e9.
  loud <- small(exactly(dpMeanDifference(variable = "x", group = "g", groups = 0:1, n = 400,
    rng = c(0, 100), epsilon = 1e4)))$release(rows)
  expect_match(said_of(loud), "uncertain: the interval covers the declared range", all = TRUE)
  expect_no_match(said_of(loud), "mostly noise")
})

test_that("a quantile is as wide as the range if any rank is possible", {
  median_of <- function(n) {
    dpMedian(variable = "x", n = n, rng = c(0, 100), gridPoints = 101, epsilon = 1)
  }
  reach <- small(median_of(10))$accuracy
  # The rank n / 2 is off by at most n / 2.
  expect_warning(median_of(floor(2 * reach) - 1), class = "dp_warning_noise")
  expect_no_warning(median_of(ceiling(2 * reach) + 1), class = "dp_warning_noise")
  tail_of <- function(n) {
    dpQuantile(variable = "x", prob = 0.9, n = n, rng = c(0, 100), gridPoints = 101, epsilon = 1)
  }
  expect_warning(tail_of(floor(reach / 0.9) - 1), class = "dp_warning_noise")
  expect_no_warning(tail_of(ceiling(reach / 0.9) + 1), class = "dp_warning_noise")
  three <- function(n) {
    dpQuantiles(variable = "x", probs = c(0.1, 0.4, 0.9), n = n, rng = c(0, 100), gridPoints = 101,
      epsilon = 1)
  }
  reach <- small(three(10))$accuracy
  expect_warning(three(floor(reach / 0.6) - 1), class = "dp_warning_noise")
  expect_no_warning(three(ceiling(reach / 0.6) + 1), class = "dp_warning_noise")
})

test_that("a quantile of rows with a value says of how few rows it says nothing", {
  statistic <- small(dpMedian(variable = "x", n = 1000, rng = c(0, 100), gridPoints = 101,
    epsilon = 1))
  note <- paste("how many rows are left is not released: of", floor(2 * statistic$accuracy),
    "or fewer, a release says next to nothing")
  result <- described(statistic, 50)
  for (said in said_of(result)) expect_match(said, note, fixed = TRUE)
  imputes <- small(dpMedian(variable = "x", n = 1000, rng = c(0, 100), gridPoints = 101,
    epsilon = 1, missing = "impute"))
  expect_no_match(said_of(described(imputes, 50)), "not released")
})

test_that("a model of rows with a value says that it does not count them", {
  notes <- function(missing) {
    model <- small(dpGLM(formula = y ~ x, objective = "logit", n = 1000, epsilon = 1,
      rng = list(c(0, 1), c(0, 1)), missing = missing))
    paste(plan_in(model)$about$notes, collapse = "; ")
  }
  expect_match(notes("drop"), "how many rows are left is not released")
  expect_no_match(notes("impute"), "not released")
})

test_that("each status but ok is explained", {
  few <- described(small(dpMean(variable = "x", n = 1000, rng = c(0, 100), epsilon = 0.1)), c(3, 0))
  expect_identical(few$status, "few")
  expect_match(said_of(few), "noise hides how many rows have a value", all = TRUE)
  for (status in names(meaning_of_status)) {
    few$status <- status
    expect_match(said_of(few), paste0(status, "\" means that"), fixed = TRUE, all = TRUE)
  }
  few$status <- "ok"
  expect_no_match(said_of(few), "hides how many")
})

test_that("every statistic of 20 rows at a small loss marks its numbers", {
  marks <- "says next to nothing|mostly noise|uncertain|\"few\" means|\"noise\" means|not found"
  data <- data.frame(x = rep(c(0, 1), 10), y = rep(c(0, 1, 1, 0), 5), z = rep(0:1, 10))
  texts <- data.frame(x = rep(c("a", "b"), 10), y = rep(c(0, 1), 10))
  # No plan knows the accuracy of a regression by objective: its status does.
  for (name in setdiff(names(valid_arguments), c("dpGLM"))) {
    arguments <- valid_arguments[[name]]
    arguments$n <- 20
    loss <- intersect(c("epsilon", "globalEps"), names(arguments))
    arguments[[loss]] <- 0.05
    statistic <- small(do.call(generator_of(name), arguments))
    of_texts <- identical(arguments$varType, "character") || grepl("Contingency", name)
    result <- statistic$release(if (of_texts) texts else data)
    expect_match(paste(format(result), collapse = "\n"), marks, label = name)
  }
})
