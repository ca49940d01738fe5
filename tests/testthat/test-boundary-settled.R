# The core uses exactly the values that it checked, even if a vector changes between reads.

n <- 40L

# Every place where an answer may change, over several readings of all elements.
places <- c(0, 1, 7, n - 1, n, n + 1, 2 * n - 1, 2 * n, 2 * n + 1, 3 * n, 4 * n, 6 * n, 1e9)

refused <- "[FailedFunction] : arg must be a member of the input domain."

# Calls `use` with a vector of each kind that turns from `first` to `later`. The outcome is the one
# documented error, or a result that passes `check`.
each_fickle <- function(first, later, use, check) {
  outcomes <- character()
  for (after in places) {
    for (pointer in c(FALSE, TRUE)) {
      for (longer in c(0, 3, -2)) {
        x <- fickle(first, later, after, pointer, longer)
        result <- tryCatch(use(x), error = conditionMessage)
        ok <- identical(result, refused) || isTRUE(check(result))
        expect_true(ok, info = paste(after, pointer, longer, deparse(result)[[1]]))
        outcomes <- c(outcomes, if (identical(result, refused)) "refused" else "used")
      }
    }
  }
  # Unless both outcomes occur, the test shows nothing.
  expect_setequal(outcomes, c("refused", "used"))
}

test_that("the vectors of these tests do change when R reads them", {
  x <- fickle(c(1, 1), c(NaN, NaN), after = 2)
  expect_identical(c(x[[1]], x[[2]], x[[1]]), c(1, 1, NaN))
  y <- fickle(1:2, 3:4, after = 2, pointer = TRUE)
  expect_identical(y + 0L, 1:2)
  expect_identical(y + 0L, 3:4)
  z <- fickle(c("a", "b"), c("c", "d"), after = 2)
  expect_identical(c(z[[1]], z[[2]], z[[1]]), c("a", "b", "c"))
})

test_that("D-R-8: vector noise releases exactly the numbers that passed its check", {
  for (bad in list(NaN, NA_real_)) {
    noisy <- c(vector_domain(atom_domain(nan = FALSE, .T = "f64")), l1_distance("f64")) |>
      then_laplace(scale = 0)
    each_fickle(
      rep(0.5, n), replace(rep(0.5, n), 9, bad), function(x) noisy(arg = x),
      function(release) identical(release, rep(0.5, n))
    )
  }
  noisy <- rows_of("i32", l1_distance("i32")) |> then_laplace(scale = 0)
  each_fickle(
    rep(3L, n), replace(rep(3L, n), 9, NA), function(x) noisy(arg = x),
    function(release) identical(release, rep(3L, n))
  )  # A column of a statistic, whose integers are read as doubles.
  noisy <- c(vector_domain(atom_domain(nan = FALSE, .T = "f64")), l1_distance("f64")) |>
    then_laplace(scale = 0)
  each_fickle(
    rep(3L, n), replace(rep(3L, n), 9, NA),
    function(x) {
      data <- structure(list(x = x), class = "data.frame", row.names = seq_len(n))
      noisy(arg = column_of(data, "x"))
    },
    function(release) identical(release, rep(3, n))
  )
})

test_that("texts and factors are read once, so all readers of a column see the same values", {
  count <- rows_of("String") |> then_count_by()
  each_fickle(
    rep("a", n), rep(NA_character_, n), function(x) count(arg = x),
    function(counts) identical(as.data.frame(counts)$key, "a")
  )
  coded <- function(x) structure(x, levels = c("a", "b"), class = "factor")
  for (later in list(rep(-5L, n), rep(0L, n), rep(99L, n), rep(NA_integer_, n))) {
    each_fickle(
      rep(1L, n), later, function(x) count(arg = coded(x)),
      function(counts) identical(as.data.frame(counts)$key, "a")
    )
  }
  # The second column of a frame selects rows. Both columns have one length, whatever R reports.
  frames <- make_create_dataframe(c("x", "keep"))
  kept <- c(frames("output_domain"), frames("output_metric")) |>
    then_df_is_equal("keep", "yes") |>
    then_subset_by("keep", c("keep", "x")) |>
    then_select_column("x", "String")
  each_fickle(
    rep("yes", n), rep(NA_character_, n),
    function(keep) {
      frame <- structure(list(x = as.character(seq_len(n)), keep = keep),
        class = "data.frame", row.names = seq_len(n)
      )
      kept(arg = frame)
    },
    function(x) identical(x, as.character(seq_len(n)))
  )
})

test_that("an apparent sequence is a real one, or is copied", {
  identity_on <- function(type) rows_of(type) |> then_identity()
  long <- 5000L
  ramp <- seq_len(long) + 0L
  real <- 2^33 + seq_len(long)
  sequences <- list(
    ramp, rev(ramp), -ramp, replace(ramp, 3000, 7L), replace(ramp, long, NA), c(ramp, 1L),
    rep(4L, long), ramp * 2L, real, rev(real), real + 0.5, replace(real, 2, NaN),
    replace(real, 4999, Inf), ramp + 0, -0 - seq_len(long), 2^53 + seq_len(long)
  )
  for (data in sequences) {
    type <- if (is.double(data)) "f64" else "i32"
    optional <- c(vector_domain(option_domain(atom_domain(.T = type))), symmetric_distance()) |>
      then_identity()
    for (pointer in c(FALSE, TRUE)) {
      expect_identical(optional(arg = fickle(data, data, 0, pointer)), optional(arg = data))
    }
  }
  # A sequence that changes after its first reading is used in its first or its current form.
  count <- rows_of("i32") |> then_count_distinct()
  for (after in c(long, 1.5 * long, 2 * long, 3 * long)) {
    x <- fickle(ramp, rep(1L, long), after)
    expect_true(count(arg = x) %in% c(long, 1L))
  }
})

test_that("statistics use the values that they read", {
  histogram <- sharp_counts(n, c("a", "b", "NA"))
  for (after in places) {
    codes <- fickle(rep(2L, n), rep(-200L, n), after)
    x <- structure(codes, levels = c("a", "b"), class = "factor")
    frame <- structure(list(x = x), class = "data.frame", row.names = seq_len(n))
    counts <- unlist(histogram$release(frame)$counts)
    expect_lt(counts[["a"]], 0.5)
    expect_equal(sum(counts), n, tolerance = 1e-3)
  }
})
