genders <- c(0, 1)

table_plan <- function(..., epsilon = exact_epsilon, n = 10000, missing = "impute") {
  small(exactly(dpContingency(..., n = n, epsilon = epsilon, missing = missing)))
}

sex_and_educ <- function(...) {
  table_plan(c("sex", "educ"), list(sex = genders, educ = 1:16), ...)
}

test_that("without noise it is table()", {
  result <- released(sex_and_educ())
  counted <- with(PUMS5extract10000, table(sex = factor(sex, genders), educ = factor(educ, 1:16)))
  expect_equal(as.table(result), counted, ignore_attr = "class")
  expect_equal(result$release, as.data.frame(counted, responseName = "count"))
  expect_equal(result$counts, result$release)
  expect_identical(as.data.frame(result)$term[c(1, 2, 32)],
    c("sex=0:educ=1", "sex=1:educ=1", "sex=1:educ=16"))
  expect_equal(unclass(stats::xtabs(count ~ sex + educ, result$counts)), unclass(counted),
    ignore_attr = TRUE)
})

test_that("levels are matched by name in text, factor and logical columns", {
  data <- data.frame(
    a = c("x", "y", "x", "z"), b = factor(c("u", "v", "u", "v")), c = c(TRUE, FALSE, TRUE, TRUE)
  )
  plan <- table_plan(c("a", "b", "c"), list(c = genders, b = c("v", "u"), a = c("x", "y", "z")),
    n = 4)
  expect_identical(plan$levels, list(c("x", "y", "z"), c("v", "u"), genders))
  counted <- table(a = data$a, b = factor(data$b, c("v", "u")), c = factor(data$c + 0, genders))
  expect_equal(as.table(plan$release(data)), counted, ignore_attr = "class")
})

test_that("missing and undeclared values have their own level, or become levels", {
  data <- data.frame(a = c("x", NA, "y", "q", "x", "x"), b = c(1, 2, NaN, 1, 7, 2))
  count <- function(...) {
    result <- table_plan(c("a", "b"), list(c("x", "y"), 1:2), n = 6, ...)$release(data)
    as.table(result)
  }
  dropped <- count(missing = "drop")
  expect_identical(dimnames(dropped), list(a = c("x", "y", "NA"), b = c("1", "2", "NA")))
  expect_equal(as.vector(dropped), c(1, 0, 1, 1, 0, 1, 1, 1, 0))
  other <- count(other = TRUE)
  expect_identical(dimnames(other), list(a = c("x", "y", "(other)"), b = c("1", "2", "(other)")))
  expect_equal(as.vector(other), as.vector(dropped))
  drawn <- count()
  expect_identical(dim(drawn), c(2L, 2L))
  expect_equal(sum(drawn), 6)
  expect_true(drawn["x", "1"] >= 1 && drawn["x", "2"] >= 1)
  named <- table_plan(c("a", "b"), list(c("NA", "y"), 1:2), n = 6, missing = "drop")
  expect_identical(levels(named$release(data)$release$a), c("NA", "y", "NA.1"))
})

# Chosen by the smaller sum of variances, by hand: 8 K m against 8 (sum of c^(1/3))^3.
test_that("the design has the least noise, and its shares minimise it", {
  design <- function(sizes, margins, missing = "impute", ...) {
    levels <- lapply(sizes, seq_len)
    small(dpContingency(
      letters[seq_along(sizes)], levels, margins, 1000, 1, missing = missing, ...
    ))
  }
  expect_identical(design(c(2, 2), list("a", "b"))$design, "table")
  expect_identical(design(c(5, 5), list("a", "b"))$design, "margins")
  expect_identical(design(c(4, 4), list("a", "b"))$design, "table")  # 32 and 32
  expect_identical(design(c(4, 4), list("a", "b"), missing = "drop")$design, "margins")
  expect_identical(design(c(5, 5), NULL)$design, "table")
  expect_identical(design(c(5, 5), list(c("b", "a")))$design, "table")
  plan <- design(c(8, 27, 2), list("a", "b"))
  expect_equal(plan$accuracy, whole_accuracy(c(2, 3) / 5, 0.05))
  expect_lte(plan$epsilon, 1)
  expect_equal(plan$epsilon, 1)
  # No other shares have a smaller sum of variances.
  total <- function(first) 8 / first^2 + 27 / (1 - first)^2
  expect_equal(stats::optimize(total, c(0, 1))$minimum, 2 / 5, tolerance = 1e-4)
  summed <- design(c(2, 2), list("a", c("a", "b")))
  expect_equal(summed$accuracy[[2]], whole_accuracy(1, 0.05))
  expect_equal(summed$accuracy[[1]], ceiling(error_reach(0, matrix(sqrt(8), 1, 2), 0.05)))
  # With many terms the sum is nearly normal.
  expect_equal(sum_reach(65, 1, 0.05), error_reach(0, matrix(sqrt(8), 1, 65), 0.05),
    tolerance = 0.01)
  # For rarer events there is a bound, which is much larger.
  expect_equal(sum_reach(2, 1, 0.9e-9), 4 * log(2 / 0.9e-9))
  expect_lt(sum_reach(2, 1, 1.1e-9), 60)
})

