test_that("integers are summed unchanged", {
  expect_identical((bounded_rows(c(0L, 10L)) |> then_lattice_sum())(arg = c(1L, 2L, 4L)), 7)
  expect_identical((rows_of("bool") |> then_lattice_sum())(arg = c(TRUE, FALSE, TRUE)), 2)
})

test_that("floats are summed in steps of a power of two, without rounding", {
  sum <- bounded_rows(c(0, 10)) |> then_lattice_sum()
  step <- 1 / sum(arg = 1)
  expect_identical(log2(step), round(log2(step)))
  expect_identical(sum(arg = c(1, 2, 4)) * step, 7)
  expect_identical(sum(arg = c(0.5, 0.25)) * step, 0.75)
})

# Running sums far beyond the resolution of doubles, with a total of 512.
m <- 2^49
far <- c(rep(m + 1, 512), rep(-m, 512))

test_that("D-04: D-FLT-2: the order of the rows does not matter", {
  expect_false(Reduce(`+`, far) == 512)
  sum <- bounded_rows(c(-2^50, 2^50)) |> then_lattice_sum()
  expect_identical(sum(arg = far) / sum(arg = 1), 512)
  expect_identical(sum(arg = rev(far)) / sum(arg = 1), 512)
  expect_identical(sum(arg = far[c(rbind(1:512, 513:1024))]) / sum(arg = 1), 512)
})

test_that("D-FLT-2: one row among many moves the sum only by its value", {
  sum <- bounded_rows(c(-2^50, 2^50)) |> then_lattice_sum()
  for (row in c(1, 512, 513, 1024)) {
    raised <- far
    raised[[row]] <- raised[[row]] + 1
    expect_identical((sum(arg = raised) - sum(arg = far)) / sum(arg = 1), 1)
  }
})

test_that("the map is exact in steps", {
  bounds <- c(-1, 3)
  step <- 1 / (bounded_rows(bounds) |> then_lattice_sum())(arg = 1)
  unsized <- bounded_rows(bounds) |> then_lattice_sum()
  sized <- bounded_rows(bounds, size = 5) |> then_lattice_sum()
  replaced <- bounded_rows(bounds, change_one_distance(), size = 5) |> then_lattice_sum()
  for (d in 0:5) {
    expect_identical(unsized(d_in = d) * step, d * 3)
    expect_identical(sized(d_in = d) * step, floor(d / 2) * 4)
    expect_identical(replaced(d_in = d) * step, d * 4)
  }
})

test_that("domains without a lattice raise errors, and so does NaN, in fixed words", {
  expect_error(rows_of("f64") |> then_lattice_sum(), class = "dp_error_make_transformation")
  expect_error(rows_of("String") |> then_lattice_sum(), class = "dp_error_type")
  expect_error(bounded_rows(c(0, Inf)) |> then_lattice_sum(), class = "dp_error_make_domain")
  sum <- bounded_rows(c(0, 1)) |> then_lattice_sum()
  messages <- lapply(list(NaN, c(1, NaN), c(NaN, NaN, 0.5)), \(x) message_of(sum(arg = x)))
  expect_length(unique(messages), 1)
  expect_error(sum(arg = NaN), class = "dp_error_failed_function")
})

test_that("noise can be added to it", {
  noisy <- bounded_rows(c(0, 1), size = 4) |> then_lattice_sum() |> then_laplace(scale = 2^55)
  expect_type(noisy(arg = c(0.5, 0.5, 0, 1)), "double")
  expect_gt(noisy(d_in = 2L), 0)
})
