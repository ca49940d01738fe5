# Counting kinds of the oracle. A maximum group length caps the change of one group.
counting_rows <- function() {
  rows <- read_fixture("group_by_maps.csv")
  counts_all <- c("len", "len_maxlen", "count_nonnull_column")
  counts_some <- c(
    "count_nullable_column", "null_count", "n_unique", "count_after_filter", "id_count"
  )
  rows <- rows[rows$query_kind %in% c(counts_all, counts_some), ]
  rows$counted <- ifelse(rows$query_kind %in% counts_all, "all", "some")
  cap <- ifelse(rows$bounds == "", Inf, as.numeric(sub("max_length=", "", rows$bounds)))
  stopifnot(!is.na(cap))
  rows$linf <- pmin(as.numeric(rows$linf), cap)
  rows
}

distance_of <- function(row, norm) {
  info <- if (row$public_info != "None") row$public_info
  map <- counting_query_stability_map(info, as.integer(row$p), counted = row$counted, norm = norm)
  map(d_in = partition_distance(as.numeric(row$l0), as.numeric(row$l1), row$linf))
}

test_that("maps match the counting rows of the oracle, published and packed", {
  rows <- counting_rows()
  expect_identical(nrow(rows), 83L)
  for (i in seq_len(nrow(rows))) {
    row <- rows[i, ]
    # The oracle rounds to nearest. The maps round up.
    published <- distance_of(row, "published")
    expect_equal(published, as.numeric(row$expected_sensitivity), tolerance = 1e-12, info = i)
    expect_gte(published, as.numeric(row$expected_sensitivity))
    packed <- distance_of(row, "packed")
    expect_equal(packed, as.numeric(row$tight_sensitivity), tolerance = 1e-12, info = i)
  }
})

test_that("D-SEN-1: the maps cover every change of a few counts, the packed one tightly", {
  changes <- as.matrix(expand.grid(0:3, 0:3, 0:3))
  triple_of <- function(rows) c(sum(rows > 0), sum(rows), max(rows))
  triples <- t(apply(changes, 1, triple_of))
  norms <- list(function(x) sum(abs(x)), function(x) sqrt(sum(x^2)))
  for (p in 1:2) {
    published <- counting_query_stability_map(p = p)
    packed <- counting_query_stability_map(p = p, norm = "packed")
    for (i in seq_len(nrow(changes))) {
      d_in <- triples[i, ]
      within <- triples[, 1] <= d_in[1] & triples[, 2] <= d_in[2] & triples[, 3] <= d_in[3]
      worst <- max(apply(changes[within, , drop = FALSE], 1, norms[[p]]))
      expect_gte(published(d_in = d_in), packed(d_in = d_in))
      # Rounding up adds at most one unit in the last place.
      expect_gte(packed(d_in = d_in), worst * (1 - 2^-52))
      expect_lte(packed(d_in = d_in), worst * (1 + 2^-52))
    }
  }
})

test_that("a distance is three integers, in any form", {
  map <- counting_query_stability_map(p = 2)
  expect_identical(map(d_in = c(10, 10, 1)), sqrt(10))
  expect_identical(map(d_in = list(10L, 10L, 1L)), sqrt(10))
  expect_identical(map(d_in = partition_distance(10, 10, 1)), sqrt(10))
  expect_identical(partition_distance(1, 2, 3L), list(l0 = 1, l1 = 2, linf = 3L))
  expect_true(map(d_in = c(10, 10, 1), d_out = 3.2))
  expect_false(map(d_in = c(10, 10, 1), d_out = 3.1))
  for (d_in in list(1, c(1, 1), c(1, 1, -1), c(1, 1, 0.5), c(1, 1, NA), "a", NULL, 1:4)) {
    expect_error(map(d_in = d_in), class = "dp_error_failed_cast")
  }
  for (part in list(-1, 0.5, NA, "1", 2^32, 1:2)) {
    expect_error(partition_distance(1, part, 1), class = "dp_error_invalid_argument")
  }
})

test_that("other norms raise an error when the map is called, unless counts are constant", {
  for (p in c(0, 3)) {
    map <- counting_query_stability_map(p = p)
    expect_error(map(d_in = c(1, 1, 1)), class = "dp_error_make_transformation")
    expect_identical(counting_query_stability_map("Lengths", p)(d_in = c(1, 1, 1)), 0)
    some <- counting_query_stability_map("Lengths", p, counted = "some")
    expect_error(some(d_in = c(1, 1, 1)), class = "dp_error_make_transformation")
  }
})

test_that("invalid arguments and a missing feature raise errors", {
  for (public_info in list("keys", NA, 1, c("Keys", "Lengths"))) {
    expect_error(counting_query_stability_map(public_info), class = "dp_error_invalid_argument")
  }
  for (p in list("1", NULL, NA, 1.5, -1)) {
    expect_error(counting_query_stability_map(p = p), class = "dp_error_invalid_argument")
  }
  expect_error(counting_query_stability_map(counted = "none"), class = "dp_error_invalid_argument")
  expect_error(counting_query_stability_map(norm = "tight"), class = "dp_error_invalid_argument")
  withr::local_options(opendp_features = NULL)
  expect_error(counting_query_stability_map(), class = "dp_error_missing_feature")
})

test_that("a map prints its parts", {
  map <- counting_query_stability_map("Keys", 2L, norm = "packed")
  expect_identical(
    format(map), "StabilityMap(public_info=Keys, p=2, counted=all, norm=packed)"
  )
  expect_output(print(counting_query_stability_map()), "public_info=NULL, p=1")
})
