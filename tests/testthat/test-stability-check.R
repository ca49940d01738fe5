between <- function(lower, upper, size = NULL) {
  vector_domain(atom_domain(bounds = c(lower, upper)), size = size)
}

ten <- between(0, 10, 10L)

# Ends after a number of pairs, never by the clock. The seed fixes the search.
checked <- function(fun, domain, metric, map, ..., output = absolute_distance(.T = "f64"),
                    pairs = 600) {
  withr::local_seed(1)
  check_stability(fun, domain, metric, output, map, ..., pairs = pairs, seconds = 1e6)
}

replaced <- change_one_distance()
symmetric <- symmetric_distance()

test_that("false claims are refuted with the exact worst case, shrunk to a few values", {
  worst <- list(
    list(stats::var, function(d) d * 100 / 20, 2), list(stats::median, function(d) d, 5),
    list(stats::sd, function(d) d, sqrt(10)), list(function(x) mean(x, trim = 0.1), identity, 1.25)
  )
  for (case in worst) {
    found <- checked(case[[1]], ten, replaced, case[[2]])
    expect_true(found$refuted)
    expect_equal(found$ratio, case[[3]], tolerance = 1e-12)
    expect_true(all(unlist(found$pair) %in% c(0, 10)))
    expect_identical(sum(found$pair[[1]] != found$pair[[2]]), 1L)
  }
})

test_that("the variance of a correct claim is tight and not refuted", {
  found <- checked(function(x) length(x), between(0, 1), symmetric, identity)
  expect_false(found$refuted)
  expect_identical(found$ratio, 1)
  expect_gt(found$pairs, 600)
})

test_that("wrong maps of twelve kinds are refuted by at most four rows", {
  kept <- new.env()
  kept$calls <- 0
  wrong <- list(
    rows_added = list(sum, function(d) d / 2), offset = list(sum, function(d) d - 0.5),
    constant = list(sum, function(d) 1), right_for_one = list(sum, function(d) min(d, 1)),
    squares = list(function(x) length(x)^2, function(d) d),
    order = list(function(x) sum(utils::head(x, 1)), function(d) d / 2),
    sorted_only = list(function(x) if (is.unsorted(x)) 5 * sum(x) else sum(x), identity),
    largest = list(function(x) 2 * max(0, x), identity),
    fails = list(function(x) if (length(x) == 2) stop("two") else 0, identity),
    missing = list(function(x) if (length(x) > 1) NA_real_ else 0, identity),
    state = list(function(x) kept$calls <- kept$calls + 1, identity),
    truncation = list(function(x) sum(utils::head(x, 2)), identity)
  )
  for (name in names(wrong)) {
    found <- checked(wrong[[name]][[1]], between(0, 1), symmetric, wrong[[name]][[2]])
    expect_true(found$refuted, info = name)
    expect_lte(max(lengths(found$pair)), 4)
  }
})

test_that("the kind of a violation is named", {
  kind <- function(fun) checked(fun, between(0, 1), symmetric, identity)$kind
  expect_identical(kind(function(x) 2 * length(x)), "distance")
  expect_identical(kind(function(x) if (length(x) == 2) stop("two") else 0), "failure")
  expect_identical(kind(function(x) stats::runif(1)), "state")
  numbers <- vector_domain(atom_domain(.T = "f64", nan = FALSE))
  whole <- make_user_transformation(numbers, symmetric, atom_domain(bounds = c(0, 1)),
    absolute_distance(.T = "f64"), function(x) as.double(length(x)),
    function(d) d
  )
  withr::local_seed(1)
  # The core makes an error of a result outside of the output domain, from two rows on.
  expect_identical(check_stability(whole, pairs = 10)$kind, "failure")
  parts <- checked_transformation(c(between(0, 1), symmetric) |> then_count(), list(), NULL)
  parts$inside <- function(result) result < 2
  search <- new_search(parts, rows_of_domain(parts$domain, NULL, NULL), 1, 10, 1e6)
  expect_identical(judge_pair(search, list(c(0, 0), 0))$kind, "domain")
})

test_that("a counterexample prints its data and results", {
  found <- checked(function(x) if (length(x) == 2) stop("no") else 0, between(0, 1), symmetric,
    identity
  )
  shown <- paste(format(found), collapse = " ")
  expect_match(shown, "[(]0[)] and [(]0, 0[)]|[(]0, 0[)] and [(]0[)]")
  expect_match(shown, "results +[(]0[)] and an error|results +an error and [(]0[)]")
})

