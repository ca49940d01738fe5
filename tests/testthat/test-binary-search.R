test_that("the worked examples of the framework give the published results", {
  rows <- privacy_map_rows("binary_search")
  rows <- rows[grepl("^\\{\"predicate\": \"x ", rows$args_json), ]
  expect_gte(nrow(rows), 5)
  for (i in seq_len(nrow(rows))) {
    args <- jsonlite::fromJSON(rows$args_json[[i]], simplifyVector = FALSE)
    condition <- parse(text = sub(",.*", "", args$predicate))[[1]]
    predicate <- function(x) eval(condition, list(x = x))
    bounds <- lapply(args$bounds, \(bound) if (!is.null(bound)) as.double(bound))
    if (all(vapply(bounds, is.null, NA))) bounds <- NULL
    expect_equal(
      binary_search(predicate, bounds = bounds, .T = args$T), as.numeric(rows$d_out[[i]])
    )
  }
})

test_that("the result is the passing element next to the boundary, on either side", {
  for (boundary in c(-20000L, -17L, -1L, 0L, 1L, 6L, 4096L, 2000000000L)) {
    above <- function(x) x >= boundary
    below <- function(x) x <= boundary
    expect_identical(binary_search(above, .T = "int"), boundary)
    expect_identical(binary_search(below, .T = "int"), boundary)
    expect_identical(binary_search(above, .T = "int", return_sign = TRUE), c(boundary, 1L))
    expect_identical(binary_search(below, .T = "int", return_sign = TRUE), c(boundary, -1L))
    expect_identical(binary_search(above, bounds = c(-2000000000L, 2000000001L)), boundary)
  }
  for (boundary in c(-1e10, -0.3, -5e-324, 5e-324, 1e-300, 1 / 3, 1, 1e14)) {
    expect_identical(binary_search(function(x) x >= boundary, .T = "float"), boundary)
    expect_identical(binary_search(function(x) x <= boundary), boundary)
    expect_identical(
      binary_search(function(x) x >= boundary, bounds = c(-1e300, 1e300), return_sign = TRUE),
      c(boundary, 1)
    )
  }
})

test_that("floats are found to the last bit", {
  root <- binary_search(function(x) x^2 <= 2, bounds = c(0, 2))
  expect_true(root^2 <= 2)
  expect_false((root * (1 + .Machine$double.eps))^2 <= 2)
})

test_that("bounds can be reversed, and any kind of pair", {
  predicate <- function(x) x > 5L
  expect_identical(binary_search(predicate, bounds = c(10L, 0L)), 6L)
  expect_identical(binary_search(predicate, bounds = list(0L, 10L)), 6L)
  expect_identical(binary_search(predicate, bounds = c(0, 10), .T = i32), 6L)
  expect_identical(binary_search(predicate, bounds = c(0L, 10L), .T = "f32"), 5 + 2^-21)
})

test_that("every evaluation is at a number of the type", {
  seen <- list()
  note <- function(x) {
    seen[[length(seen) + 1]] <<- x
    x > 1 / 3
  }
  binary_search(note, .T = "f32")
  singles <- unlist(seen)
  expect_identical(nearest_f32(singles), singles)
  seen <- list()
  binary_search(note, bounds = c(-7L, 1000000000L))
  expect_true(all(vapply(seen, is.integer, NA)))
})

test_that("the search ends at the limits of the type", {
  ends <- list(
    i8 = c(-128, 127), i16 = c(-32768, 32767), i32 = c(-2^31, 2^31 - 1), i64 = c(-2^53, 2^53),
    i128 = c(-2^53, 2^53), u8 = c(0, 255), u16 = c(0, 65535), u32 = c(0, 2^32 - 1),
    u64 = c(0, 2^53), u128 = c(0, 2^53), usize = c(0, 2^53)
  )
  for (type in names(ends)) {
    lower <- ends[[type]][[1]]
    upper <- ends[[type]][[2]]
    expect_equal(binary_search(function(x) x >= upper, .T = type), upper)
    expect_equal(binary_search(function(x) x > lower, .T = type), lower + 1)
    expect_equal(binary_search(function(x) x >= 100, bounds = c(lower, upper), .T = type), 100)
    for (beyond in c(lower - 2, upper + 2)) {
      expect_error(binary_search(function(x) x > 9, bounds = c(9, beyond), .T = type),
        class = "dp_error_invalid_argument"
      )
    }
  }
})

