# Weighted least squares with one constraint per common sum, in matrices.
by_matrices <- function(tables, sets, sizes, weights, n) {
  places <- function(set, common) places_in_margin(sizes[set], common)
  sums <- function(set, common) {
    place <- places(set, common)
    1 * outer(seq_len(max(place)), place, `==`)
  }
  begins <- cumsum(c(0, lengths(tables)))
  wide <- function(parts) {
    rows <- nrow(parts[[1]]$sums)
    all <- matrix(0, rows, sum(lengths(tables)))
    for (part in parts) {
      at <- begins[[part$table]] + seq_along(tables[[part$table]])
      all[, at] <- all[, at] + part$sign * part$sums
    }
    all
  }
  rows <- list(wide(list(list(table = 1, sign = 1, sums = matrix(1, 1, length(tables[[1]]))))))
  for (i in seq_along(sets)) {
    for (j in seq_len(i - 1)) {
      common <- intersect(sets[[i]], sets[[j]])
      rows <- c(rows, list(wide(list(
        list(table = i, sign = 1, sums = sums(sets[[i]], common)),
        list(table = j, sign = -1, sums = sums(sets[[j]], common))
      ))))
    }
  }
  constraints <- do.call(rbind, rows)
  target <- c(n, rep(0, nrow(constraints) - 1))
  independent <- qr(t(constraints))
  kept <- independent$pivot[seq_len(independent$rank)]
  constraints <- constraints[kept, , drop = FALSE]
  y <- unlist(tables)
  spread <- t(constraints) / rep(weights, lengths(tables))
  y + as.vector(spread %*% solve(constraints %*% spread, target[kept] - constraints %*% y))
}

sizes <- c(a = 2, b = 3, c = 4, d = 2)
designs <- list(
  list(c("a", "b"), c("b", "c")),
  list(c("a", "b"), c("b", "c"), c("a", "c")),
  list(c("a", "b", "c"), c("a", "b", "d"), c("a", "c", "d"), "a"),
  list(c("a", "b", "c"), c("a", "b"), "d"),
  list("a", "b", c("c", "d")), list(c("a", "b"))
)

random_tables <- function(sets) {
  lapply(sets, function(set) stats::rnorm(prod(sizes[set]), 100 / prod(sizes[set]), 20))
}

test_that("consistent tables are the weighted least-squares solution", {
  withr::local_seed(21)
  for (sets in designs) {
    tables <- random_tables(sets)
    weights <- stats::runif(length(sets), 0.1, 2)
    agreed <- agreed_tables(tables, shared_margins(sets, sizes, weights), 100)
    expect_equal(unlist(agreed), by_matrices(tables, sets, sizes, weights, 100))
  }
})

test_that("margins of one table do not change", {
  withr::local_seed(21)
  whole <- stats::rpois(prod(sizes), 5) + 0
  for (sets in designs) {
    tables <- lapply(sets, function(set) sums_by_place(whole, places_in_margin(sizes, set)))
    fit <- margins_to_fit(sets, sizes, rep(1, length(sets)))
    expect_equal(nearest_tables(tables, fit, sum(whole)), tables)
  }
})

expect_valid <- function(counts, sets, weights, n) {
  expect_gte(min(unlist(counts)), 0)
  expect_equal(vapply(counts, sum, 0), rep(n, length(sets)))
  shared <- shared_margins(sets, sizes, weights)
  expect_lt(max(abs(unlist(agreed_tables(counts, shared, n)) - unlist(counts))), 1e-5)
}

test_that("tables keep to the margins that are shown beside them", {
  withr::local_seed(21)
  for (sets in designs) {
    weights <- stats::runif(length(sets), 0.5, 2)
    fit <- margins_to_fit(sets, sizes, weights)
    tables <- random_tables(sets)
    counts <- nearest_tables(tables, fit, 100)
    expect_valid(counts, sets, weights, 100)
    # Counts without margins are as near as if there were no other counts.
    first <- fit$steps[[1]]$of
    alone <- nearest_valid(agreed_tables(tables, fit$shared, 100)[first], fit$steps[[1]], 100)
    expect_equal(counts[first], alone$tables)
  }
  expect_identical(steps_of_sets(list(c("a", "b"), "a", c("a", "b", "c"), "d")), c(2, 1, 3, 1))
})

test_that("margins that no table has are given up for the nearest tables", {
  # Each pair of columns says that both differ, which three columns of two levels cannot.
  sizes <- c(a = 2, b = 2, c = 2)
  sets <- list(c("a", "b"), c("b", "c"), c("a", "c"), c("a", "b", "c"))
  differ <- c(0, 50, 50, 0)
  tables <- list(differ, differ, differ, rep(12.5, 8))
  counts <- nearest_tables(tables, margins_to_fit(sets, sizes, rep(1, 4)), 100)
  expect_gte(min(unlist(counts)), 0)
  expect_equal(vapply(counts, sum, 0), rep(100, 4))
  sums <- sums_by_place(counts[[4]], places_in_margin(sizes, c("a", "b")))
  expect_equal(sums, counts[[1]], tolerance = 1e-3)
})

test_that("the nearest nonnegative tables are consistent, and no others are nearer", {
  withr::local_seed(21)
  for (sets in designs) {
    weights <- stats::runif(length(sets), 0.5, 2)
    tables <- random_tables(sets)
    counts <- nearest_valid(tables, margins_to_fit(sets, sizes, weights), 100)$tables
    expect_valid(counts, sets, weights, 100)
    # The direction to any other feasible table makes an obtuse angle with the direction to the
    # released one. It is enough to check tables with a single nonzero cell.
    expect_true(all(vapply(seq_len(prod(sizes)), function(cell) {
      other <- 100 * (seq_len(prod(sizes)) == cell)
      others <- lapply(sets, function(set) sums_by_place(other, places_in_margin(sizes, set)))
      way <- Map(function(table, count, other, weight) {
        weight * sum((table - count) * (other - count))
      }, tables, counts, others, weights)
      Reduce(`+`, way) < 1e-2
    }, NA)))
  }
})

test_that("common margins are the sets that at least two tables share, by size", {
  expect_identical(common_sets(list(c("a", "b"), c("c", "d"))), list(character()))
  expect_identical(
    common_sets(list(c("a", "b", "c"), c("b", "c", "d"), c("a", "c"))),
    list(character(), "c", c("b", "c"), c("a", "c"))
  )
})
