# Captured values and side effects of user functions.

secret <- "canary-5281"

bytes_of <- function(x) rawToChar(serialize(x, NULL, ascii = TRUE))

expect_no_secret <- function(x) expect_no_match(bytes_of(x), secret, fixed = TRUE)

test_that("D-R-3 a saved function holds no data from the frame where it was made", {
  enclosed <- function(df) {
    texts <- df$text
    later <- function(x = texts) x
    unused <- new.env()
    unused$df <- df
    list(
      statistic = aggregate_of(innerFun = function(x) mean(x), outputRange = c(0, 1)),
      formula = aggregate_of(
        innerFun = x ~ y, outputRange = list(c(0, 1), c(0, 1)), variable = c("x", "y"),
        rng = list(c(0, 1), c(0, 1))
      ),
      postprocessed = number_of("i32") |> then_laplace(1) |> then_postprocess(function(x) x + 1),
      measured = number_of("i32") |> then_user_measurement(
        max_divergence(), function(x) x, function(d_in) 0
      )
    )
  }
  built <- enclosed(data.frame(text = c(secret, "other")))
  for (each in built) expect_no_secret(each)
  # The same function, as given.
  given <- (function(df) function(x) mean(x))(data.frame(text = secret))
  force(environment(given)$df)
  expect_match(bytes_of(given), secret, fixed = TRUE)
})

test_that("unevaluated arguments are forced and capture nothing", {
  trimmed <- function(df, trim) function(x) mean(x, trim = trim)
  data <- data.frame(text = secret)
  share <- 0.25
  callback <- new_callback(trimmed(data, share))
  expect_no_secret(callback)
  expect_identical(callback$fun(c(0, 1, 2, 99)), 1.5)
})

test_that("a isolated function finds its functions, constants, itself, dots and formulas", {
  half <- function(x) x / divisor
  divisor <- 2
  factorial_of <- function(n) if (n <= 1) 1 else n * factorial_of(n - 1)
  with_dots <- function(...) function(x) sum(x, ...)
  model <- y ~ x + offset(shift)
  shift <- c(0, 0, 0)
  expect_identical(new_callback(half)$fun(3), 1.5)
  expect_identical(new_callback(function(x) half(half(x)))$fun(4), 1)
  expect_identical(new_callback(factorial_of)$fun(5), 120)
  expect_identical(new_callback(with_dots(1, 2))$fun(3), 6)
  expect_identical(new_callback(stats::median)$fun(1:3), 2L)
  expect_identical(new_callback(Vectorize(function(x) x + divisor))$fun(1:2), c(3, 4))
  fit <- function(d) stats::coef(stats::lm(model, d))[["x"]]
  expect_equal(new_callback(fit)$fun(data.frame(x = 1:3, y = c(2, 4, 6))), 2)
  counts <- list(seen = 0)
  expect_identical(new_callback(function(x) {
    counts$seen <- counts$seen + x
    counts$seen
  })$fun(2), 2)
})

test_that("a isolated function also finds them in a new session", {
  divisor <- 2
  half <- function(x) x / divisor
  halved <- number_of("f64") |> then_user_measurement(
    max_divergence(), function(x) half(x), function(d_in) 0, .TO = "f64"
  )
  after <- in_new_session(list(halved = halved), "
    enable_features('honest-but-curious')
    input$halved(arg = 3)
  ")
  expect_identical(after, 1.5)
})

test_that("state resets between calls: caches, counters, R6 objects", {
  cache <- new.env()
  counter <- R6::R6Class("counter", public = list(n = 0, add = function() {
    self$n <- self$n + 1
    invisible(self)
  }))$new()
  steps <- 0
  many <- list(cache = cache)
  changing <- function(x) {
    cache[[paste0("key", x)]] <- x
    many$cache$more <- x
    steps <<- steps + 1
    counter$add()
    c(length(ls(cache)), steps, counter$n)
  }
  callback <- new_callback(changing)
  results <- call_each(callback, 3, function(fun, i) fun(i), failed = NULL)
  expect_identical(results, rep(list(c(2, 1, 1)), 3))
  expect_identical(list(length(ls(cache)), steps, counter$n), list(0L, 0, 0))
})

test_that("without isolation state persists, and this is a promise", {
  local_untried() # a trial would also count
  counted <- function(...) {
    steps <- 0
    exact_aggregate(data.frame(x = as.double(1:12)),
      innerFun = function(x) {
        steps <<- steps + 1
        steps
      }, rng = c(0, 100), numSubsets = 4, outputRange = c(-10, 20), ...
    )
  }
  expect_equal(counted(), 1, tolerance = 1e-6)
  expect_equal(counted(isolation = "none"), 2.5, tolerance = 1e-6)
  free <- aggregate_of(innerFun = mean, outputRange = c(0, 100), isolation = "none")
  expect_identical(free$isolation, "none")
  expect_identical(released(free)$unverified, "isolation")
  expect_identical(aggregate_of(innerFun = mean, outputRange = c(0, 1))$isolation, "hermetic")
  withr::local_options(opendp_features = "contrib")
  expect_error(counted(isolation = "none"), class = "dp_error_missing_feature")
  expect_error(counted(isolation = "some"), class = "dp_error_invalid_argument")
})

test_that("large objects and data frames raise an error that names them and a fix", {
  df <- data.frame(x = 1:3)
  large <- numeric(2^18)
  held <- list(inside = list(df))
  boxed <- new.env()
  boxed$df <- df
  uses <- list(
    df = function(x) nrow(df), large = function(x) large[[1]], held = function(x) length(held),
    boxed = function(x) boxed$df, df = function(x) (function(y) df)(x)
  )
  for (i in seq_along(uses)) {
    error <- condition_of(aggregate_of(innerFun = uses[[i]], outputRange = c(0, 1)))
    expect_s3_class(error, "dp_error_invalid_argument")
    expect_identical(error$argument, "innerFun")
    expect_match(conditionMessage(error), "inject")
  }
  expect_error(new_function(uses$df, "i32"), class = "dp_error_invalid_argument")
  # Arguments and local variables with this name do not count.
  own <- function(df) {
    large <- 1
    nrow(df) + large
  }
  expect_identical(new_callback(own)$fun(df), 4)
  expect_type(new_callback(rlang::inject(function(x) nrow(!!df)))$fun, "closure")
})

test_that("a release restores R's generators, whatever their kind", {
  mixing <- function(x) {
    set.seed(4, kind = "Wichmann-Hill")
    stats::runif(1)
  }
  run <- function() {
    exact_aggregate(data.frame(x = as.double(1:12)),
      innerFun = mixing, rng = c(0, 100), numSubsets = 4, outputRange = c(-10, 20)
    )
  }
  kinds <- RNGkind()
  set.seed(7)
  before <- .Random.seed
  run()
  expect_identical(.Random.seed, before)
  rm(".Random.seed", envir = globalenv())
  run()
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
  expect_identical(RNGkind(), kinds)
  set.seed(7)
})

test_that("a plan also restores R's generators if they have no seed", {
  kinds <- RNGkind("Wichmann-Hill")
  withr::defer({
    do.call(RNGkind, as.list(kinds))
    set.seed(7)
  })
  rm(".Random.seed", envir = globalenv())
  aggregate_of(innerFun = function(x) mean(x), outputRange = c(0, 100))
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
  expect_identical(RNGkind()[[1]], "Wichmann-Hill")
})
