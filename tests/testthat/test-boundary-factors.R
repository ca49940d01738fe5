# Malformed factors: codes outside the levels, and levels with a class whose methods would see
# private codes.

hostile_factor <- function(codes, levels = c("a", "b", "c"), class = "factor") {
  structure(codes, levels = levels, class = class)
}

frame_of <- function(x) {
  structure(list(x = x), class = "data.frame", row.names = seq_along(unclass(x)))
}

# Labels that the core reads: NA for codes without a level.
labels_of <- function(codes, levels = c("a", "b", "c")) {
  vapply(codes, function(code) {
    if (is.na(code) || code < 1 || code > length(levels)) NA_character_ else levels[[code]]
  }, "")
}

codes_of_all_kinds <- list(
  c(-1L, 1L, 2L, 3L), rep(0L, 4), c(0L, 0L, 0L, -200L), c(4L, 1L, 2L, NA), rep(NA_integer_, 4),
  c(.Machine$integer.max, -.Machine$integer.max, 1L, 2L), c(-1L, -2L, -3L, -1L), c(1L, 2L, 3L, 3L)
)

optional_texts <- c(
  vector_domain(option_domain(atom_domain(.T = "String"))), symmetric_distance()
)

test_that("codes without a level are missing, for the framework and for statistics", {
  nulls <- optional_texts |> then_is_null()
  filled <- optional_texts |> then_impute_constant("none")
  histogram <- sharp_counts(4, c("a", "b", "c", "NA"))
  for (codes in codes_of_all_kinds) {
    x <- hostile_factor(codes)
    said <- labels_of(codes)
    expect_identical(nulls(arg = x), is.na(said))
    expect_identical(filled(arg = x), ifelse(is.na(said), "none", said))
    expect_identical(core_texts(x), said)
    strict <- rows_of("String") |> then_count_by()
    places <- rows_of("usize") |> then_count_by()
    if (anyNA(said)) {
      expect_error(strict(arg = x), class = "dp_error_failed_function")
      expect_error(places(arg = x), class = "dp_error_failed_function")
    } else {
      expect_identical(as.data.frame(strict(arg = x))$key, sort(unique(said)))
      expect_identical(as.data.frame(places(arg = x))$key, sort(unique(codes)) - 1)
    }
    counts <- histogram$release(frame_of(x))$counts
    expected <- table(factor(ifelse(is.na(said), "NA", said), c("a", "b", "c", "NA")))
    expect_equal(as.vector(unlist(counts)), as.vector(expected), tolerance = 1e-3)
  }
})

test_that("D-SEN-1: one code moves histogram counts by at most one row's worth", {
  histogram <- sharp_counts(4, c("a", "b", "c", "NA"))
  counts_of <- function(codes) {
    unlist(histogram$release(frame_of(hostile_factor(codes)))$counts, use.names = FALSE)
  }
  for (codes in codes_of_all_kinds) {
    before <- counts_of(codes)
    for (code in c(-200L, -1L, 0L, 1L, 3L, 4L, NA)) {
      expect_lte(sum(abs(counts_of(replace(codes, 2, code)) - before)), 2 + 1e-3)
    }
  }
})

test_that("D-R-2: no method of levels or of a class sees private codes", {
  seen <- 0
  spy <- function(x, ...) {
    seen <<- seen + 1
    unclass(x)
  }
  for (generic in c("[", "[[", "as.character", "levels", "length", "dim", "xtfrm", "format")) {
    registerS3method(generic, "spying", spy, envir = globalenv())
  }
  levels <- structure(c("a", "b", "c"), class = "spying")
  x <- hostile_factor(c(1L, 3L, 3L, -7L), levels)
  y <- hostile_factor(c(1L, 3L, 3L, -7L), levels, c("spying", "factor"))
  histogram <- sharp_counts(4, c("a", "c", "NA"))
  hitters <- small(dpHeavyHitters("mechanismExponential", "character", "x", 4,
    epsilon = 1, k = 1, bins = c("a", "c")
  ))
  levels[1]
  expect_gt(seen, 0) # the spy works
  seen <- 0
  for (factor in list(x, y)) {
    counts <- histogram$release(frame_of(factor))$counts
    expect_equal(as.vector(unlist(counts)), c(1, 2, 1), tolerance = 1e-3)
    hitters$release(frame_of(factor))
    expect_identical(core_texts(factor), c("a", "c", "c", NA))
  }
  expect_identical(seen, 0)
})

test_that("levels that are not strings raise an error, whatever the codes", {
  for (levels in list(NULL, 1:3, list("a"), factor("a"), c(TRUE, FALSE))) {
    x <- hostile_factor(c(1L, 2L))
    attr(x, "levels") <- levels
    expect_error((rows_of("String") |> then_count())(arg = x), class = "dp_error_failed_cast")
    expect_error((rows_of("usize") |> then_count())(arg = x), class = "dp_error_failed_cast")
    histogram <- small(dpHistogram("character", "x", 2, epsilon = 1, bins = c("a", "b")))
    expect_error(histogram$release(frame_of(x)), class = "dp_error_invalid_argument")
  }
})

test_that("duplicate labels share a count, and invalid labels are missing", {
  bytes <- "caf\xe9"
  Encoding(bytes) <- "bytes"
  x <- hostile_factor(c(1L, 2L, 3L, 4L), c("a", "a", NA, bytes))
  expect_identical(core_texts(x), c("a", "a", NA, NA))
  twice <- rows_of("String") |> then_count_by()
  expect_identical(as.data.frame(twice(arg = x[1:2]))$value, 2L)
  expect_error(twice(arg = x), class = "dp_error_failed_function")
})
