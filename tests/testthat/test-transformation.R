space <- bounded_rows(c(0L, 10L))

# Oracles -------------------------------------------------------------------------------------

# The table sometimes follows its reference below the truth. The test then expects the sound value.
# Two sequences of 3 rows at insert-delete distance 4 may differ in all 3 rows.
sound_distances <- function(rows) {
  halved <- rows$constructor == "make_metric_bounded" & grepl("InsertDelete", rows$args_json)
  stopifnot(sum(halved) == 1, rows$d_in[halved] == "4", rows$d_out[halved] == "2")
  rows$d_out[halved] <- "3"
  rows
}

stability_rows <- function() {
  sound_distances(read_fixture("stability_maps.csv"))
}

# TRUE, or a description of the row's error.
check_stability_row <- function(row) {
  variant <- sub("^error:", "", row$d_out)
  fails <- variant != row$d_out
  if (!nzchar(row$d_in)) {
    error <- condition_of(oracle_object(row$constructor, row$args_json))
    return(identical(class(error)[[1]], class_of_variant(variant)))
  }
  object <- oracle_object(row$constructor, row$args_json)
  d_in <- oracle_d_in(row$d_in)
  if (fails) {
    error <- condition_of(object(d_in = d_in))
    return(identical(class(error)[[1]], class_of_variant(variant)))
  }
  d_out <- object(d_in = d_in)
  identical(d_out, oracle_d_out(row$d_out, output_distance_types(object))) &&
    isTRUE(object(d_in = d_in, d_out = d_out))
}

test_that("maps match every row of the stability map oracle to the last digit", {
  rows <- stability_rows()
  expect_identical(nrow(rows), 244L)
  passed <- vapply(split(rows, seq_len(nrow(rows))), check_stability_row, logical(1))
  expect_identical(paste(rows$constructor, rows$args_json, rows$d_in)[!passed], character())
})

test_that("maps match the numbers of the sum notebook", {
  expect_identical(then_sum(space)(arg = c(1L, 2L, 4L)), 7L)
  expect_identical(then_sum(space)(d_in = 1L), 10L)
  sized <- bounded_rows(c(-10L, 10L), size = 3L) |> then_sum()
  expect_identical(sized(arg = c(1L, 2L, 4L)), 7L)
  expect_identical(sized(d_in = 2L), 20L)
  stair <- vapply(0:9, \(d_in) sized(d_in = d_in), integer(1))
  expect_identical(stair, c(0L, 0L, 20L, 20L, 40L, 40L, 60L, 60L, 80L, 80L))
  floats <- \(bounds, ...) bounded_rows(bounds, ...) |> then_sum()
  expect_identical(floats(c(-10, 10), size = 1000L)(d_in = 2L), 20.00000000004426)
  expect_identical(floats(c(-10, 10))(d_in = 1L), 20.00000009313226)
  expect_identical(floats(c(-10, 0))(d_in = 1L), 10.00000009313226)
  limited <- make_bounded_float_checked_sum(size_limit = 100L, bounds = c(-10., 0.))
  expect_identical(limited(d_in = 1L), 10.00000000000295)
  ordered <- bounded_rows(c(1L, 10L), insert_delete_distance()) |> then_sum()
  expect_identical(
    ordered("input_metric")("debug"),
    make_bounded_int_ordered_sum(bounds = c(1L, 10L))("input_metric")("debug")
  )
  expect_identical(ordered(d_in = 1L), 10L)
  make_sized_bounded_int_checked_sum(1234L, c(-2L, 4L), .T = "i32")
  expect_error(
    make_sized_bounded_int_checked_sum(2147483647L, c(-2L, 4L), .T = "i32"),
    class = "dp_error_make_transformation"
  )
})

# The contract of every constructor --------------------------------------------------------------

examples <- constructor_examples()

# Rounding moves these sums even between equal datasets.
rounds <- function(name) grepl("float|mean|variance|deviations|covariance", name)

distances_of <- function(object, d_in) {
  lapply(d_in, function(d) {
    d_out <- object(d_in = d)
    if (inherits(d_out, "privacy_profile")) {
      d_out(epsilon = 0.1)
    } else if (inherits(d_out, "renyi_curve")) {
      d_out(alpha = 3)
    } else {
      unlist(d_out)
    }
  })
}

# One loss for all distances up to the declared one, including 0.
promises <- c(
  "make_adaptive_composition", "make_sequential_composition", "make_privacy_filter",
  "make_canonical_noise"
)
# An odometer has no map.
have_maps <- setdiff(names(examples), "make_fully_adaptive_composition")

test_that("every map is 0 at distance 0 and never decreases", {
  for (name in setdiff(have_maps, promises)) {
    d_out <- distances_of(built_by(name, examples[[name]]), examples[[name]]$d_in)
    columns <- do.call(rbind, d_out)
    if (name == "make_fix_delta") columns <- columns[, 1, drop = FALSE]
    if (rounds(name)) {
      expect_lte(columns[[1, 1]], 1e-12)
    } else if (name == "make_fixed_approxDP_to_approxDP") {
      # At distance 0 the profile is the step to delta = 0 at epsilon = 0.
      expect_identical(columns[[1, 1]], 0)
    } else {
      expect_true(all(columns[1, ] == 0), info = name)
    }
    expect_true(all(diff(columns) >= 0), info = name)
  }
})