test_that("margins of a table with too many cells for numbers are counted directly", {
  data <- as.data.frame(lapply(stats::setNames(nm = letters[1:20]), function(name) rep(1:2, 50)))
  plan <- table_plan(letters[1:20], rep(list(1:10), 20), list(c("a", "t"), "b"), n = 100)
  expect_identical(plan$design, "margins")
  counts <- as.table(plan$release(data), "a:t")
  expect_equal(unname(diag(counts)[1:2]), c(50, 50))
  expect_refused(table_plan(letters[1:20], rep(list(1:10), 20)), "levels")
  expect_refused(table_plan(letters[1:7], rep(list(1:10), 7), list(letters[1:7])), "margins")
  expect_refused(
    table_plan(letters[1:8], rep(list(1:10), 8), list(letters[1:6], letters[3:8])), "margins"
  )
})

test_that("margins of both designs match the data, and agree", {
  sets <- list(c("sex", "educ"), c("sex", "married"), "educ")
  for (case in list(list("table", sets), list("margins", sets[1:2]))) {
    plan <- table_plan(c("sex", "married", "educ"), list(genders, genders, 1:16), case[[2]])
    expect_identical(plan$design, case[[1]])
    result <- released(plan)
    expect_named(result$release, vapply(case[[2]], paste, "", collapse = ":"))
    for (name in names(result$release)) {
      columns <- PUMS5extract10000[strsplit(name, ":")[[1]]]
      columns[] <- Map(factor, columns, lapply(result$release[[name]][names(columns)], levels))
      expect_equal(as.table(result, name), table(columns), ignore_attr = "class")
    }
  }
  noisy <- released(table_plan(
    c("sex", "married", "educ"), list(genders, genders, 1:16), sets[1:2], epsilon = 0.002
  ))
  expect_identical(noisy$design, "margins")
  expect_true(min(unlist(lapply(noisy$release, `[[`, "count"))) < 0)
  for (table in noisy$counts) {
    expect_gte(min(table$count), 0)
    expect_equal(sum(table$count), 10000)
  }
  expect_equal(
    rowSums(as.table(noisy, 1)), rowSums(as.table(noisy, "sex:married")), tolerance = 1e-7
  )
  expect_refused(as.table(noisy, 3), "margin")
  expect_refused(as.table(noisy, "educ"), "margin")
})

test_that("a table counted for its margins is returned, and they are its sums", {
  plan <- table_plan(c("sex", "married"), list(genders, genders), list("sex", "married"),
    epsilon = 0.5)
  expect_identical(plan$design, "table")
  result <- released(plan)
  whole <- stats::xtabs(count ~ sex + married, result$table)
  expect_equal(result$release$sex$count, as.vector(rowSums(whole)))
  expect_equal(result$release$married$count, as.vector(colSums(whole)))
  expect_equal(sum(result$counts$sex$count), 10000)
})

# Discrete Laplace noise of scale 2 / epsilon on each cell: mass and distribution of the law are
# known, here of all cells of 600 releases.
test_that("noise has the exact law, in tables and in margins", {
  epsilon <- 1.5
  expect_law <- function(noise, loss) {
    p <- exp(-loss / 2)
    at <- -4:4
    mass <- c((1 - p) / (1 + p) * p^abs(at))
    found <- c(vapply(at, function(z) sum(noise == z), 0), sum(abs(noise) > 4))
    expect_true(has_law(found, c(mass, 1 - sum(mass))))
    expect_identical(noise, round(noise))
    # The same test detects smaller noise.
    q <- exp(-1.3 * loss / 2)
    other <- (1 - q) / (1 + q) * q^abs(at)
    expect_false(has_law(found, c(other, 1 - sum(other))))
  }
  data <- data.frame(x = rep(0:1, 5), y = rep(0:4, 2))
  plan <- table_plan(c("x", "y"), list(0:1, 0:4), n = 10, epsilon = epsilon)
  noise <- replicate(600, plan$release(data)$release$count - 1)
  expect_law(as.vector(noise), epsilon)
  plan <- table_plan(c("x", "y"), list(0:7, 0:7), list("x", "y"), n = 10, epsilon = epsilon)
  expect_identical(plan$design, "margins")
  exact <- tabulate(data$x + 1, 8)
  noise <- replicate(600, plan$release(data)$release$x$count - exact)
  expect_law(as.vector(noise), epsilon / 2)
})

