test_that("UTIL-063 to UTIL-067: outside values are moved, outside texts are missing", {
  states <- factor(c("WA", "OR", "OR", "OR", "WA", "CA"))
  expect_equal(censorData(states, "factor", levels = "OR"),
    factor(c(NA, "OR", "OR", "OR", NA, NA), "OR"))
  letters <- censorData(c("a", "b", "c", "c", "d"), "character", levels = c("a", "b", "c"))
  expect_equal(letters, factor(c("a", "b", "c", "c", NA), c("a", "b", "c")))
  both <- censorData(matrix(1:10, 5), "integer", list(c(1, 5), c(7, 9)), rngFormat = "list")
  expect_equal(both, cbind(1:5, c(7, 7, 8, 9, 9)))
  expect_equal(censorData(c(-Inf, Inf, NaN), "numeric", c(0, 1)), c(0, 1, NA))
  expect_refused(censorData(1:3, "integer"), "rng")
  expect_refused(censorData(1:3, "integer", list(c(1, 2), c(1, 2)), rngFormat = "list"), "rng")
  expect_refused(censorData(matrix(1:4, 2), "integer", c(1, 2)), "x")
  expect_refused(censorData(c("1", "2"), "numeric", c(0, 1)), "x")
})

test_that("UTIL-068, UTIL-069 and UTIL-075: missing values are drawn uniformly from all", {
  draws <- fillMissing(rep(NA_real_, 4000), "integer", imputeRng = c(1, 5))
  expect_true(has_law(tally(draws, 1:5), rep(1 / 5, 5)))
  bits <- fillMissing(rep(NA, 4000), "logical")
  expect_true(has_law(tally(bits, 0:1), c(1 / 2, 1 / 2)))
  texts <- fillMissing(factor(rep(NA, 4000), c("a", "b", "c")), "factor")
  expect_s3_class(texts, "factor")
  expect_true(has_law(tally(as.character(texts), c("a", "b", "c")), rep(1 / 3, 3)))
  numbers <- fillMissing(c(9, NA, NA), "numeric", imputeRng = c(2, 3))
  expect_equal(numbers[[1]], 9)
  expect_true(all(numbers[-1] >= 2 & numbers[-1] <= 3))
  drawn <- fillMissing(rep(NA_real_, 4000), "numeric", imputeRng = c(2, 3))
  expect_true(has_law(as.vector(table(cut(drawn, seq(2, 3, 0.1), right = FALSE))), rep(0.1, 10)))
  frame <- fillMissing(data.frame(a = c(NA, 1), b = c(2, NA)), "numeric", rbind(c(0, 1), c(5, 6)))
  expect_false(anyNA(frame))
  expect_true(frame$a[[1]] <= 1 && frame$b[[2]] >= 5)
  expect_equal(fillMissing(c(NA, 2), "numeric", imputeConstant = 7), c(7, 2))
  expect_refused(fillMissing(NA_character_, "character"), "categories")
  expect_refused(fillMissing(c(1, NA), "numeric"), "rng")
})

test_that("UTIL-071: the caller names the two values, and the data do not matter", {
  expect_equal(makeLogical(c("cat", "dog", "dog"), c("cat", "dog")), c(0, 1, 1))
  expect_equal(makeLogical(c(3, 9, 4), c(3, 9)), c(0, 1, NA))
  expect_refused(makeLogical(c("cat", "dog")), "values")
})

test_that("UTIL-072: a factor becomes indicator columns of all levels but the first", {
  data <- data.frame(a = factor(c("x", "y", "z")), b = c(7, 8, 9))
  expect_equal(
    makeDummies(data), data.frame(b = c(7, 8, 9), a_y = c(0, 1, 0), a_z = c(0, 0, 1))
  )
  expect_named(makeDummies(data, levels = list(a = c("y", "q"))), c("b", "a_q"))
})

test_that("UTIL-008: positions of columns come from a formula, not from text", {
  data <- data.frame(y = 1, u = 2, v = 3)
  expect_equal(extractIndices(y ~ v + u, data), list(yInd = 1L, xInd = c(3L, 2L), intercept = TRUE))
  expect_false(extractIndices(y ~ v - 1, data)$intercept)
  expect_refused(extractIndices("y ~ v", data), "formula")
  expect_refused(extractIndices(y ~ w, data), "formula")
})