test_that("a promise for a distance holds for all shorter ones, and for no longer one", {
  for (name in promises) {
    object <- built_by(name, examples[[name]])
    expect_length(unique(distances_of(object, 0:6)), 1)
    refusal <- if (name == "make_canonical_noise") "failed_map" else "relation_debug"
    expect_error(object(d_in = 7L), class = paste0("dp_error_", refusal), info = name)
  }
})

test_that("every map rejects invalid distances", {
  for (name in have_maps) {
    object <- built_by(name, examples[[name]])
    for (d_in in list(NULL, "1", NA, NaN, -1L, c(1L, 2L), list(), factor(1), mean)) {
      expect_error(object(d_in = d_in), class = "dp_error", info = name)
    }
  }
})

test_that("every constructor requires its feature before it checks an argument", {
  withr::local_options(opendp_features = NULL)
  for (name in names(examples)) {
    error <- condition_of(do.call(name, list()))
    expect_s3_class(error, "dp_error_missing_feature")
    expect_identical(error$feature, "contrib", info = name)
    expect_null(conditionCall(error))
  }
  withr::local_options(opendp_features = "contrib")
  for (name in c(
    "make_identity", "make_user_transformation", "make_user_measurement",
    "make_population_amplification"
  )) {
    expect_identical(condition_of(do.call(name, list()))$feature, "honest-but-curious")
  }
})

test_that("every constructor rejects a foreign domain and a foreign metric", {
  takes_any <- c(
    "make_identity", "make_user_measurement", "make_adaptive_composition",
    "make_sequential_composition", "make_fully_adaptive_composition"
  )
  takes_space <- Filter(
    \(name) !is.null(examples[[name]]$space), setdiff(names(examples), takes_any)
  )
  kind_of <- \(metric) sub("[(].*", "", toString(metric))
  for (name in takes_space) {
    example <- examples[[name]]
    for (domain in list(
      bitvector_domain(), map_domain(atom_domain(.T = bool), atom_domain(.T = String))
    )) {
      foreign <- example
      foreign$space[[1]] <- domain
      expect_error(built_by(name, foreign), class = "dp_error", info = name)
    }
    for (metric in list(discrete_distance(), l01inf_distance(absolute_distance("i32")))) {
      foreign <- example
      foreign$space[[2]] <- metric
      if (kind_of(metric) == kind_of(example$space[[2]])) next
      expect_error(built_by(name, foreign), class = "dp_error", info = name)
    }
  }
})

test_that("every then_ form with a fixed space rejects other spaces", {
  space <- c(bitvector_domain(), discrete_distance())
  for (name in names(examples)) {
    if (is.null(examples[[name]]$space) && !startsWith(name, "make_chain_")) {
      then <- sub("^make_", "then_", name)
      build_then <- \() suppressWarnings(
        do.call(then, c(list(space), examples[[name]]$args), quote = TRUE),
        classes = "deprecatedWarning"
      )
      expect_error(build_then(), class = "dp_error_domain_mismatch", info = name)
    }
  }
})

# Objects ------------------------------------------------------------------------------------------

total <- then_sum(space)

test_that("a transformation answers requests for a result, a map and a check", {
  expect_identical(total(arg = c(1L, 2L)), 3L)
  expect_identical(total(d_in = 2L), 20L)
  expect_identical(total(d_in = 2), 20L)
  expect_true(total(d_in = 2L, d_out = 20L))
  expect_true(total(d_in = 2L, d_out = 20))
  expect_false(total(d_in = 2L, d_out = 19L))
})

test_that("calls, `$` and functions return the parts of a transformation", {
  parts <- c("input_domain", "input_metric", "output_domain", "output_metric")
  shown <- c(
    "VectorDomain(AtomDomain(bounds=[0, 10], T=i32))", "SymmetricDistance()", "AtomDomain(T=i32)",
    "AbsoluteDistance(i32)"
  )
  by_call <- vapply(parts, \(part) toString(total(part)), "", USE.NAMES = FALSE)
  by_function <- vapply(
    parts, \(part) toString(get(paste0("transformation_", part))(total)), "", USE.NAMES = FALSE
  )
  expect_identical(by_call, shown)
  expect_identical(by_function, shown)
  expect_identical(toString(total$output_metric), shown[[4]])
  expect_identical(transformation_input_carrier_type(total), "Vec<i32>")
  expect_identical(transformation_input_distance_type(total), "u32")
  expect_identical(transformation_output_distance_type(total), "i32")
  expect_identical(transformation_function(total)(arg = c(1L, 2L)), 3L)
  expect_identical(transformation_invoke(total, c(1L, 2L)), 3L)
  expect_identical(transformation_map(total, 2L), 20L)
  expect_true(transformation_check(total, 2L, 20L))
  expect_identical(typeof(total("ptr")), "externalptr")
})

test_that("a transformation answers exactly one request per call, with the published errors", {
  expect_snapshot(error = TRUE, {
    total()
    total("input_domain", d_in = 1L)
    total(arg = 1L, d_in = 1L)
    total(d_out = 1L)
    total(1L)
    total("nothing")
    total$nothing
  })
})

test_that("a transformation prints in the published form", {
  expect_snapshot({
    total
    bounded_rows(c(0, 10), insert_delete_distance(), size = 3) |> then_mean()
  })
  expect_identical(format(total), toString(total))
  expect_identical(print_silently(total), total)
})
