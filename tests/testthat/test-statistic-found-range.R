# Statistics with `rng = bounds()`.

found_mean <- function(..., rng = bounds()) {
  args <- list(variable = "x", n = 1000, rng = rng, epsilon = 1)
  do.call(dpMean, utils::modifyList(args, list(...)))
}

# All statistics that support it, with each kind of noise.
finders <- function(n = 1000, epsilon = 1, rho = 0.5, rng = bounds()) {
  of <- function(generator, ..., missing = "impute") {
    generator(variable = "x", n = n, rng = rng, missing = missing, ...)
  }
  list(
    mean = of(dpMean, epsilon = epsilon),
    snapped = of(dpMean, epsilon = epsilon, mechanism = "mechanismSnapping"),
    rho = of(dpMean, rho = rho),
    gaussian = of(dpMean, epsilon = epsilon, delta = 1e-9),
    whole = of(dpMean, varType = "integer", epsilon = epsilon, n_check = "resize"),
    sampled = of(dpMedian, epsilon = epsilon, gridPoints = 65, interval = "population"),
    present = of(dpMean, epsilon = epsilon, missing = "drop"),
    gaussian_present = of(dpMean, rho = rho, missing = "drop"),
    variance = of(dpVariance, epsilon = epsilon),
    median = of(dpMedian, epsilon = epsilon, gridPoints = 65),
    quantile = of(dpQuantile, epsilon = epsilon, prob = 0.9, missing = "drop", gridPoints = 65),
    quantiles = of(dpQuantiles, epsilon = epsilon, probs = c(0.1, 0.9), gridPoints = 65),
    histogram = of(dpHistogram, epsilon = epsilon, nBins = 4),
    gaussian_histogram = of(dpHistogram, rho = rho, nBins = 4),
    tree = of(dpTree, globalEps = epsilon, depth = 2),
    tree_of_epsilon = of(dpTree, epsilon = epsilon, depth = 2, missing = "drop"),
    gaussian_tree = of(dpTree, rho = rho, depth = 2),
    difference = dpMeanDifference("x", "of", c(0, 1), n, rng, epsilon, missing = "impute"),
    correlation = dpCorrelation(c("x", "of"), n, list(rng, c(0, 1)), epsilon = epsilon,
      missing = "impute"),
    covariance = dpCovariance(n = n, columns = c("of", "x"), rng = list(x = rng, of = c(0, 1)),
      globalEps = epsilon, missing = "impute"),
    gaussian_components = dpPCA(c("x", "of"), 1, n, list(rng, c(0, 1)), rho = rho,
      missing = "impute"),
    line = dpLM(x ~ of, n, list(rng, c(0, 1)), epsilon = epsilon, missing = "impute"),
    model = dpGLM("mechanismObjective", "numeric", n, list(c(0, 1), rng), of ~ I(x^2), "logit",
      epsilon = epsilon, missing = "impute"),
    classifier = dpNaiveBayes(of ~ x, c(0, 1), n, list(rng), epsilon = epsilon, missing = "impute"),
    clusters = dpKMeans(c("of", "x"), 2, n, list(c(0, 1), rng), epsilon = epsilon, iterations = 2)
  )
}

usual_finders <- finders()

some_rows <- function(n = 1000, x = rep_len(c(3, 5, 9, 12), n)) {
  data.frame(x = x, of = rep_len(0:1, n))
}

total_of <- function(statistic) {
  fields <- statistic$getFields()
  fields$rho %||% fields$globalEps %||% fields$epsilon
}

