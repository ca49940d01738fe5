space <- number_of("i32")
laplace <- function(scale) space |> then_laplace(scale = scale)

compositor <- function(d_mids, d_in = 1L, measure = max_divergence()) {
  space |> then_adaptive_composition(measure, d_in = d_in, d_mids = d_mids)
}

test_that("the map matches every row of the oracle", {
  rows <- privacy_map_rows("make_adaptive_composition")
  expect_identical(nrow(rows), 3L)
  for (i in seq_len(nrow(rows))) {
    args <- parse_json(rows$args_json[[i]])
    asked <- \() compositor(unlist(args$d_mids), args$d_in)(d_in = as.integer(rows$d_in[[i]]))
    if (startsWith(rows$d_out[[i]], "ERROR")) {
      words <- sub('.*"(.*)"', "\\1", rows$d_out[[i]])
      expect_error(asked(), words, class = "dp_error_relation_debug")
    } else {
      expect_identical(asked(), as.numeric(rows$d_out[[i]]))
    }
  }
})

test_that("it answers one query per share, each within its share", {
  queryable <- compositor(c(1, 0.5))(arg = 5L)
  expect_error(queryable(query = laplace(0.5)), "insufficient budget for query: 2.0 > 1.0",
    fixed = TRUE, class = "dp_error_failed_function"
  )
  expect_type(queryable(query = laplace(2)), "integer")
  expect_error(queryable(query = laplace(1)), "insufficient budget for query: 1.0 > 0.5",
    fixed = TRUE
  )
  expect_type(queryable(query = laplace(2)), "integer")
  expect_error(queryable(query = laplace(2)), "out of queries", class = "dp_error_failed_function")
})

test_that("query costs are measured at the compositor's distance", {
  queryable <- compositor(1, d_in = 3L)(arg = 5L)
  expect_error(queryable(query = laplace(2)), "1.5 > 1.0", fixed = TRUE)
  expect_type(queryable(query = laplace(3)), "integer")
})

test_that("losses of pairs are given in a list", {
  measure <- fixed_smoothed_max_divergence()
  pairs <- compositor(list(c(1, 1e-6), list(2, 0)), measure = measure)
  expect_identical(pairs(d_in = 1L), list(3, 1e-6))
  expect_type(pairs(arg = 5L)(query = make_approximate(laplace(1))), "integer")
  gaussian <- space |> then_gaussian(1) |> then_zCDP_to_approxDP() |> then_fix_delta(delta = 1e-5)
  expect_error(pairs(arg = 5L)(query = gaussian), "insufficient budget")
  expect_error(compositor(c(1, 1e-6), measure = measure), class = "dp_error_failed_cast")
})

test_that("after a transformation, children are measurements of its result", {
  rows <- rows_of("i32")
  counted <- rows |> then_count()
  total <- counted |> then_adaptive_composition(
    output_measure = max_divergence(), d_in = counted(d_in = 1L), d_mids = c(0.2, 0.09)
  )
  expect_identical(total(d_in = 1L), 0.29000000000000004)
  queryable <- total(arg = rep(1L, 12))
  exact <- c(counted("output_domain"), counted("output_metric")) |> then_laplace(scale = 5)
  expect_type(queryable(query = exact), "integer")
})

# Checks of compositors, each a function that starts one with given shares. The checks must reject
# compositors with a planted mistake -----------------------------------------------------

start <- function(d_mids) compositor(d_mids)(arg = 5L)

mutant <- function(charge = c("first", "on success", "never"), limit = function(share, all) share) {
  charge <- match.arg(charge)
  function(d_mids) {
    left <- d_mids
    new_queryable(function(query) {
      if (!length(left) || query(d_in = 1L) > limit(left[[1]], d_mids)) {
        stop_dp("refused", "failed_function")
      }
      if (charge == "first") left <<- left[-1]
      answer <- query(arg = 5L)
      if (charge == "on success") left <<- left[-1]
      answer
    })
  }
}

is_answered <- function(queryable, query) !inherits(condition_of(queryable(query = query)), "error")

# Number of shares, out of two, that remain after a query fails on the data.
left_by_failure <- function(start) {
  queryable <- start(c(1, 1))
  is_answered(queryable, laplace(1) |> then_postprocess(\(x) stop("no")))
  sum(replicate(3, is_answered(queryable, laplace(1))))
}

