forward <- list(
  laplacian = laplacian_scale_to_accuracy,
  gaussian = gaussian_scale_to_accuracy,
  discrete_laplacian = discrete_laplacian_scale_to_accuracy,
  discrete_gaussian = discrete_gaussian_scale_to_accuracy
)
inverse <- list(
  laplacian = accuracy_to_laplacian_scale,
  gaussian = accuracy_to_gaussian_scale,
  discrete_laplacian = accuracy_to_discrete_laplacian_scale,
  discrete_gaussian = accuracy_to_discrete_gaussian_scale
)
names_of <- c(
  paste0(names(forward), "_scale_to_accuracy"), paste0("accuracy_to_", names(inverse), "_scale")
)

test_that("accuracies match all rows of the oracle", {
  rows <- privacy_map_rows(names_of)
  expect_setequal(rows$constructor, names_of)
  for (i in seq_len(nrow(rows))) {
    args <- unname(jsonlite::fromJSON(rows$args_json[[i]]))
    value <- do.call(rows$constructor[[i]], args)
    expect_equal(value, as.numeric(rows$d_out[[i]]), tolerance = 1e-12)
  }
})

# P(|X| >= a) for a discrete law, summed from its definition.
tail_by_summation <- function(log_weight, a) {
  x <- -20000:20000
  weight <- exp(log_weight(abs(x)))
  sum(weight[abs(x) >= a]) / sum(weight)
}

test_that("continuous accuracies are quantiles of their laws", {
  for (scale in c(1e-3, 1, 1e6)) {
    for (alpha in c(1e-12, 0.05, 0.5, 0.99)) {
      laplace <- laplacian_scale_to_accuracy(scale, alpha)
      expect_equal(stats::pexp(laplace / scale, lower.tail = FALSE) / alpha, 1)
      gaussian <- gaussian_scale_to_accuracy(scale, alpha)
      expect_equal(2 * stats::pnorm(-gaussian / scale) / alpha, 1)
    }
  }
})

test_that("discrete Laplace noise is strictly and narrowly within its accuracy", {
  for (scale in c(0.5, 1, 7.5, 100)) {
    for (alpha in c(0.5, 0.05, 1e-6)) {
      a <- discrete_laplacian_scale_to_accuracy(scale, alpha)
      tail <- function(a) tail_by_summation(function(x) -x / scale, a)
      expect_lte(tail(ceiling(a)), alpha * (1 + 1e-9))
      expect_gt(tail(ceiling(a) - 1), alpha * (1 - 1e-9))
    }
  }
})

test_that("discrete Gaussian noise is strictly and narrowly within its accuracy", {
  for (scale in c(0.3, 1, 7.5, 100, 1000, 1234.5)) {
    for (alpha in c(0.9, 0.5, 0.05, 1e-6)) {
      a <- discrete_gaussian_scale_to_accuracy(scale, alpha)
      tail <- function(a) tail_by_summation(function(x) -(x / scale)^2 / 2, a)
      expect_lte(tail(a), alpha)
      if (a > 1) expect_gt(tail(a - 1), alpha)
    }
  }
})

test_that("the inverse functions return the scale", {
  for (scale in c(0.4, 1, 33.3, 2e4)) {
    for (alpha in c(0.01, 0.3)) {
      for (law in c("laplacian", "gaussian", "discrete_laplacian")) {
        accuracy <- forward[[law]](scale, alpha)
        expect_equal(inverse[[law]](accuracy, alpha), scale, tolerance = 1e-12)
      }
    }
  }
})

test_that("a discrete Gaussian scale is the largest that keeps its accuracy", {
  for (accuracy in c(1, 2, 25, 1000, 1e5)) {
    for (alpha in c(0.5, 0.05, 1e-6)) {
      scale <- accuracy_to_discrete_gaussian_scale(accuracy, alpha)
      expect_lte(discrete_gaussian_scale_to_accuracy(scale * (1 - 1e-9), alpha), accuracy)
      expect_gt(discrete_gaussian_scale_to_accuracy(scale * (1 + 1e-9), alpha), accuracy)
      expect_lte(scale, accuracy_to_gaussian_scale(accuracy, alpha))
    }
  }
})

