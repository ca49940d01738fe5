# Public knowledge about the data must be declared, and statements about distances hold for it.

# Arguments that a statistic can omit, because it spends a delta instead.
optional <- list(
  dpHistogram = "rng", `dpHistogram of texts` = "bins", `dpHeavyHitters, set` = "bins"
)

test_that("D_CTL_2 bounds, bins, outcomes and row counts must be declared, never inferred", {
  public <- c("rng", "n", "bins", "varType", "variable", "columns", "outputRange", "formula", "k")
  for (name in names(valid_arguments)) {
    for (argument in intersect(public, names(valid_arguments[[name]]))) {
      statistic <- tryCatch(build_with(name, argument, NULL), error = identity)
      label <- paste(name, "without", argument)
      if (argument %in% optional[[name]]) {
        expect_gt(measured_loss(statistic$measurement)$delta, 0, label = label)
      } else {
        expect_true(inherits(statistic, "dp_error_invalid_argument"), label = label)
        expect_identical(statistic$argument, argument, label = label)
      }
    }
  }
  # In the framework: a sum needs bounds, and a mean needs the number of rows.
  unbounded <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance())
  expect_error(unbounded |> then_sum(), class = "dp_error")
  bounded <- c(vector_domain(atom_domain(bounds = c(0, 1), .T = "f64")), symmetric_distance())
  expect_error(bounded |> then_mean(), class = "dp_error")
})

# The data, and other data that must not change the cells.
same_cells <- function(data) {
  other <- data
  other$x <- factor(data$x, levels = c("zz", rev(unique(data$x)), "unused"))
  list(
    data, other, data[rev(seq_len(nrow(data))), , drop = FALSE], data[1, , drop = FALSE],
    data[0, , drop = FALSE], cbind(more = 1, data), rbind(data, data),
    transform(data, x = ifelse(seq_along(x) %% 2 == 0, NA, x)), transform(data, x = "neither")
  )
}

test_that("D_CTL_2 a release has exactly the declared cells, whatever the data", {
  data <- data.frame(x = rep(c("a", "b", "c"), c(7, 2, 1)))
  of_texts <- histogram_of(
    varType = "character", variable = "x", n = 10, bins = c("b", "d", "a"), epsilon = 1,
    n_check = "resize"
  )
  of_numbers <- histogram_of(
    variable = "x", n = 10, rng = c(0, 9), nBins = 3, epsilon = 1, n_check = "resize"
  )
  counted <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
    then_count_by_categories(c("b", "d", "a"), .TOA = "i32") |>
    then_laplace(1)
  for (other in same_cells(data)) {
    expect_named(of_texts$release(other)$counts, names(of_texts$release(data)$counts))
    numbers <- data.frame(x = match(as.character(other$x), letters))
    expect_named(of_numbers$release(numbers)$counts, c("[0,3]", "(3,6]", "(6,9]"))
    expect_length(counted(arg = as.character(other$x[!is.na(other$x)])), 4)
  }
})

test_that("D_UNIT_1 every statistic states its neighbours, and for how many rows", {
  for (name in names(valid_arguments)) {
    statistic <- build_with(name, character(), NULL)
    expect_s3_class(statistic$input_metric, "metric")
    expect_identical(statistic$d_in, 1L)
    expect_match(
      paste(format(statistic), collapse = " "), "for one (replaced row|row added or removed)"
    )
    # By the map, more rows cost more, and the distance is a number of rows. Or it supports only one
    # row.
    one <- measured_loss(statistic$measurement)$epsilon
    if (endsWith(name, "bounds found")) {
      expect_error(statistic$measurement(d_in = 3L), class = "dp_error_relation_debug")
    } else {
      expect_gte(statistic$measurement(d_in = 3L)[[1]], 3 * one * (1 - 1e-9))
    }
  }
})

test_that("D_UNIT_1 a replaced row is one removed and one added, and costs both", {
  values <- atom_domain(bounds = c(0L, 10L), .T = "i32")
  sized <- vector_domain(values, size = 5)
  replaced <- c(sized, change_one_distance()) |> then_metric_unbounded()
  expect_equal(replaced(d_in = 1L), 2)
  removed <- c(sized, symmetric_distance()) |> then_metric_bounded()
  # An odd row has no partner.
  expect_equal(removed(d_in = 3L), 1)
})

test_that("D_UNIT_1 compositions and chains never mix units", {
  values <- vector_domain(atom_domain(bounds = c(0L, 10L), .T = "i32"), size = 5)
  of_added <- c(values, symmetric_distance()) |> then_sum() |> then_laplace(10)
  of_replaced <- c(values, change_one_distance()) |> then_metric_unbounded() |> then_sum() |>
    then_laplace(10)
  mixed <- "dp_error_metric_mismatch"
  expect_error(make_composition(list(of_added, of_replaced)), class = mixed)
  of_rows <- c(values, change_one_distance()) |> then_identity()
  expect_error(make_chain_mt(of_added, of_rows), class = mixed)
  queryable <- c(values, symmetric_distance()) |>
    then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = c(5, 5))
  expect_error(queryable(arg = 1:5)(query = of_replaced), class = mixed)
})