test_that("D-CMP-2: a query that fails on the data stays charged", {
  expect_identical(left_by_failure(start), 1L)
  expect_identical(left_by_failure(mutant("first")), 1L)
  expect_identical(left_by_failure(mutant("on success")), 2L)
  expect_identical(left_by_failure(mutant("never")), 3L)
})

test_that("D-CMP-2: a rejected query costs nothing", {
  queryable <- start(1)
  expect_error(queryable(query = laplace(0.1)), "insufficient budget")
  expect_error(queryable(query = 3), class = "dp_error_failed_cast")
  expect_true(is_answered(queryable, laplace(1)))
})

# Largest excess of any query sequence over the sum of shares. Losses are multiples of 1/64, so
# doubles hold all sums.
most_beyond <- function(start) {
  asked <- c(16, 8, 32, 4, 64, 1, 2, 8, 16, 1) / 64
  beyond <- function(d_mids, turn) {
    queryable <- start(d_mids)
    losses <- asked[(seq_along(asked) + turn - 1) %% length(asked) + 1]
    answered <- vapply(losses, \(loss) is_answered(queryable, laplace(1 / loss)), logical(1))
    sum(losses[answered]) - sum(d_mids)
  }
  shares <- list(c(8, 16, 4) / 64, c(64, 1) / 64, 32 / 64)
  max(vapply(shares, \(d_mids) max(vapply(0:9, \(i) beyond(d_mids, i), 0)), 0))
}

test_that("D-CMP-1: no sequence of queries gets more than was promised", {
  expect_lte(most_beyond(start), 0)
  expect_lte(most_beyond(mutant("first")), 0)
  expect_gt(most_beyond(mutant("never")), 0)
  expect_gt(most_beyond(mutant("first", limit = \(share, all) sum(all))), 0)
})

test_that("D-CMP-1: the promise is at least the exact sum, which a sum in doubles is not", {
  # 1 + 2^-53 is not a double. The nearest one is 1.
  shares <- c(1, 2^-53)
  expect_gt(compositor(shares)(d_in = 1L), 1)
  expect_identical(sum(shares), 1)
})

test_that("D-CMP-2: rejections do not depend on the data", {
  refusals <- lapply(c(0L, 5L, .Machine$integer.max), function(data) {
    queryable <- compositor(c(1, 1))(arg = data)
    said <- \(query) conditionMessage(condition_of(queryable(query = query)))
    c(said(laplace(0.5)), said(number_of("i64") |> then_laplace(1)), said(1))
  })
  expect_length(unique(refusals), 1)
})

test_that("nested compositors take turns", {
  parent <- compositor(c(1, 1))(arg = 5L)
  children <- list(parent(query = compositor(c(0.5, 0.5))), parent(query = compositor(c(0.5, 0.5))))
  for (each in c(children, children)) expect_type(each(query = laplace(2)), "integer")
  expect_error(children[[1]](query = laplace(2)), "out of queries")
})

test_that("invalid promises raise errors", {
  expect_error(compositor(NULL), "d_mids must have at least one element",
    class = "dp_error_make_measurement"
  )
  expect_error(compositor(numeric()), class = "dp_error_make_measurement")
  expect_error(compositor(c(1, -1)), class = "dp_error_failed_map")
  expect_error(compositor(c(1, NA)), class = "dp_error")
  expect_error(compositor("1"), class = "dp_error_failed_cast")
  expect_error(compositor(factor(1)), "`d_mids` must be a vector or a list of losses",
    class = "dp_error_invalid_argument"
  )
  expect_error(compositor(1, d_in = 0.5), class = "dp_error_failed_cast")
  expect_error(compositor(1, measure = smoothed_max_divergence()), class = "dp_error")
  expect_error(compositor(1, measure = renyi_divergence()), class = "dp_error_type")
})

test_that("the deprecated name works and names its replacement", {
  expect_warning(
    old <- make_sequential_composition(space[[1]], space[[2]], max_divergence(), 1L, c(1, 2)),
    "Use make_adaptive_composition\\(\\) instead",
    class = "deprecatedWarning"
  )
  expect_identical(old(d_in = 1L), 3)
})