test_that("sums and integrals agree where one takes over from the other", {
  for (alpha in c(0.5, 0.05, 1e-5)) {
    z <- two_sided_quantile(alpha)
    below <- discrete_gaussian_scale(floor(integral_from * z), alpha)
    x <- floor(integral_from * z) - 0.5
    expect_lt(floor(integral_from * z) / z, integral_from)
    expect_equal(below, (x + sqrt(x^2 + z^2 / 6)) / (2 * z), tolerance = 1e-11)
  }
})

test_that("D-SAM-3: extreme parameters give an immediate answer", {
  tiny <- 2^-1074
  below_one <- 1 - 2^-53
  forward_cases <- expand.grid(size = c(0, tiny, 1, 2^1000), alpha = c(tiny, 0.5, below_one, 1))
  inverse_cases <- expand.grid(size = c(0, tiny, 1, 2^40), alpha = c(tiny, 0.5, below_one))
  for (f in forward) {
    expect_true(all(mapply(f, forward_cases$size, forward_cases$alpha) >= 0))
  }
  for (f in inverse) {
    expect_true(all(mapply(f, inverse_cases$size, inverse_cases$alpha) >= 0))
  }
})

test_that("without noise the continuous accuracy is 0 and the discrete one is 1", {
  expect_identical(vapply(forward, \(f) f(0, 0.05), 0), c(
    laplacian = 0, gaussian = 0, discrete_laplacian = 1, discrete_gaussian = 1
  ))
})

test_that("with alpha 1 any accuracy is valid", {
  expect_identical(laplacian_scale_to_accuracy(3, 1), 0)
  expect_identical(gaussian_scale_to_accuracy(3, 1), 0)
  expect_identical(discrete_gaussian_scale_to_accuracy(3, 1), 1)
})

test_that("out-of-range parameters raise the published errors", {
  message_of <- function(f, ...) {
    error <- tryCatch(f(...), dp_error_invalid_distance = identity)
    expect_s3_class(error, "dp_error_invalid_distance")
    conditionMessage(error)
  }
  for (f in forward) {
    expect_identical(message_of(f, -1, 0.05), "[InvalidDistance] : scale (-1) may not be negative")
    expect_identical(f(-0, 0.05), f(0, 0.05))
    for (alpha in c(0, -0.5, 1.5)) {
      expect_identical(
        message_of(f, 1, alpha), paste0("[InvalidDistance] : alpha (", alpha, ") must be in (0, 1]")
      )
    }
  }
  for (f in inverse) {
    expect_identical(
      message_of(f, -1, 0.05), "[InvalidDistance] : accuracy (-1) may not be negative"
    )
    expect_identical(f(-0, 0.05), f(0, 0.05))
    for (alpha in c(0, 1, 1.5)) {
      expect_identical(
        message_of(f, 1, alpha), paste0("[InvalidDistance] : alpha (", alpha, ") must be in (0, 1)")
      )
    }
  }
})

test_that("arguments that are not one finite number raise errors", {
  for (f in c(forward, inverse)) {
    for (x in list(NULL, NA, NaN, Inf, "1", c(1, 2), numeric(), list(1), factor(1))) {
      expect_error(f(x, 0.05), class = "dp_error_invalid_argument")
      expect_error(f(1, x), class = "dp_error_invalid_argument")
    }
  }
})

test_that("the result has the requested float type", {
  for (f in c(forward, inverse)) {
    full <- f(1.5, 0.3)
    expect_identical(f(1.5, 0.3, .T = "float"), full)
    expect_identical(f(1.5, 0.3, .T = f64), full)
    expect_identical(f(1.5, 0.3, .T = "f32"), nearest_f32(full))
    expect_error(f(1.5, 0.3, .T = "i32"), "No match for concrete type i32", class = "dp_error_type")
  }
})

test_that("the functions have the published formals", {
  for (name in names_of) {
    expect_identical(formals(get(name)), published_formals(name))
  }
})