test_that("the type comes from the bounds, or from what the predicate accepts", {
  expect_identical(binary_search(function(x) x > 5, bounds = c(0L, 10L)), 6L)
  expect_identical(binary_search(function(x) x > 5, bounds = list(0L, NULL)), 6L)
  expect_type(binary_search(function(x) x > 5, bounds = c(0, 10)), "double")
  expect_type(binary_search(function(x) x > 5), "double")
  only_integers <- function(x) if (is.integer(x)) x > 5 else stop("integers, please")
  expect_identical(binary_search(only_integers), 6L)
  expect_error(
    binary_search(function(x) stop("never")),
    "unable to infer type `.T`; pass the type `.T` or bounds",
    fixed = TRUE, class = "dp_error_type"
  )
  for (type in list("bool", String, "Vec<f64>", "i31")) {
    expect_error(
      binary_search(function(x) x > 5, .T = type), "No match for concrete type",
      class = "dp_error_type"
    )
  }
})

test_that("a predicate that takes whole doubles as counts is searched in integers", {
  counts <- function(x) {
    rt_assert("u32", rt_infer(x), x)
    x < 1000
  }
  expect_identical(binary_search(counts), 999L)
})

test_that("bounds with an invalid shape or kind raise errors", {
  predicate <- function(x) x > 5
  shape <- paste(
    "^bounds must contain exactly two elements;",
    "use list\\(lower, NULL\\) or list\\(NULL, upper\\) for a one-sided search$"
  )
  for (bounds in list(c(-10L, NULL), 1, 1:3, list(), list(1, 2, 3))) {
    expect_error(binary_search(predicate, bounds), shape, class = "dp_error_invalid_argument")
  }
  for (bounds in list(list(1L, 2), c("0", "1"), list(0, "1"), list(NULL, TRUE), list(sum, sum))) {
    expect_error(binary_search(predicate, bounds), "^bounds must be either float or int$",
      class = "dp_error_invalid_argument"
    )
  }
  for (bounds in list(c(0, Inf), c(NA, 1), c(NaN, 1), c(0L, NA), Sys.Date() + 0:1)) {
    expect_error(binary_search(predicate, bounds), class = "dp_error_invalid_argument")
  }
  expect_error(binary_search(predicate, c(0, 1.5), .T = "int"), class = "dp_error_invalid_argument")
  expect_error(binary_search(predicate, c(0, 1e300), .T = "f32"),
    class = "dp_error_invalid_argument"
  )
})

search_message <- function(...) {
  error <- tryCatch(binary_search(...), dp_error_search = identity)
  expect_s3_class(error, "dp_error_search")
  expect_identical(error$variant, "Search")
  conditionMessage(error)
}

test_that("a search that cannot succeed gives the reason, without a prefix", {
  predicate <- function(x) x <= -5L
  below <- paste(
    "the decision boundary is below the lower bound",
    "or the predicate does not change above it"
  )
  above <- paste(
    "the decision boundary is above the upper bound",
    "or the predicate does not change below it"
  )
  outside <- "the decision boundary of the predicate is outside the bounds"
  expect_identical(search_message(predicate, list(0L, NULL)), below)
  expect_identical(search_message(predicate, list(NULL, -10L)), above)
  expect_identical(search_message(predicate, c(0L, 10L)), outside)
  expect_identical(search_message(predicate, c(3, 3)), outside)
  expect_identical(search_message(function(x) TRUE, .T = "int"), "unable to infer bounds")
  expect_identical(search_message(function(x) FALSE), "unable to infer bounds")
  expect_identical(
    search_message(function(x) stop("wrong at ", x), .T = "int"),
    "Predicate always fails. Example error at 0: wrong at 0"
  )
})

test_that("one bound is enough, even far from zero", {
  expect_identical(binary_search(function(x) x > 70000L, list(65536L, NULL)), 70001L)
  expect_identical(binary_search(function(x) x > -70000, list(NULL, -1.5)), -70000 * (1 - 2^-53))
  expect_identical(binary_search(function(x) x < 70000, list(3, NULL)), 70000 * (1 - 2^-53))
})