test_that("bounds() is a public object with the same checks as dpBounds()", {
  made <- bounds(0.1, sides = "positive")
  expect_s3_class(made, "dp_bounds")
  expect_identical(made$share, 0.1)
  expect_output(print(made), 'bounds(share = 0.1, sides = "positive")', fixed = TRUE)
  expect_output(print(made), "3 times too wide")
  refused <- function(..., argument) {
    error <- expect_error(bounds(...), class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
  }
  for (share in list(0, 1, -1, NA, "a", c(0.1, 0.2), NULL)) refused(share, argument = "share")
  refused(base = 1, argument = "base")
  refused(smallest = 0, argument = "smallest")
  refused(largest = 2^-11, argument = "largest")
  refused(sides = "left", argument = "sides")
  refused(beta = 1, argument = "beta")
})

test_that("D_EPS_1 one measurement's map gives the loss of both releases, as requested", {
  for (statistic in usual_finders) {
    asked <- if (is.null(statistic$getFields()$rho)) 1 else 0.5
    expect_identical(statistic$measurement(d_in = 1L)[[1]], total_of(statistic))
    expect_lte(total_of(statistic), asked)
    expect_gt(total_of(statistic), asked * (1 - 1e-12))
  }
  for (epsilon in c(0.1, 0.3, 0.7, 1 / 3, 2.9)) {
    statistic <- small(found_mean(epsilon = epsilon))
    expect_lte(statistic$epsilon, epsilon)
    expect_gt(statistic$epsilon, epsilon * (1 - 1e-15))
  }
  expect_identical(found_mean(epsilon = 1, delta = 1e-9)$delta, 1e-9)
})

test_that("the composition answers both queries, and charges only its parts", {
  rows <- some_rows()
  for (statistic in usual_finders) {
    plan <- statistic$.__enclos_env__$private$.plan
    released <- released_by(plan, read_columns(plan, rows))
    expect_named(released, c("counts", "release"))
    expect_false(is.null(released$release))
    first <- plan$found$first[[1]](d_in = 1L)
    second <- plan_from_counts(plan$found, released$counts)$fields$measurement(d_in = 1L)
    limits <- vapply(plan$found$limits, loss_of_limit, 0)
    expect_lte(first, limits[[1]])
    expect_lte(second, limits[[2]])
    expect_gt(first + second, sum(limits) * (1 - 1e-9))
    # A third query raises an error.
    queryable <- plan$fields$measurement(arg = read_columns(plan, rows))
    two_releases(plan$found, queryable)
    expect_error(queryable(query = plan$found$first[[1]]), class = "dp_error_failed_function")
  }
})

test_that("with little noise the bounds are those of dpBounds(), and contain the result", {
  rows <- some_rows()
  exact <- suppressWarnings(
    finders(epsilon = 1e6, rho = 1e12, rng = bounds(beta = 1e-15)), classes = "dp_warning"
  )
  for (name in names(exact)) {
    result <- exact[[name]]$release(rows)
    expect_identical(unlist(result$bounds[c("lower", "upper")]), c(lower = 2, upper = 16),
      info = name)
    # Leaves of trees can be wide beside the distance of the median from a bound.
    wide <- if (grepl("tree", name)) "coarse"
    expect_true(result$status %in% c("ok", wide), info = name)
    expect_identical(total_of(exact[[name]]), result$rho %||% result$globalEps %||% result$epsilon)
  }
  release <- function(name) as.double(unlist(exact[[name]]$result$release))
  for (name in c("mean", "rho", "whole", "present", "gaussian_present")) {
    expect_equal(release(name), 7.25, tolerance = 1e-4, label = name)
  }
  expect_equal(release("variance"), stats::var(rows$x), tolerance = 1e-4)
  expect_equal(release("histogram"), c(500, 0, 500, 0), tolerance = 1e-3)
  # Any number between the middle rows is a median.
  expect_true(release("median") >= 5 && release("median") <= 9)
  expect_equal(release("difference"), -2.5, tolerance = 1e-3)
})

test_that("data with a different number of rows are resized to `n`, if the plan says so", {
  for (missing in c("impute", "drop")) {
    statistic <- found_mean(n_check = "resize", missing = missing, rng = bounds(beta = 1e-12))
    for (rows in c(2, 900, 1500)) {
      result <- expect_silent(statistic$release(some_rows(rows)))
      expect_identical(is.na(result$release), rows == 2)
    }
  }
  expect_error(found_mean()$release(some_rows(900)), class = "dp_error_rows")
})

test_that("bounds of integers are rounded outwards", {
  statistic <- exactly(found_mean(varType = "integer", epsilon = 1e6, rng = bounds(beta = 1e-15)))
  result <- statistic$release(some_rows(x = rep(0L, 1000)))
  expect_identical(unlist(result$bounds)[1:2], c(lower = -1, upper = 1))
})

test_that("found bounds cost a mean a few hundred at epsilon 1, and a few tens at 5", {
  incomes <- PUMS5extract10000
  truth <- mean(incomes$income)
  # Half of 15 releases err more than so less than once in 1e10 runs: at epsilon 1 all but one in
  # 1e5 find 262144 or more, which moves the mean by 845, and at 5 all but one in 1e4 find 524288.
  for (case in list(c(1, 1100), c(5, 200))) {
    statistic <- suppressWarnings(
      dpMean(variable = "income", n = 10000, epsilon = case[[1]],
        rng = bounds(smallest = 1, sides = "positive")),
      classes = "dp_warning_large_epsilon"
    )
    expect_equal(statistic$release(incomes)$bounds$threshold, 8 / case[[1]] * log(41 / 2e-4))
    errors <- replicate(15, statistic$release(incomes)$release - truth)
    expect_lt(stats::median(abs(errors)), case[[2]])
  }
})

test_that("plots and prints show the bounds found", {
  rows <- some_rows()
  exact <- suppressWarnings(
    finders(epsilon = 1e6, rho = 1e12, rng = bounds(beta = 1e-15)), classes = "dp_warning"
  )
  note <- function(name) picture(exact[[name]]$release(rows), NULL, NULL)$note
  expect_identical(note("mean"),
    paste0("95% intervals for the rows, moved into the bounds found; ",
      "epsilon 1000000; bounds found: 2 to 16"))
  expect_match(note("gaussian_tree"), "; rho 1e+12; bounds found: 2 to 16", fixed = TRUE)
  expect_match(note("covariance"), "; bounds found: x 2 to 16", fixed = TRUE)
  from <- "Missing values are replaced by uniform draws from the bounds, whatever they would be"
  expect_output(print(exact$mean), from)
  expect_no_match(format(exact$present$release(rows)), "Missing values")
})

test_that("without a found bound nothing is released, and the loss is spent", {
  nothing <- some_rows(x = rep(NA_real_, 1000))
  for (statistic in finders(rng = bounds(beta = 1e-12))) {
    result <- expect_silent(statistic$release(nothing))
    expect_identical(result$release, NA_real_)
    expect_identical(result$status, "not found")
    expect_true(all(is.na(result$bounds[c("lower", "upper")])))
    expect_identical(result$rho %||% result$globalEps %||% result$epsilon, total_of(statistic))
    expect_output(print(statistic), "The loss is spent")
    expect_identical(as.data.frame(result)$estimate, NA_real_)
    expect_error(plot(result, what = "cdf"), 'not one of status "not found"',
      class = "dp_error_invalid_argument"
    )
    expect_no_match(format(result), "Missing values")
    expect_match(release2json(statistic), "not found")
  }
})

test_that("a statistic that rejects the found bounds is no error, and the loss is spent", {
  local_replaced("plan_from_counts", function(found, counts) NULL)
  result <- expect_silent(found_mean()$release(some_rows()))
  expect_identical(result$status, "refused")
  expect_identical(result$release, NA_real_)
  expect_false(anyNA(result$bounds))
})

test_that("D_SEN_1 the second query depends on released counts, and on no row", {
  plan <- found_mean()$.__enclos_env__$private$.plan
  cells <- plan$found$asked[[1]]$cells
  counts <- replace(numeric(nrow(cells)), c(60, 70), 500)
  asked <- plan_from_counts(plan$found, list(counts))
  again <- plan_from_counts(plan$found, list(counts + 1))
  expect_identical(plan_hash(asked$fields$measurement), plan_hash(again$fields$measurement))
  expect_identical(asked$fields$rng, c(cells$lower[[60]], cells$upper[[70]]))
  expect_null(plan_from_counts(plan$found, list(0 * counts)))
})

test_that("neighbours give results of one form, and no condition", {
  # The bounds are part of the form. Noise changes them with a chance of `beta`, since all rows
  # are in one cell.
  form <- function(x) {
    result <- expect_silent(found_mean(rng = bounds(beta = 1e-12))$release(some_rows(x = x)))
    list(names(result), class(result), attributes(result)$about)
  }
  x <- rep_len(c(9, 12), 1000)
  expected <- form(x)
  for (odd in list(NA, Inf, -Inf, NaN, 1e308, 5e-324, 0)) {
    expect_identical(form(replace(x, 1, odd)), expected)
  }
})

test_that("noise warnings use public numbers, before there is a range", {
  expect_warning(found_mean(n = 100), class = "dp_warning_noise")
  expect_true(small(found_mean(n = 100))$noiseDominates)
  # These rows are enough to find bounds, but not for a mean.
  expect_warning(found_mean(n = 200, rng = bounds(0.999)), class = "dp_warning_noise")
  expect_silent(statistic <- found_mean())
  expect_false(statistic$noiseDominates)
  expect_identical(statistic$accuracy, NA_real_)
  expect_identical(statistic$sens, NA_real_)
  expect_warning(found_mean(epsilon = 3), class = "dp_warning_large_epsilon")
})

test_that("arguments that conflict with a found range raise errors that name them", {
  refused <- function(..., argument) {
    error <- expect_error(small(found_mean(...)), class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
  }
  refused(imputeRng = c(0, 1), argument = "imputeRng")
  refused(accuracy = 1, argument = "accuracy")
  refused(epsilon = c(1, 1), argument = "epsilon")
  refused(epsilon = -1, argument = "epsilon")
  refused(varType = "logical", argument = "rng")
  refused(n = 0, argument = "n")
  for (damaged in list(
    structure(list(1), class = "dp_bounds"), replace(bounds(), "share", 2),
    replace(bounds(), "base", list(quote(stop("run")))), unclass(replace(bounds(), "beta", NA))
  )) {
    refused(rng = damaged, argument = "rng")
  }
  histogram <- function(...) dpHistogram(variable = "x", n = 10, epsilon = 1, rng = bounds(), ...)
  expect_refused(histogram(bins = 1:3), "bins")
  expect_warning(expect_refused(
    histogram(binWidth = 1, mechanism = "mechanismStability"), "rng"
  ), "not used by the stability mechanism")
  expect_refused(
    dpTree(variable = "x", n = 1000, rng = bounds(), epsilon = c(1, 1), depth = 2), "epsilon"
  )
})

test_that("groups of public sizes, whose rows keep their positions, raise an error", {
  expect_refused(
    dpMeanDifference("x", "of", c(0, 1), rng = bounds(), epsilon = 1, groupSizes = c(500, 500)),
    "rng"
  )
})

test_that("each of several columns has its own bounds, within one loss", {
  rows <- data.frame(x = rep_len(c(3, 5, 9, 12), 1000), y = rep_len(c(-100, 3), 1000))
  of_both <- function(..., epsilon = 1) {
    dpCorrelation(c("x", "y"), 1000, list(...), epsilon = epsilon)
  }
  for (epsilon in c(0.1, 0.7, 1, 1 / 3)) {
    statistic <- small(of_both(bounds(0.3), bounds(0.4), epsilon = epsilon))
    expect_lte(statistic$epsilon, epsilon)
    expect_gt(statistic$epsilon, epsilon * (1 - 1e-15))
  }
  exact <- exactly(of_both(y = bounds(0.1, beta = 1e-15), x = bounds(beta = 1e-15), epsilon = 1e6))
  result <- exact$release(rows)
  expect_identical(result$bounds[1:3], data.frame(
    column = c("y", "x"), lower = c(-128, 2), upper = c(4, 16)
  ))
  expect_equal(as.data.frame(result)$estimate, stats::cor(rows$x, rows$y), tolerance = 1e-3)
  expect_output(print(exact), "bounds(share = 0.1, beta = 1e-15), bounds(share", fixed = TRUE)
  expect_output(print(result), "y +-128 +4")
  told <- jsonlite::fromJSON(release2json(exact), simplifyVector = FALSE)$`dp-releases`[[1]]
  expect_identical(unlist(told$algorithmInfo$argument$constraint), c(
    y.lowerbound = -128L, y.upperbound = 4L, x.lowerbound = 2L, x.upperbound = 16L
  ))
  # One column has no bounds.
  nothing <- exact$release(transform(rows, y = NA_real_))
  expect_identical(nothing$status, "not found")
  expect_identical(is.na(nothing$bounds$lower), c(TRUE, FALSE))
  expect_output(print(nothing), "The loss is spent")
})

test_that("if ranges of several columns cannot be found, the error gives an alternative", {
  of_line <- function(rng, ...) dpLM(y ~ I(x^2), 1000, rng, epsilon = 1, ...)
  expect_refused(dpCorrelation(c("x", "y"), 10, bounds(), epsilon = 1), "rng")
  expect_refused(
    dpCorrelation(c("x", "y"), 10, list(bounds(0.5), bounds(0.5)), epsilon = 1), "rng"
  )
  expect_refused(of_line(list(y = c(0, 1), x = c(0, 1), `I(x^2)` = bounds())), "rng")
  expect_refused(
    of_line(list(c(0, 1), c(0, 1), bounds()), weights = "w", missing = "drop"), "rng"
  )
  expect_refused(dpMean(variable = "x", n = 10, rng = list(bounds()), epsilon = 1), "rng")
  expect_refused(aggregate_of(rng = bounds()), "rng")
  expect_error(aggregate_of(rng = bounds()), "release a dpBounds() first", fixed = TRUE)
})

test_that("a written or saved plan releases again, with the same identity", {
  rows <- some_rows()
  for (statistic in usual_finders) {
    read <- from_json(to_json(statistic))
    expect_identical(plan_hash(read), plan_hash(statistic))
    expect_identical(total_of(read), total_of(statistic))
    saved <- unserialize(serialize(statistic, NULL))
    for (result in list(read$release(rows), saved$release(rows))) {
      expect_false(is.null(result$bounds) || anyNA(result$bounds))
    }
  }
  expect_false(plan_hash(found_mean()) == plan_hash(found_mean(rng = bounds(0.2))))
})

test_that("a ledger charges both releases at once, even if no bound is found, and stores them", {
  for (x in list(rep_len(c(3, 5), 1000), rep(NA_real_, 1000))) {
    ledger <- local_ledger(10)
    result <- with_ledger(ledger, found_mean()$release(some_rows(x = x)))
    expect_identical(spent_in(ledger), 1)
    again <- quietly_reused(with_ledger(ledger, found_mean()$release(some_rows(x = x))))
    expect_identical(again$release, result$release)
    expect_identical(again$bounds, result$bounds)
    expect_false(is.null(attr(again, "reused")))
  }
})

test_that("a dry run shows what is found in public rows", {
  tried <- dry_run(found_mean(), some_rows())
  expect_s3_class(tried$result, "dp_result")
  expect_false(is.null(tried$result$bounds))
})

test_that("a composition and loss distributions see one measurement", {
  statistic <- found_mean()
  expect_identical(make_composition(list(statistic$measurement))(d_in = 1L), 1)
  expect_identical(compose_pld(list(statistic), 1L)(delta = 0), 1)
})
