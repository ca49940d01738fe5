# A release that was published as text can be checked against its receipt.

results <- function(...) {
  checks <- verify_release(...)
  stats::setNames(checks$result, checks$check)
}

read_back <- function(value, numbered = FALSE) {
  file <- withr::local_tempfile()
  utils::write.csv(as.data.frame(value), file, row.names = numbered)
  utils::read.csv(file)
}

released_people <- function(..., env = parent.frame()) {
  ledger <- create_ledger(file.path(withr::local_tempdir(.local_envir = env), "a.ledger"),
    "data", dp_unit(rows = 1), dp_epsilon(9e9), version = "1"
  )
  data <- data.frame(
    k = rep(1:3, 20), day = as.Date("2020-01-01") + rep(0:1, 30), name = rep(c("a b", "c"), 30),
    x = (1:60) / 7
  )
  table <- dp_tbl(dp_session(ledger = ledger), data, dp_unit(rows = 1), dp_domain(
    k = dp_int(1, 3), day = dp_date("2020-01-01", "2020-01-02"), name = dp_levels("a b", "c"),
    x = dp_num(0, 9)
  ))
  small(release(summarise(group_by(table, ...),
    n = dp_count(), mean = dp_mean(x), q = dp_quantile(x, c(0.25, 0.5), at = 0:9)
  ), epsilon = 30))
}

test_that("a release in a file of CSV agrees with its receipt, at the digits of the file", {
  local_verbs()
  released <- released_people(k, day, name)
  receipt <- dp_receipt(released)
  release_of <- function(value) results(receipt, value = value)[["release"]]
  expect_identical(release_of(released), "passed")
  expect_identical(release_of(as.data.frame(released)), "passed")
  for (numbered in c(TRUE, FALSE)) {
    expect_identical(release_of(read_back(released, numbered)), "not checked")
  }
  checks <- verify_release(receipt, value = read_back(released))
  expect_match(checks$detail[checks$check == "release"], "17 digits")
  # With all digits.
  exact <- as.data.frame(released)
  reals <- vapply(exact, function(x) is.double(x) && !inherits(x, "Date"), NA)
  exact[reals] <- lapply(exact[reals], sprintf, fmt = "%.17g")
  expect_identical(release_of(read_back(exact)), "passed")
})

test_that("a count in a file of CSV passes", {
  local_verbs()
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data",
    dp_unit(rows = 1), dp_epsilon(9), version = "1"
  )
  table <- dp_tbl(dp_session(ledger = ledger), data.frame(k = rep(1:3, 9)), dp_unit(rows = 1),
    dp_domain(k = dp_int(1, 3))
  )
  released <- small(release(count(table, k), epsilon = 1))
  back <- read_back(released)
  expect_type(back$n, "integer")
  expect_identical(results(dp_receipt(released), value = back)[["release"]], "passed")
  back$n[[2]] <- back$n[[2]] + 1L
  expect_identical(results(dp_receipt(released), value = back)[["release"]], "failed")
})

test_that("another number in a file of CSV fails, if 15 digits show it", {
  local_verbs()
  released <- released_people(k)
  receipt <- dp_receipt(released)
  back <- read_back(released)
  for (name in setdiff(names(back), "k")) {
    changed <- back
    changed[[name]][[1]] <- changed[[name]][[1]] * (1 + 1e-13) + (name == "n")
    expect_identical(results(receipt, value = changed)[["release"]], "failed", info = name)
    expect_identical(results(receipt, value = back[setdiff(names(back), name)])[["release"]],
      "failed")
  }
  expect_identical(results(receipt, value = back[-1, ])[["release"]], "failed")
  # Exact values of one release do not pass with the rounded hash of another.
  mixed <- unclass(receipt)
  mixed$rounded <- unclass(dp_receipt(released_people(name)))$rounded
  expect_identical(results(structure(mixed, class = "dp_receipt"), value = released)[["release"]],
    "failed"
  )
})

test_that("any value is compared, and none is an error", {
  local_verbs()
  receipt <- dp_receipt(released_people(k))
  for (value in list(1, "a", NA, list(), list(a = NULL), mean, globalenv(), quote(a + b), 1i,
    data.frame(), data.frame(k = I(list(1, "a", NULL))), matrix(1:4, 2), as.raw(1))) {
    expect_identical(results(receipt, value = value)[["release"]], "failed")
  }
})

test_that("a result of a statistic is compared by its release", {
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data",
    dp_unit(changes = 1), dp_epsilon(9), version = "1"
  )
  mean <- dpMean(varType = "numeric", variable = "x", n = 100, rng = c(0, 9), epsilon = 1)
  result <- with_ledger(ledger, mean$release(data.frame(x = rep(1:4, 25))))
  for (value in list(result, mean, result$release, unname(result$release))) {
    expect_identical(results(dp_receipt(result), value = value)[["release"]], "passed")
  }
  result$release[[1]] <- result$release[[1]] + 1
  expect_identical(results(dp_receipt(mean), value = result)[["release"]], "failed")
})

test_that("receipts of older versions keep their hash", {
  local_verbs()
  released <- released_people(k)
  receipt <- unclass(dp_receipt(released))
  receipt$rounded <- NULL
  receipt$release <- core_sha256(release_text(typed_form(released)))
  checks <- results(structure(receipt, class = "dp_receipt"), value = released)
  expect_identical(checks[c("form", "release")], c(form = "passed", release = "passed"))
})
