bounds <- list(age = c(18, 93), educ = c(1, 16))

clusters_of <- function(..., k = 4, epsilon = 1e14) {
  small(exactly(dpKMeans(c("age", "educ"), k, 10000, bounds, epsilon, ...)))
}

in_shares <- function(rows, ranges = bounds) {
  mapply(function(name, range) {
    (pmin(pmax(rows[[name]], range[[1]]), range[[2]]) - range[[1]]) / diff(range)
  }, names(ranges), ranges)
}

# Sum of squared distances between rows and their nearest centres.
inertia <- function(rows, centres, ranges = bounds) {
  rows <- in_shares(rows, ranges)
  apart <- apply(in_shares(centres, ranges), 1, function(centre) colSums((t(rows) - centre)^2))
  sum(apply(apart, 1, min))
}

# Lloyd's algorithm, written out. A cluster without rows keeps its centre.
lloyd <- function(rows, centres, iterations) {
  for (i in seq_len(iterations)) {
    apart <- apply(centres, 1, function(centre) colSums((t(rows) - centre)^2))
    nearest <- apply(apart, 1, which.min)
    for (k in unique(nearest)) centres[k, ] <- colMeans(rows[nearest == k, , drop = FALSE])
  }
  centres
}

test_that("without noise it is Lloyd's algorithm", {
  people <- PUMS5extract10000
  for (iterations in c(1, 5)) {
    result <- released(clusters_of(iterations = iterations))
    before <- lloyd(in_shares(people), first_centres(4, 2), iterations - 1)
    after <- lloyd(in_shares(people), before, 1)
    expect_equal(unname(in_shares(result$previous)), unname(before), tolerance = 1e-6)
    expect_equal(unname(in_shares(result$release)), unname(after), tolerance = 1e-6)
    expect_identical(result$iterations, iterations)
    expect_identical(result$status, "ok")
    nearest <- apply(before, 1, function(centre) colSums((t(in_shares(people)) - centre)^2))
    clusters <- split(people, factor(apply(nearest, 1, which.min), 1:4))
    expect_equal(result$size, unname(vapply(clusters, nrow, 0)), tolerance = 1e-6)
    squares <- vapply(seq_along(clusters), function(k) {
      sum((t(in_shares(clusters[[k]])) - after[k, ])^2)
    }, 0)
    expect_equal(result$withinss, squares, tolerance = 1e-4)
    theirs <- lapply(clusters, function(rows) stats::t.test(rows$age)$conf.int[1:2])
    expect_equal(result$intervals[1:4, ], do.call(rbind, theirs), tolerance = 1e-4,
      ignore_attr = TRUE)
  }
})

test_that("it finds the clusters that stats::kmeans() finds", {
  withr::local_seed(3)
  middles <- rbind(c(2, 2), c(2, 8), c(8, 5))
  rows <- as.data.frame(middles[rep(1:3, 2000), ] + stats::rnorm(12000, 0, 0.5))
  ranges <- list(V1 = c(0, 10), V2 = c(0, 10))
  result <- dpKMeans(c("V1", "V2"), 3, 6000, ranges, epsilon = 2, iterations = 8)$release(rows)
  theirs <- stats::kmeans(rows, 3, nstart = 20)
  order <- order(result$release$V1 + result$release$V2)
  expect_equal(unname(as.matrix(result$release)[order, ]),
    unname(theirs$centers[order(rowSums(theirs$centers)), ]), tolerance = 0.05)
  expect_equal(result$size, rep(2000, 3), tolerance = 0.1)
})

test_that("rows with a missing value are in no cluster, and values are clamped", {
  gone <- transform(PUMS5extract10000,
    age = replace(age, seq(1, 10000, 3), NA), educ = replace(educ, seq(2, 10000, 3), NA)
  )
  far <- transform(PUMS5extract10000, age = ifelse(age > 80, 500, age))
  plan <- clusters_of(k = 1, iterations = 1)
  present <- stats::na.omit(gone[c("age", "educ")])
  result <- plan$release(gone)
  expect_equal(result$size, nrow(present), tolerance = 1e-6)
  expect_equal(unlist(result$release), colMeans(present), tolerance = 1e-6)
  moved <- plan$release(far)
  expect_equal(moved$release$age, mean(pmin(far$age, 93)), tolerance = 1e-6)
})

test_that("predictions are the nearest centres of new rows", {
  plan <- clusters_of()
  result <- released(plan)
  people <- data.frame(other = 1, educ = c(1, 9, 16, NA, 12), age = c(20, 500, 60, 40, -5))
  found <- anywhere(predict(result, people))
  centres <- in_shares(result$release)
  expected <- apply(in_shares(people[-4, ]), 1, function(row) {
    which.min(colSums((t(centres) - row)^2))
  })
  expect_identical(found, append(unname(expected), NA_integer_, 3))
  expect_identical(anywhere(predict(plan, people)), found)
  augmented <- anywhere(generics::augment(plan, people))
  expect_identical(augmented$.cluster, factor(found, 1:4))
  expect_identical(augmented[names(people)], people)
  expect_identical(predict(result, people[0, ]), integer())
  expect_identical(anywhere(predict(result, people[2, ])), found[[2]])
  tied <- result
  tied$release[] <- lapply(tied$release, function(column) rep(column[[1]], 4))
  expect_identical(predict(tied, people[1, ]), 1L)
})