test_that("a predicate may fail on either side of its valid range", {
  fails_outside <- function(lower, upper, boundary) {
    function(x) {
      if (x < lower || x > upper) stop("out of range")
      x >= boundary
    }
  }
  search <- function(...) binary_search(fails_outside(...), .T = "int")
  expect_identical(search(-Inf, Inf, 300L), 300L)
  expect_identical(search(1L, Inf, 300L), 300L)
  expect_identical(search(1L, 1000L, 300L), 300L)
  expect_identical(search(1L, 1000L, 1000L), 1000L)
  expect_identical(search(-1000L, 50L, -300L), -300L)
  expect_identical(search(-1000L, 50L, 50L), 50L)
  expect_identical(search(-1000L, -20L, -300L), -300L)
  expect_identical(search(100L, 2000L, 1999L), 1999L)
  expect_identical(
    search_message(fails_outside(1, 1000, 5000), .T = "int"), "unable to infer bounds"
  )
  floats <- fails_outside(1e-10, 7, 1 / 3)
  expect_identical(binary_search(floats, .T = "float"), 1 / 3)
})

test_that("errors of the predicate within bounds are passed on unchanged", {
  predicate <- function(x) stop_dp("too much", "overflow")
  expect_error(binary_search(predicate, c(0, 1)), class = "dp_error_overflow")
  expect_error(binary_search(predicate, list(0, NULL)), class = "dp_error_overflow")
  expect_error(binary_search(predicate, list(NULL, 0)), class = "dp_error_overflow")
})

test_that("an interrupt is not taken for an answer", {
  interrupted <- function(x) signalCondition(structure(list(), class = c("interrupt", "condition")))
  stopped <- function(...) {
    tryCatch(binary_search(interrupted, ...), interrupt = function(condition) "stopped")
  }
  expect_identical(stopped(), "stopped")
  expect_identical(stopped(.T = "int"), "stopped")
})

test_that("arguments and the predicate's answers are checked", {
  expect_error(binary_search("x > 5"), class = "dp_error_invalid_argument")
  expect_error(binary_search(is.na, return_sign = NA), class = "dp_error_invalid_argument")
  expect_error(binary_search_param(5, 1, 1), class = "dp_error_invalid_argument")
  for (answer in list(NA, 1, "TRUE", NULL, c(TRUE, FALSE))) {
    expect_error(binary_search(function(x) answer, bounds = c(0, 1)),
      class = "dp_error_invalid_argument"
    )
  }
})

test_that("D-SAM-3: unreachable targets end the search", {
  calls <- 0
  count <- function(answer) {
    calls <<- calls + 1
    answer
  }
  expect_identical(search_message(function(x) count(x > 1e300)), "unable to infer bounds")
  expect_identical(
    binary_search(function(x) count(x > 0), c(0, .Machine$double.xmax)), 5e-324
  )
  expect_lt(calls, 3000)
})

# Replaces a measurement: a callable that answers `d_in =, d_out =`.
toy_chain <- function(scale) {
  structure(
    function(d_in, d_out) {
      if (scale < 0) stop_dp("scale must not be negative", "make_measurement")
      d_in / scale <= d_out
    },
    class = "measurement", scale = scale
  )
}

test_that("binary_search_param() and binary_search_chain() find a parameter of a chain", {
  expect_identical(binary_search_param(toy_chain, d_in = 1, d_out = 0.25), 4)
  expect_identical(binary_search_param(toy_chain, 1, 0.3, bounds = c(0, 10)), 1 / 0.3)
  expect_identical(binary_search_param(toy_chain, 5L, 2, .T = "int"), 3L)
  chain <- binary_search_chain(toy_chain, d_in = 1, d_out = 0.25)
  expect_s3_class(chain, "measurement")
  expect_identical(attr(chain, "scale"), 4)
})

test_that("the functions have the published formals", {
  for (name in c("binary_search", "binary_search_param", "binary_search_chain")) {
    expect_identical(formals(get(name)), published_formals(name))
  }
})
