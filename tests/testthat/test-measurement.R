# Oracles -------------------------------------------------------------------------------------

noise_distance <- function(constructor, args_json, d_in) {
  args <- parse_json(args_json)
  d_in <- if (is_integer_literal(d_in)) as.integer(d_in) else as.numeric(d_in)
  noisy <- do.call(constructor, list(
    parse_domain(args$input_domain, nan = isTRUE(args$nan)), parse_metric(args$input_metric),
    scale = oracle_number(args$scale), k = args$k
  ))
  noisy(d_in = d_in)
}

test_that("the privacy maps of noise match the oracle to the last digit", {
  rows <- privacy_map_rows(c("make_laplace", "make_gaussian"))
  expect_identical(as.vector(table(rows$constructor)), c(23L, 51L))
  fails <- startsWith(rows$d_out, "ERROR")
  expect_identical(sum(fails), 10L)
  for (i in seq_len(nrow(rows))) {
    d_out <- condition_of(
      noise_distance(rows$constructor[[i]], rows$args_json[[i]], rows$d_in[[i]])
    )
    if (fails[[i]]) {
      expect_refusal(d_out, rows$d_out[[i]])
    } else {
      expect_identical(d_out, as.numeric(rows$d_out[[i]]))
    }
  }
})

test_that("privacy profiles of zero-concentrated losses match the oracle", {
  rows <- privacy_map_rows("make_zCDP_to_approxDP")
  rows <- rows[!grepl("threshold", rows$args_json), ]
  expect_identical(nrow(rows), 38L)
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    profile <- make_zCDP_to_approxDP(oracle_call(args$inner))(d_in = as.numeric(rows$d_in[[i]]))
    value <- if (args$solve_for == "epsilon") {
      condition_of(profile(delta = oracle_number(args$at_delta)))
    } else {
      profile(epsilon = args$at_epsilon)
    }
    if (startsWith(rows$d_out[[i]], "ERROR")) {
      # The reference rejects a delta of -0, which equals 0 here.
      expect_identical(args$at_delta, "-0.0")
      expect_identical(value, profile(delta = 0))
    } else {
      expect_oracle(value, as.numeric(rows$d_out[[i]]))
    }
  }
})

test_that("delta of a zero-concentrated loss matches the oracle", {
  rows <- privacy_map_rows("cdp_delta")
  expect_identical(nrow(rows), 9L)
  cast <- number_of("f64") |> then_gaussian(1) |> then_zCDP_to_approxDP()
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    profile <- cast(d_in = sqrt(2 * args$rho))
    expect_oracle(profile(epsilon = args$eps), as.numeric(rows$d_out[[i]]))
  }
})

test_that("casts of measures, fixed deltas and compositions match the oracle", {
  casts <- c(
    "make_fix_delta", "make_pureDP_to_zCDP", "make_approximate", "make_fixed_approxDP_to_approxDP"
  )
  rows <- privacy_map_rows(casts)
  described <- grepl("user measurement|composed with", rows$args_json)
  expect_identical(sum(described), 3L)
  rows <- rows[!described, ]
  expect_identical(nrow(rows), 12L)
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    inner <- oracle_call(args$inner)
    rest <- args[intersect(names(args), "delta")]
    cast <- do.call(rows$constructor[[i]], c(list(inner), rest))
    d_out <- cast(d_in = unlist(parse_json(rows$d_in[[i]])))
    if (!is.null(args$at_delta)) d_out <- d_out(delta = args$at_delta)
    expect_oracle(d_out, parse_json(sub("^Inf$", '"Inf"', rows$d_out[[i]])))
  }
})

# Laplace noise with exactly this loss at any distance.
laplace_of_loss <- function(loss) {
  space <- number_of("f64")
  moves <- make_user_transformation(
    space[[1]], space[[2]], space[[1]], space[[2]], identity,
    stability_map = \(d_in) if (is.finite(loss)) loss else 1
  )
  moves |> then_laplace(scale = if (is.finite(loss)) 1 else 0)
}

test_that("compositions match the oracle", {
  rows <- privacy_map_rows("make_composition")
  expect_identical(nrow(rows), 7L)
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    members <- if (is.null(args$losses)) {
      lapply(args$inner, oracle_call)
    } else {
      lapply(args$losses, function(loss) laplace_of_loss(oracle_number(loss)))
    }
    d_in <- if (nzchar(rows$d_in[[i]])) as.numeric(rows$d_in[[i]]) else 1
    d_out <- condition_of(make_composition(members)(d_in = d_in))
    if (startsWith(rows$d_out[[i]], "ERROR")) {
      expect_s3_class(d_out, "dp_error_overflow")
    } else {
      expect_oracle(d_out, parse_json(rows$d_out[[i]]))
    }
  }
  mixed <- privacy_map_rows("make_pureDP_to_zCDP")
  mixed <- mixed[grepl("composed with", mixed$args_json), ]
  both <- make_composition(list(
    oracle_call("make_laplace(f64, scale = 10)") |> then_pureDP_to_zCDP(),
    oracle_call("make_gaussian(f64, scale = 10)")
  ))
  expect_identical(both(d_in = 1), as.numeric(mixed$d_out))
})

