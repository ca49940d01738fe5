# Objects keep public arguments unchanged, even if `data.table::set()` later modifies the original
# vectors in place.

enable_features("contrib")

# Full content of an object. A query, a statistic and a framework object have plans.
content_of <- function(x) {
  if (inherits(x, "dp_query")) {
    form_of_query(x)
  } else if (inherits(x, "dp_tbl")) {
    form_of_table(x)
  } else if (inherits(x, c("dpStatistic", "transformation", "measurement", "domain"))) {
    c(to_json(x), plan_hash(x), format(x))
  } else {
    unclass(x)
  }
}

# Makes an object from the vector `values`, then modifies the vector.
expect_kept <- function(make, values) {
  column <- data.table::data.table(values = values)
  made <- make(column$values)
  before <- serialize(content_of(made), NULL)
  other <- switch(typeof(values), character = "other", integer = 7L, double = 7.25)
  for (row in seq_along(values)) data.table::set(column, row, "values", other)
  expect_identical(serialize(content_of(made), NULL), before)
}

test_that("the vectors of these tests do change", {
  column <- data.table::data.table(values = c(1, 2))
  seen <- column$values
  data.table::set(column, 1L, "values", 5)
  expect_identical(seen, c(5, 2))
})

test_that("queries keep public arguments unchanged", {
  local_verbs()
  people <- people_to_plan()
  stays <- stays_in(plenty(), data = NULL)
  expect_kept(\(v) summarise(people, h = dp_histogram(age, breaks = v)), c(0, 1, 9))
  expect_kept(\(v) summarise(people, s = dp_sum(age, bounds = v)), c(0, 9))
  expect_kept(\(v) summarise(people, q = dp_quantile(age, v, at = 0:9)), c(0.1, 0.5))
  expect_kept(\(v) summarise(people, q = dp_median(age, at = v)), c(0, 1, 2))
  expect_kept(\(v) summarise(people, s = dp_sum(age, share = v)), 2)
  expect_kept(\(v) dp_truncate(stays, max_rows = v), 2L)
  expect_kept(\(v) dp_margin(stays, by = ward, max_groups = v), 2L)
  expect_kept(\(v) dp_keys(count(people, region), "declared", share = v), 2)
  expect_kept(\(v) dp_keys(count(people, region), data.frame(region = v)), c("North", "South"))
  expect_kept(\(v) filter(people, name %in% v), c("a", "b"))
  expect_kept(\(v) mutate(people, x = pmin(age, v)), 5L)
  expect_kept(\(v) mutate(people, x = cut(age, v)), c(0, 1, 2))
  expect_kept(\(v) dp_domain(x = dp_levels(v)), c("a", "b"))
  expect_kept(\(v) dp_domain(x = dp_int(v, 9)), 2)
  expect_kept(\(v) dp_unit(rows = v), 2)
  expect_kept(\(v) dp_epsilon(v), 2)
  expect_kept(\(v) dp_zcdp(0.5, v), 1e-7)
})

test_that("statistics keep public arguments unchanged", {
  expect_kept(\(v) dpMean(variable = "x", n = 10, rng = v, epsilon = 1), c(0, 3))
  expect_kept(\(v) dpMean(variable = "x", n = 10, rng = c(0, 3), epsilon = v), 1)
  expect_kept(\(v) dpHistogram("character", "x", n = 10, epsilon = 1, bins = v), c("u", "v"))
  expect_kept(\(v) dpHistogram("numeric", "x", n = 10, epsilon = 1, bins = v), c(0, 1, 3))
  expect_kept(\(v) dpLM(y ~ a, n = 100, rng = list(y = v, a = v), epsilon = 1), c(0, 1))
  expect_kept(
    \(v) dpLM(y ~ g, n = 100, rng = list(y = c(0, 1)), levels = list(g = v), epsilon = 1),
    c("u", "v")
  )
  expect_kept(\(v) dpContingency(c("g", "h"), n = 100, levels = list(g = v, h = v), epsilon = 1),
    c("u", "v")
  )
  expect_kept(\(v) dpQuantiles(variable = "x", n = 200, rng = c(0, 9), probs = v, epsilon = 1),
    c(0.2, 0.5)
  )
})

test_that("framework objects keep public arguments unchanged", {
  numbers <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), symmetric_distance())
  texts <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance())
  expect_kept(\(v) numbers |> then_clamp(v), c(0, 3))
  expect_kept(\(v) make_clamp(numbers[[1]], numbers[[2]], v), c(0, 3))
  expect_kept(\(v) atom_domain(bounds = v, .T = "f64"), c(0, 3))
  expect_kept(\(v) texts |> then_count_by_categories(v), c("a", "b"))
  expect_kept(\(v) texts |> then_find(v), c("a", "b"))
})