# All pairs of datasets of two rows that differ in one, with levels, gaps and other values.
test_that("D_SEN_1 one replaced row moves the exact counts by two at most, in each table", {
  values <- expand.grid(x = c(0, 1, NA, 9), y = c(0, 1, NA))
  all <- expand.grid(first = seq_len(nrow(values)), second = c(1, 5, 9))
  plans <- list(
    table_plan(c("x", "y"), list(0:1, 0:1), n = 2, missing = "drop"),
    table_plan(c("x", "y"), list(0:4, 0:4), list("x", "y"), n = 2, other = TRUE)
  )
  for (plan in plans) {
    counts <- apply(all, 1, function(rows) {
      read <- read_columns(plan$.__enclos_env__$private$.plan, values[rows, ])
      unlist(in_doubles(plan$measurement(arg = read)))
    })
    moved <- vapply(split(as.data.frame(t(counts)), all$second), function(counts) {
      max(stats::dist(counts, "manhattan"))
    }, 0)
    tables <- if (plan$design == "table") 1 else 2
    expect_equal(unname(moved), rep(2 * tables, 3))
  }
})

test_that("the loss is the map of the measurement that runs, even for several margins", {
  for (margins in list(NULL, list("a", "b"), list(c("a", "b"), c("b", "c"), "a"))) {
    for (epsilon in c(0.1, 1 / 3, 1, 2.7)) {
      plan <- table_plan(c("a", "b", "c"), list(1:7, 1:6, 1:5), margins, epsilon = epsilon)
      expect_identical(plan$epsilon, plan$measurement(d_in = 1L))
      expect_lte(plan$epsilon, epsilon)
      expect_equal(plan$epsilon, epsilon, tolerance = 1e-12)
    }
  }
})

test_that("counts are as accurate as a histogram's", {
  # Root mean squares of 32 cells at these losses: sqrt(8) / epsilon, or less if noise is coarse.
  for (case in list(c(0.1, 28.3), c(0.5, 5.66), c(1, 2.83), c(5, 0.442))) {
    plan <- sex_and_educ(epsilon = case[[1]])
    exact <- released(sex_and_educ())$release$count
    noise <- replicate(150, released(plan)$release$count - exact)
    expect_equal(sqrt(mean(noise^2)), case[[2]], tolerance = 0.15)
    counts <- replicate(20, released(plan)$counts$count - exact)
    expect_lt(sqrt(mean(counts^2)), 1.5 * case[[2]])
  }
})

test_that("a warning says that the noise is as large as the counts", {
  expect_warning(
    dpContingency(c("a", "b"), list(1:50, 1:50), n = 1000, epsilon = 1, missing = "impute"),
    class = "dp_warning_noise"
  )
  expect_no_warning(dpContingency(c("a", "b"), list(1:5, 1:5), n = 1000, epsilon = 1))
})

test_that("invalid arguments raise errors before data are read", {
  plan <- function(variables = c("a", "b"), levels = list(1:2, 1:2), margins = NULL, ...) {
    small(dpContingency(variables, levels, margins, 100, 1, ...))
  }
  expect_s3_class(plan(), "dpContingency")
  expect_refused(plan("a"), "variables")
  expect_refused(plan(c("a", "a")), "variables")
  expect_refused(plan(c("a", "count")), "variables")
  expect_refused(plan(levels = list(1:2)), "levels")
  expect_refused(plan(levels = list(1:2, 1)), "levels")
  expect_refused(plan(levels = list(1:2, c("x", "x"))), "levels")
  expect_refused(plan(levels = list(1:2, c("x", "\xff"))), "levels")
  expect_refused(plan(levels = list(1:2, c(TRUE, FALSE))), "levels")
  expect_refused(plan(levels = list(a = 1:2, c = 1:2)), "levels")
  expect_refused(plan(levels = list(a = 1:2, a = 1:2)), "levels")
  expect_refused(plan(levels = data.frame(a = 1:2, b = 1:2)), "levels")
  expect_refused(plan(margins = list()), "margins")
  expect_refused(plan(margins = list("c")), "margins")
  expect_refused(plan(margins = list(c("a", "a"))), "margins")
  expect_refused(plan(margins = list(c("a", "b"), c("b", "a"))), "margins")
  expect_refused(plan(margins = list("a", character())), "margins")
  expect_refused(plan(margins = 1), "margins")
  expect_identical(plan(margins = c("b", "a"))$margins, list(c("a", "b")))
  data <- data.frame(a = rep(1:2, 50), b = rep(c("x", "y"), 50))
  expect_refused(plan()$release(data), "data")
  expect_refused(plan(c("a", "z"))$release(data), "data")
  expect_error(plan(levels = list(1:2, c("x", "y")))$release(data[1:9, ]), class = "dp_error_rows")
  resized <- plan(levels = list(1:2, c("x", "y")), n_check = "resize")$release(data[1:9, ])
  expect_equal(sum(resized$counts$count), 100)
})