test_that("arguments of predictions are checked", {
  result <- released(clusters_of())
  people <- data.frame(age = 40, educ = 9)
  expect_refused(predict(result), "newdata")
  expect_refused(predict(result, people["age"]), "newdata")
  expect_refused(predict(result, transform(people, age = "old")), "newdata")
  expect_refused(predict(result, people, type = "class"), "type")
  expect_refused(predict(clusters_of(), people), "x")
  expect_refused(generics::augment(result), "newdata")
  expect_error(fitted(result), class = "dp_error_unsupported")
})

test_that("the number of iterations follows from public numbers, and acts like a given one", {
  iterations <- function(n, k = 4, epsilon = 1) {
    small(dpKMeans(c("x", "y"), k, n, list(c(0, 1), c(0, 1)), epsilon))$iterations
  }
  expect_identical(iterations(1e6), 20)
  expect_identical(iterations(10), 2)
  expect_gt(iterations(1e4), iterations(4e3))
  expect_gte(iterations(1e4), iterations(1e4, k = 8))
  expect_identical(iterations(4e3), iterations(1e4, epsilon = 0.4))
  chosen <- small(dpKMeans(c("x", "y"), 4, 10, list(c(0, 1), c(0, 1)), 1))
  given <- small(dpKMeans(c("x", "y"), 4, 10, list(c(0, 1), c(0, 1)), 1, iterations = 2))
  expect_identical(plan_hash(chosen), plan_hash(given))
})

test_that("first centres are apart, within the bounds, and always the same", {
  for (columns in 2:5) {
    for (k in c(1, 2, 5, 20)) {
      centres <- first_centres(k, columns)
      expect_identical(dim(centres), c(as.integer(k), as.integer(columns)))
      expect_true(all(centres > 0 & centres < 1))
      if (k > 1) expect_gt(min(stats::dist(centres)), 0.3 * k^(-1 / columns))
      expect_identical(centres, first_centres(k, columns))
    }
  }
})

test_that("a cluster of few rows keeps its centre and is reported", {
  data <- data.frame(x = rep(c(0.1, 0.2), 50), y = 0.1)
  plan <- small(dpKMeans(c("x", "y"), 3, 100, list(c(0, 1), c(0, 1)), 2.9, iterations = 1,
    alpha = 1e-6))
  result <- plan$release(data)
  expect_identical(result$status, "few")
  few <- is.na(result$withinss)
  expect_true(any(few))
  expect_identical(result$release[few, ], result$previous[few, ])
  expect_identical(is.na(result$intervals[, 1]), rep(few, 2), ignore_attr = TRUE)
  expect_true(all(result$size >= 0 & result$size <= 100))
  expect_true(predict(result, data[1, ]) %in% 1:3)
})

test_that("a cluster without rows gets half of a wide one", {
  # All rows are near the lower bounds, so most of the first centres have none.
  data <- transform(PUMS5extract10000, income = pmin(income, 50000))
  plan <- small(exactly(
    dpKMeans(c("age", "income"), 6, 10000, list(c(18, 93), c(0, 7.5e5)), 10, iterations = 8)
  ))
  expect_identical(plan$release(data)$status, "ok")
})

test_that("a plot shows both of two columns, or each of more columns in its range", {
  plane <- picture(released(clusters_of(epsilon = 1)), NULL, NULL)
  result <- released(clusters_of(epsilon = 1))
  expect_identical(plane$kind, "plane")
  expect_identical(plane$ylab, "educ")
  expect_length(plane$table$y, 4)
  three <- released(small(dpKMeans(c("age", "educ", "income"), 2, 10000,
    c(bounds, list(income = c(0, 2e5))), 1)))
  points <- picture(three, "centres", NULL)$table
  expect_equal(nrow(points), 6)
  expect_true(all(points$estimate >= 0 & points$estimate <= 1))
  expect_equal(points$estimate[[1]], (three$release$age[[1]] - 18) / 75)
  expect_equal(picture(three, "sizes", NULL)$table$estimate, three$size)
  expect_equal(nrow(as.data.frame(result)), 8)
})

test_that("it is as accurate as the published peer on the census extract", {
  # diffprivlib 0.6.6 at epsilon 1 has 1.06 times the noiseless sum of squares.
  withr::local_seed(4)
  people <- PUMS5extract10000
  ratio <- function(columns, ranges) {
    names(ranges) <- columns
    best <- stats::kmeans(in_shares(people, ranges), 4, iter.max = 50, nstart = 25)$tot.withinss
    plan <- dpKMeans(columns, 4, 10000, ranges, epsilon = 1)
    mean(replicate(20, inertia(people, plan$release(people)$release, ranges))) / best
  }
  expect_lt(ratio(c("age", "educ"), list(c(18, 93), c(1, 16))), 1.06)
  expect_lt(ratio(c("age", "income"), list(c(18, 93), c(0, 2e5))), 1.06)
})
