# A release published as text can be checked against its receipt.

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
    k = rep(1:3, 21), day = as.Date("2020-01-01") + rep_len(0:1, 63),
    name = rep_len(c("a b", "c"), 63), x = (1:63) / 7
  )
  table <- dp_tbl(dp_session(ledger = ledger), data, dp_unit(rows = 1), dp_domain(
    k = dp_int(1, 3), day = dp_date("2020-01-01", "2020-01-02"), name = dp_levels("a b", "c"),
    x = dp_num(0, 9)
  ))
  small(release(summarise(group_by(table, ...),
    n = dp_count(), mean = dp_mean(x), q = dp_quantile(x, c(0.25, 0.5), at = 0:9)
  ), epsilon = 30))
}

test_that("a release in a CSV file agrees with its receipt, at the digits of the file", {
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
  # The same values with all digits.
  exact <- as.data.frame(released)
  reals <- vapply(exact, function(x) is.double(x) && !inherits(x, "Date"), NA)
  exact[reals] <- lapply(exact[reals], sprintf, fmt = "%.17g")
  expect_identical(release_of(read_back(exact)), "passed")
})

test_that("a count in a CSV file passes", {
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

test_that("a different number in a CSV file fails, if 15 digits show it", {
  local_verbs()
  released <- released_people(k)
  receipt <- dp_receipt(released)
  back <- read_back(released)
  for (name in setdiff(names(back), "k")) {
    changed <- back
    changed[[name]][[1]] <- changed[[name]][[1]] * (1 + 1e-13) + (name == "n")
    expect_identical(results(receipt, value = changed)[["release"]], "failed", info = name)
    # Part of a release is a different release.
    expect_identical(results(receipt, value = back[setdiff(names(back), name)])[["release"]],
      "not checked")
  }
  expect_identical(results(receipt, value = back[-1, ])[["release"]], "not checked")
  # Exact values of one release fail with the rounded hash of another.
  mixed <- unclass(receipt)
  mixed$rounded <- unclass(dp_receipt(released_people(name)))$rounded
  expect_identical(results(structure(mixed, class = "dp_receipt"), value = released)[["release"]],
    "failed"
  )
})

test_that("any value can be compared without an error", {
  local_verbs()
  receipt <- dp_receipt(released_people(k))
  for (value in list(1, "a", NA, list(), list(a = NULL), mean, globalenv(), quote(a + b), 1i,
    data.frame(), data.frame(k = I(list(1, "a", NULL))), matrix(1:4, 2), as.raw(1))) {
    expect_identical(results(receipt, value = value)[["release"]], "not checked")
  }
  mean <- dpMean(varType = "numeric", variable = "x", n = 100, rng = c(0, 9), epsilon = 1)
  other <- mean$release(data.frame(x = rep(1:4, 25)))
  expect_identical(results(receipt, value = other)[["release"]], "failed")
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

# The file that a plain `write.csv(value)` makes.
file_of <- function(value, ..., env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".csv", .local_envir = env)
  utils::write.csv(value, file, ...)
  file
}

# The file has the receipt's numbers. By chance, 15 digits can be exact.
expect_agrees <- function(receipt, file) {
  checks <- verify_release(receipt, value = file)
  expect_match(checks$detail[checks$check == "release"], "agrees in 15 digits|is the one of")
}

# Groups whose names look like numbers or missing values, with quantiles of numbers and days.
released_codes <- function(env = parent.frame()) {
  ledger <- create_ledger(file.path(withr::local_tempdir(.local_envir = env), "a.ledger"),
    "data", dp_unit(rows = 1), dp_epsilon(9e9), version = "1"
  )
  data <- data.frame(
    code = rep(c("01", "1", "NA", "a,\"b\"|c=d"), 50), x = (1:200) / 7,
    day = as.Date("2020-01-01") + rep(0:4, 40)
  )
  table <- dp_tbl(dp_session(ledger = ledger), data, dp_unit(rows = 1), dp_domain(
    code = dp_levels("01", "1", "NA", "a,\"b\"|c=d"), x = dp_num(0, 30),
    day = dp_date("2020-01-01", "2020-01-09")
  ))
  small(release(summarise(group_by(table, code),
    n = dp_count(), mean = dp_mean(x), q = dp_quantile(x, c(0.25, 0.5), at = 0:30),
    days = dp_quantile(day, c(0.25, 0.5), at = as.Date("2020-01-01") + 0:8),
    h = dp_histogram(x, c(0, 10, 30))
  ), epsilon = 60))
}

test_that("a plain write.csv() of a release can be checked", {
  local_verbs()
  released <- released_codes()
  receipt <- dp_receipt(released)
  release_of <- function(value) results(receipt, value = value)[["release"]]
  for (value in list(released, as.data.frame(released))) {
    for (row.names in c(TRUE, FALSE)) {
      expect_agrees(receipt, file_of(value, row.names = row.names))
    }
  }
  # The result of a verb is written in the same way.
  expect_agrees(receipt, file_of(dplyr::arrange(released, dplyr::desc(n))))
  exact <- released
  exact$mean <- sprintf("%.17g", exact$mean)
  expect_identical(release_of(file_of(exact)), "passed")
  text <- readLines(file_of(released))
  for (change in list(c("0.25=", "0.26="), c("([0-9])(,0.25=)", "\\17\\2"), c("2020", "2021"))) {
    file <- withr::local_tempfile(fileext = ".csv")
    writeLines(c(text[[1]], sub(change[[1]], change[[2]], text[-1])), file)
    expect_identical(release_of(file), "failed", info = change[[1]])
  }
})

test_that("a saved release can be checked", {
  local_verbs()
  released <- released_codes()
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(released, file)
  expect_identical(results(dp_receipt(released), value = file)[["release"]], "passed")
})

test_that("quantiles of days are columns of a plain table", {
  local_verbs()
  plain <- as.data.frame(released_codes())
  expect_identical(grep("^days", names(plain), value = TRUE), c("days[0.25]", "days[0.5]"))
  expect_s3_class(plain[["days[0.5]"]], "Date")
})

test_that("receipts that hash quantiles of days as a list agree", {
  local_verbs()
  released <- released_codes()
  receipt <- unclass(dp_receipt(released))
  old <- release_hashes(released, is.numeric)
  expect_false(identical(old$release, receipt$release))
  receipt[names(old)] <- old
  expect_identical(results(structure(receipt, class = "dp_receipt"), value = released)[["release"]],
    "passed"
  )
})

test_that("verbs see a column of several numbers as a list, and it keeps its text", {
  local_verbs()
  released <- released_codes()
  expect_identical(lengths(released$q), rep(2L, 4))
  expect_identical(names(tidyr::unnest_wider(dplyr::select(released, q), q)), c("0.25", "0.5"))
  expect_output(print(dplyr::filter(released, n > 0)), "<list>", fixed = TRUE)
  expect_match(as.character(released$q), "^0[.]25=[0-9]+ [|] 0[.]5=[0-9]+$")
  expect_s3_class(released$q[1:2], "dp_values")
  expect_s3_class(changed_released(released, TRUE, "noise")$h, "dp_values")
})

test_that("a file of a statistic's result can be checked", {
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data",
    dp_unit(changes = 1), dp_epsilon(9), version = "1"
  )
  data <- data.frame(x = rep(1:4, 25), k = rep(c("a", "b"), 50))
  mean <- dpMean(varType = "numeric", variable = "x", n = 100, rng = c(0, 9), epsilon = 1)
  histogram <- dpHistogram(varType = "character", variable = "k", n = 100, bins = c("a", "b"),
    epsilon = 1
  )
  for (statistic in list(mean, histogram)) {
    result <- with_ledger(ledger, statistic$release(data))
    verdict <- results(dp_receipt(result), value = file_of(result))[["release"]]
    expect_true(verdict %in% c("passed", "not checked"))
    expect_identical(results(dp_receipt(result), value = as.data.frame(result))[["release"]],
      "passed"
    )
    changed <- as.data.frame(result)
    changed$estimate[[1]] <- changed$estimate[[1]] + 1
    expect_identical(results(dp_receipt(result), value = file_of(changed))[["release"]], "failed")
  }
})

test_that("a row of many cells has the text of its cells", {
  slowly <- function(x) {
    node <- json_value(plain_release(x, released_classes), "a release", NULL)
    as.character(jsonlite::toJSON(node, auto_unbox = TRUE, null = "null", json_verbatim = TRUE))
  }
  printable <- as.list(intToUtf8(32:126, multiple = TRUE))
  quick <- list(
    list(), list("a"), list(a = "1", b = "x ~!"), list("NA", ""), stats::setNames(printable, NULL),
    stats::setNames(as.list(c("1.5", "-2e-07")), c("[0,1)", "\u00e9 \"x\"")),
    Filter(function(x) !grepl("[\"\\\\/]", x), printable)
  )
  slow <- list(
    list(NA_character_), list("a\n"), list("\u00e9"), list("a\"b"), list("\\"), list("a/b"),
    list("1", c("1", "2")), list(c(a = "1")), list(1), list(structure("1", class = "Date"))
  )
  for (x in c(quick, slow[1:8])) expect_identical(release_text(x), slowly(x))
  expect_true(all(vapply(quick[-5], is_list_of_words, NA)))
  expect_false(any(vapply(slow, is_list_of_words, NA)))
})

# A batch whose tables have groups of different types, dates, and several numbers per group.
released_batch <- function(env = parent.frame()) {
  ledger <- create_ledger(file.path(withr::local_tempdir(.local_envir = env), "a.ledger"),
    "data", dp_unit(rows = 1), dp_epsilon(9e9), version = "1"
  )
  data <- data.frame(k = rep(1:3, 21), name = rep_len(c("01", "NA"), 63), x = (1:63) / 7,
    day = as.Date("2020-01-01") + rep_len(0:4, 63)
  )
  session <- dp_session(ledger = ledger)
  table <- dp_tbl(session, data, dp_unit(rows = 1), dp_domain(k = dp_int(1, 3),
    name = dp_levels("01", "NA"), x = dp_num(0, 9), day = dp_date("2020-01-01", "2020-01-09")
  ))
  small(release(dp_batch(session,
    by_k = dplyr::count(table, k),
    days = dplyr::summarise(dplyr::group_by(table, name), mean = dp_mean(x), first = dp_mean(day),
      q = dp_quantile(day, c(0.25, 0.5), at = as.Date("2020-01-01") + 0:8),
      h = dp_histogram(x, c(0, 4, 9))
    )
  ), epsilon = 60))
}

test_that("a file of a batch agrees with its receipt", {
  local_verbs()
  released <- released_batch()
  receipt <- dp_receipt(released)
  release_of <- function(value) results(receipt, value = value)[["release"]]
  expect_identical(release_of(as.data.frame(released)), "passed")
  expect_identical(release_of(generics::tidy(released)), "passed")
  for (value in list(released, as.data.frame(released), generics::tidy(released))) {
    for (row.names in c(TRUE, FALSE)) {
      expect_agrees(receipt, file_of(value, row.names = row.names))
    }
  }
  expect_identical(release_of(lapply(unclass(released), as.data.frame)), "passed")
  changed <- as.data.frame(released)
  changed$estimate[[2]] <- changed$estimate[[2]] + 1
  expect_identical(release_of(file_of(changed)), "failed")
  # Part of a batch is a different release.
  for (value in list(released$by_k, as.data.frame(released$by_k), unclass(released)["by_k"])) {
    expect_identical(release_of(value), "not checked")
  }
})

test_that("a table of tidy() agrees with its receipt, in memory and in a file", {
  local_verbs()
  released <- released_codes()
  receipt <- dp_receipt(released)
  tidy <- generics::tidy(released)
  release_of <- function(value) results(receipt, value = value)[["release"]]
  expect_identical(release_of(tidy), "passed")
  for (row.names in c(TRUE, FALSE)) {
    expect_agrees(receipt, file_of(tidy, row.names = row.names))
  }
  # The order of rows and columns added by a reader have no effect.
  expect_identical(release_of(tidy[rev(seq_len(nrow(tidy))), ]), "passed")
  wide <- as.data.frame(released)
  wide$note <- "checked"
  expect_identical(release_of(wide), "passed")
  tidy$estimate[[1]] <- tidy$estimate[[1]] + 1
  expect_identical(release_of(tidy), "failed")
})

test_that("a rounded table, or a table of texts, cannot be compared", {
  local_verbs()
  released <- released_codes()
  receipt <- dp_receipt(released)
  detail <- function(value) {
    checks <- verify_release(receipt, value = value)
    checks[checks$check == "release", ]
  }
  rounded <- as.data.frame(released)
  rounded$mean <- round(rounded$mean, 2)
  for (value in list(rounded, file_of(rounded), dp_publish(released, c("n", "mean", "q", "days")),
    as.data.frame(released)[c("code", "n")], as.data.frame(released)[1:2, ])) {
    found <- detail(value)
    expect_identical(found$result, "not checked")
    expect_match(found$detail, "cannot be compared")
  }
  expect_match(detail(rounded)$detail, "rounded")
  expect_match(detail(as.data.frame(released)[1:2, ])$detail, "2 of 4 groups")
  expect_match(detail(as.data.frame(released)[-2])$detail, "lacks `n`")
})

test_that("the receipt of a statistic accepts each of its tables, and no other release", {
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data",
    dp_unit(changes = 1), dp_epsilon(1e3, delta = 1e-3), version = "1"
  )
  data <- PUMS5extract10000
  data$job <- rep(c("cook", "nurse", "clerk", "smith"), 2500)
  examples <- small(statistic_examples())[c("mean", "logical", "no_set", "quantiles", "tree",
    "covariance", "contingency", "line", "two_numbers")]
  for (name in names(examples)) {
    statistic <- examples[[name]]$statistic
    result <- small(with_ledger(ledger, statistic$release(data)))
    for (value in list(result, generics::tidy(result), file_of(generics::tidy(result)),
      file_of(as.data.frame(result)), file_of(dp_publish(result)))) {
      found <- results(dp_receipt(statistic), value = value)[["release"]]
      expect_true(found != "failed", info = name)
    }
    expect_identical(results(dp_receipt(statistic), value = result)[["release"]], "passed")
  }
})

test_that("a filtered table of private or hidden groups cannot be compared, and is not failed", {
  local_verbs()
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data",
    dp_unit(rows = 1), dp_epsilon(9e3, delta = 1e-3), version = "1"
  )
  data <- data.frame(
    name = rep(c("a", "b", "c"), 204), k = rep(1:3, 204), g = rep(c("01", "1"), 306), x = 1:612 / 7
  )
  table <- dp_tbl(dp_session(ledger = ledger), data, dp_unit(rows = 1), dp_domain(
    name = dp_text(), k = dp_int(1, 9), g = dp_levels("01", "1", "NA"), x = dp_num(0, 90)
  ))
  asked <- function(...) summarise(group_by(table, ...), n = dp_count(), mean = dp_mean(x))
  queries <- list(
    dp_keys(asked(name, k), "threshold"), dp_keys(asked(k, g), "declared", suppress = 30)
  )
  for (query in queries) {
    released <- small(release(query, epsilon = 50, delta = 1e-5))
    receipt <- dp_receipt(released)
    found <- function(value) {
      checks <- verify_release(receipt, ledger, value = value)
      unlist(checks[checks$check == "release", c("result", "detail")])
    }
    whole <- as.data.frame(released)
    expect_identical(found(whole)[["result"]], "passed")
    filtered <- whole[-1, ]
    by_row <- generics::tidy(released)
    for (value in list(filtered, file_of(filtered), read_back(filtered), by_row[-(1:2), ])) {
      expect_identical(found(value)[["result"]], "not checked")
      expect_match(found(value)[["detail"]], "cannot be compared: some groups are private")
    }
    twice <- rbind(filtered, filtered[1, ])
    twice$n[[1]] <- twice$n[[1]] + 1
    undeclared <- filtered
    undeclared$k[[1]] <- 10L
    for (value in list(twice, undeclared, file_of(undeclared))) {
      expect_identical(found(value), c(result = "failed", detail = "a different release"))
    }
  }
})
