message_of <- function(expr) {
  error <- tryCatch(expr, dp_error_invalid_argument = identity)
  expect_s3_class(error, "dp_error_invalid_argument")
  conditionMessage(error)
}

test_that("valid values come back unchanged", {
  expect_identical(check_number(1L), 1L)
  expect_identical(check_number(-0.5, min = -0.5), -0.5)
  expect_identical(check_number(Inf, finite = FALSE), Inf)
  expect_identical(check_whole(3), 3)
  expect_identical(check_whole(2^53), 2^53)
  expect_identical(check_probability(0.5), 0.5)
  expect_identical(check_probability(0, zero = TRUE), 0)
  expect_identical(check_probability(1L, one = TRUE), 1L)
  expect_identical(check_string(""), "")
  expect_identical(check_choice("a", c("a", "b")), "a")
  expect_identical(check_flag(FALSE), FALSE)
  expect_identical(check_function(sum), sum)
  expect_identical(check_bounds(c(0L, 0L)), c(0L, 0L))
  expect_identical(check_bounds(list(-1, 1L)), list(-1, 1L))
  expect_identical(check_class(i32, "runtime_type"), i32)
})

test_that("NULL passes only if it is allowed", {
  checks <- list(
    check_number, check_whole, check_probability, check_string, check_flag, check_function,
    check_bounds, function(x, ...) check_choice(x, "a", ...),
    function(x, ...) check_class(x, "domain", ...)
  )
  for (check in checks) {
    expect_null(check(NULL, null = TRUE))
    expect_match(message_of(check(NULL)), "not NULL")
  }
})

test_that("a message states the requirement, then the given value", {
  n <- "10"
  expect_identical(message_of(check_whole(n)), "`n` must be a whole number, not a string.")
  n <- 1.5
  expect_identical(
    message_of(check_whole(n, min = 1)),
    "`n` must be a whole number at least 1, not a fractional number."
  )
  expect_identical(
    message_of(check_whole(0, min = 1, max = 9, arg = "n")),
    "`n` must be a whole number at least 1 and at most 9, not 0."
  )
  expect_identical(
    message_of(check_probability(1, arg = "alpha")),
    "`alpha` must be a finite number above 0 and below 1, not 1."
  )
  expect_identical(
    message_of(check_probability(2, zero = TRUE, one = TRUE, arg = "p")),
    "`p` must be a finite number at least 0 and at most 1, not 2."
  )
  expect_identical(
    message_of(check_probability(1 + 2^-52, one = TRUE, arg = "p")),
    "`p` must be a finite number above 0 and at most 1, not 1.0000000000000002."
  )
  expect_identical(
    message_of(check_number(-Inf, above = 0, arg = "scale")),
    "`scale` must be a finite number above 0, not an infinite number."
  )
  expect_identical(
    message_of(check_choice("c", c("a", "b"), arg = "type")),
    '`type` must be one of "a", "b", not another string.'
  )
  expect_identical(
    message_of(check_bounds(c(2, 1), arg = "rng")),
    paste(
      "`rng` must be two finite numbers, the lower bound first,",
      "not a lower bound above the upper one."
    )
  )
})

test_that("a value that is not one plain number is rejected as a number", {
  not_numbers <- list(
    NULL, NA, NA_integer_, NA_real_, NaN, "1", TRUE, 1i, as.raw(1), list(1), c(1, 2), numeric(),
    factor(1), Sys.Date(), as.difftime(1, units = "mins"), sum, globalenv(), data.frame(x = 1),
    structure(1, class = "integer64")
  )
  for (x in not_numbers) {
    message_of(check_number(x))
    message_of(check_whole(x))
    message_of(check_probability(x))
    message_of(check_bounds(list(x, 1)))
    message_of(check_bounds(list(0, x)))
  }
  for (x in list(Inf, -Inf, 0.5, 2^53 + 2, -2^60)) {
    message_of(check_whole(x))
  }
  message_of(check_number(Inf))
})

test_that("bounds are two finite, ordered numbers of finite width", {
  refused <- list(
    NULL, c(0, 1, 2), 0, c(1, 0), c(0, Inf), c(-Inf, 0), c(0, NA), c(NaN, 1), c("0", "1"),
    c(-1e308, 1e308), list(0, c(1, 2)), list("0", 1), factor(c(1, 2)),
    Sys.Date() + 0:1
  )
  for (x in refused) {
    message_of(check_bounds(x))
  }
})

test_that("strings, flags, choices and functions are rejected by kind", {
  for (x in list(NA_character_, c("a", "b"), character(), 1, factor("a"), quote(a))) {
    message_of(check_string(x))
    message_of(check_choice(x, c("a", "b")))
  }
  for (x in list(NA, c(TRUE, FALSE), logical(), 1L, "TRUE")) {
    message_of(check_flag(x))
  }
  for (x in list("sum", quote(sum), 1)) {
    message_of(check_function(x))
  }
  expect_match(message_of(check_class(1, "domain")), "an object of class domain")
})

test_that("an object is described by type and shape, never by content", {
  described <- list(
    "NULL" = NULL,
    "a missing value" = NA,
    "a missing value" = NA_character_,
    "NaN" = NaN,
    "an infinite number" = -Inf,
    "a whole number" = 5,
    "a whole number" = 5L,
    "a fractional number" = 5.5,
    "a logical value" = TRUE,
    "a string" = "five",
    "a complex number" = 1i,
    "a raw byte" = as.raw(5),
    "an integer vector of length 2" = 1:2,
    "a numeric vector of length 0" = numeric(),
    "a character vector of length 3" = letters[1:3],
    "a list of length 1" = list(5),
    "a function" = sum,
    "an object of class factor" = factor("a"),
    "an object of type environment" = globalenv(),
    "an object of type symbol" = quote(a)
  )
  for (i in seq_along(described)) {
    expect_identical(describe(described[[i]]), names(described)[[i]])
  }
})

test_that("the error names the argument and the called function", {
  make <- function(size) check_whole(size, min = 1)
  error <- tryCatch(make("a"), error = identity)
  expect_identical(error$argument, "size")
  expect_identical(conditionCall(error), quote(make()))
})