test_that("a fixed delta of a user's measurement matches the oracle", {
  rows <- privacy_map_rows("make_fix_delta")
  rows <- rows[grepl("user measurement", rows$args_json), ]
  profile <- new_privacy_profile(\(epsilon) exp(-epsilon))
  losses <- list(profile, list(profile, 1e-7))
  measures <- list(smoothed_max_divergence(), approximate(smoothed_max_divergence()))
  space <- number_of("i32")
  expect_identical(grepl("Approximate<", rows$args_json), c(FALSE, TRUE))
  for (i in 1:2) {
    measurement <- space |> then_user_measurement(measures[[i]], identity, \(d_in) losses[[i]])
    fixed <- make_fix_delta(measurement, delta = parse_json(rows$args_json[[i]])$delta)
    expect_oracle(fixed(d_in = 1L), parse_json(rows$d_out[[i]]))
  }
})

test_that("searched parameters match the oracle", {
  rows <- privacy_map_rows("binary_search_param")
  expect_identical(nrow(rows), 4L)
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    found <- binary_search_param(\(s) oracle_call(args$chain, s = s), args$d_in, args$d_out)
    expect_oracle(found, as.numeric(rows$d_out[[i]]))
  }
})

# Objects -------------------------------------------------------------------------------------

noisy <- number_of("i32") |> then_laplace(scale = 2)

test_that("a measurement answers requests for a release, a loss and a check", {
  expect_type(noisy(arg = 3L), "integer")
  expect_identical(noisy(d_in = 1L), 0.5)
  expect_true(noisy(d_in = 1L, d_out = 0.5))
  expect_false(noisy(d_in = 1L, d_out = 0.4999))
  expect_identical(number_of("i32") |> then_laplace(scale = 0) |> measurement_invoke(arg = 3L), 3L)
})

test_that("calls, `$` and functions return the parts of a measurement", {
  expect_identical(noisy("input_domain")("debug"), "AtomDomain(T=i32)")
  expect_identical(noisy$input_metric$debug, "AbsoluteDistance(i32)")
  expect_identical(measurement_output_measure(noisy)("type"), "MaxDivergence")
  expect_identical(measurement_input_carrier_type(noisy), "i32")
  expect_identical(measurement_input_distance_type(noisy), "i32")
  expect_identical(measurement_output_distance_type(noisy), "f64")
  expect_identical(noisy$map(1L), 0.5)
  expect_true(noisy$check(1L, 0.5))
  expect_type(noisy$invoke(3L), "integer")
  expect_identical(measurement_map(noisy, 1L), 0.5)
  expect_true(measurement_check(noisy, 1L, 0.5))
  expect_s3_class(measurement_function(noisy), "opendp_function")
  expect_s3_class(noisy("function"), "opendp_function")
  expect_identical(typeof(noisy("ptr")), "externalptr")
})

test_that("a measurement answers exactly one request per call, with the published errors", {
  expect_snapshot(error = TRUE, {
    noisy()
    noisy("input_domain", arg = 3L)
    noisy(arg = 3L, d_in = 1L)
    noisy(d_out = 1)
    noisy(3L)
    noisy("nothing")
    noisy$nothing
  })
})

test_that("a measurement prints in the published form", {
  expect_snapshot(noisy)
  expect_identical(format(noisy), toString(noisy))
})

test_that("a loss of several parts is a list, and is checked part by part", {
  pair <- noisy |> then_approximate()
  expect_identical(pair(d_in = 1L), list(0.5, 0))
  expect_true(pair(d_in = 1L, d_out = list(0.5, 0)))
  expect_true(pair(d_in = 1L, d_out = c(0.6, 1e-6)))
  expect_false(pair(d_in = 1L, d_out = list(0.4, 0)))
  expect_error(pair(d_in = 1L, d_out = 0.5), class = "dp_error_failed_cast")
})

test_that("arguments that must be numbers raise errors if they are not", {
  for (d_in in list(NULL, "1", NA, NA_integer_, c(1L, 2L), list(), 1.5, factor(1), mean)) {
    expect_error(noisy(d_in = d_in), class = "dp_error_failed_cast")
  }
  expect_error(noisy(d_in = -1L), class = "dp_error_failed_map")
})