test_that("calls that all fail are no check", {
  found <- checked(function(x) stop("no"), between(0, 1), symmetric, identity, pairs = 10)
  expect_false(found$answered)
  expect_match(format(found)[[1]], "nothing was checked")
})

test_that("sums of doubles are refuted by their rounding, without a tolerance", {
  sequential <- function(x) Reduce(`+`, x, 0)
  found <- checked(sequential, between(0, 2^53), symmetric, function(d) d * 2^53, pairs = 3000)
  expect_true(found$refuted)
  expect_gt(found$ratio, 1)
  expect_lt(found$ratio, 1 + 1e-12)
  expect_gt(found$over, 0)
  expect_match(format(found)[[3]], "1 \\+ ")
})

test_that("transformations of the package hold their maps", {
  numbers <- vector_domain(atom_domain(.T = "f64", nan = FALSE))
  chains <- list(
    c(between(0, 10, 4L), symmetric) |> then_sum(),
    c(numbers, symmetric) |> then_clamp(c(0, 1)),
    c(vector_domain(atom_domain(bounds = c(0L, 5L))), symmetric) |> then_sum(),
    c(vector_domain(atom_domain(.T = "String")), symmetric) |> then_count(),
    c(vector_domain(atom_domain(.T = "bool")), symmetric) |> then_count_distinct()
  )
  for (chain in chains) {
    withr::local_seed(1)
    found <- check_stability(chain, pairs = 300, seconds = 1e6)
    expect_false(found$refuted)
    expect_gt(found$pairs, 100)
  }
})

test_that("vectors are compared in each norm, exactly", {
  both <- function(x) c(length(x), length(x))
  norms <- list(
    list(l1_distance(.T = "f64"), 2), list(l2_distance(.T = "f64"), sqrt(2)),
    list(linf_distance(.T = "f64"), 1)
  )
  for (norm in norms) {
    found <- checked(both, between(0, 1), symmetric, identity, output = norm[[1]])
    expect_equal(found$ratio, norm[[2]], tolerance = 1e-12)
  }
})

test_that("expansions are exact", {
  expect_identical(rev(expansion_of(c(1, 2^-60, -1)))[[1]], 2^-60)
  expect_identical(rev(expansion_of(c(2^53, 1, -2^53, -1)))[[1]], 0)
  # 0.1, 0.2 and 0.3 are 3602879701896397, 7205759403792794 and 10808639105689190 in 2^-55.
  expect_identical(rev(expansion_of(c(0.1, 0.2, -0.3)))[[1]], 2^-55)
  product <- two_product(1 + 2^-30, 1 + 2^-30)
  expect_identical(product, c(2^-60, 1 + 2^-29))
  # 3, 4 and 5: equal to the claim, then above it by one unit of the last place.
  at <- numeric_excess(c(3, 4), c(0, 0), 5, "L2Distance")
  expect_identical(at$over, 0)
  above <- numeric_excess(c(3, 4 * (1 + 2^-52)), c(0, 0), 5, "L2Distance")
  expect_gt(above$over, 0)
  expect_gt(above$ratio, 1)
})

test_that("distances of datasets are those of their metric", {
  x <- c(1, 2, 3)
  expect_identical(dataset_distance(x, rev(x), "SymmetricDistance"), 0L)
  expect_identical(dataset_distance(x, rev(x), "HammingDistance"), 2L)
  expect_equal(dataset_distance(x, rev(x), "InsertDeleteDistance"), 4)
  expect_equal(dataset_distance(x, c(1, 2, 9), "ChangeOneDistance"), 1)
  expect_identical(dataset_distance(x, c(1, 2), "ChangeOneDistance"), Inf)
  expect_identical(dataset_distance(c(0, 1), c(-0, 1), "SymmetricDistance"), 2L)
})

test_that("wrong arguments are refused by name", {
  distance <- absolute_distance(.T = "f64")
  expect_refused(check_stability(1, ten, replaced, distance, identity), "transformation")
  expect_refused(check_stability(mean, c(0, 1), replaced, distance, identity), "domain")
  expect_refused(check_stability(mean, ten, "replaced", distance, identity), "metric")
  expect_refused(check_stability(mean, ten, distance, distance, identity), "metric")
  expect_refused(check_stability(mean, ten, replaced, distance, 1), "map")
  expect_refused(check_stability(mean, ten, replaced, distance, function(d) "a"), "map")
  expect_refused(check_stability(mean, ten, replaced, distance, identity, d_in = 0.5), "d_in")
  expect_refused(check_stability(c(ten, symmetric) |> then_sum(), map = identity), "map")
})
