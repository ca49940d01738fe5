test_that("a statistic is charged the loss of its measurement", {
  ledger <- local_ledger()
  statistic <- mean_age(0.3)
  with_ledger(ledger, statistic$release(hundred))
  expect_identical(spent_in(ledger), statistic$measurement(d_in = protected_rows)[[1]])
  expect_identical(dp_history(ledger)$plan, plan_hash(statistic))
})

test_that("the same release costs once, even in a different session", {
  ledger <- local_ledger()
  first <- with_ledger(ledger, mean_age()$release(hundred))
  expect_null(attr(first, "reused"))
  expect_message(
    again <- with_ledger(ledger, mean_age()$release(hundred)),
    "Stored release of record 2. Nothing spent.",
    class = "dp_message_reused"
  )
  expect_identical(again$release, first$release)
  expect_identical(again$interval, first$interval)
  expect_identical(attr(again, "reused"), 2)
  elsewhere <- dp_ledger(ledger$where)
  expect_identical(
    quietly_reused(with_ledger(elsewhere, mean_age()$release(hundred)))$release, first$release
  )
  expect_identical(spent_in(ledger), 0.25)
})

test_that("a different plan, version or ledger gives a new release", {
  ledger <- local_ledger(2)
  release <- function(ledger, epsilon = 0.25, version = NULL) {
    with_ledger(ledger, mean_age(epsilon)$release(hundred), version = version)$release
  }
  dp_new_version(ledger, "2026-04")
  releases <- c(
    release(ledger, version = "2026-03"), release(ledger, version = "2026-04"),
    release(ledger, 0.5, "2026-03"), release(local_ledger())
  )
  expect_length(unique(releases), 4)
  expect_identical(spent_in(ledger), 1)
})

test_that("without reuse, new noise is drawn and charged", {
  ledger <- local_ledger()
  release <- function() with_ledger(ledger, mean_age()$release(hundred), reuse = FALSE)$release
  expect_false(release() == release())
  expect_identical(spent_in(ledger), 0.5)
})

test_that("a release over the budget spends nothing and reads no data", {
  ledger <- local_ledger(0.25)
  local_replaced("release_statistic", function(...) stop("read"))
  expect_error(
    with_ledger(ledger, mean_age(0.5)$release(hundred)),
    "costs epsilon 0.5; 0.25 is left of 0.25",
    class = "dp_error_budget"
  )
  expect_identical(spent_in(ledger), 0)
})

# Mistakes that types and names show are no failures: they are refused before the charge.
test_that("D_CMP_2: a failed release is charged like a successful one", {
  ledger <- local_ledger()
  for (i in 1:3) {
    local({
      local_replaced("released_by", function(...) stop("no memory"))
      expect_error(with_ledger(ledger, mean_age()$release(hundred)), "no memory")
    })
  }
  expect_identical(spent_in(ledger), 0.75)
  # None was stored, so none is repeated.
  with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 1)
})

test_that("a measurement is charged for the declared distance", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  count <- charge(noisy_count(), ledger, d_in = 1L)
  data <- c(1, 2, 3)
  first <- count(data)
  expect_identical(quietly_reused(count(data)), first)
  expect_identical(spent_in(ledger), 0.25)
  two <- charge(noisy_count(), ledger, d_in = 2L)
  two(c(1, 2, 3))
  expect_identical(spent_in(ledger), 0.75)
  expect_error(two2 <- charge(noisy_count(), ledger, d_in = 2L, reuse = FALSE)(1),
    class = "dp_error_budget")
})

test_that("a measurement that the ledger cannot count raises an error before it is called", {
  ledger <- local_ledger()
  gaussian <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
    then_gaussian(scale = 4)
  expect_error(charge(gaussian, ledger, d_in = 1), "counts in epsilon", class = "dp_error_budget")
  expect_error(charge(mean, ledger, d_in = 1), class = "dp_error_invalid_argument")
  expect_error(charge(noisy_count(), "l", d_in = 1L), class = "dp_error_invalid_argument")
})

test_that("an uncharged measurement raises an error within with_ledger()", {
  ledger <- local_ledger()
  expect_error(
    with_ledger(ledger, noisy_count()(arg = c(1, 2))), "must be charged",
    class = "dp_error_ledger"
  )
  expect_error(
    with_ledger(ledger, measurement_invoke(noisy_count(), c(1, 2))), class = "dp_error_ledger"
  )
  # A charged one is not.
  expect_type(with_ledger(ledger, charge(noisy_count(), ledger, d_in = 2L)(c(1, 2))), "integer")
  # Outside with_ledger() nothing changes, even after an error.
  expect_type(noisy_count()(arg = c(1, 2)), "integer")
})

test_that("a repeated release of any statistic is free", {
  folder <- withr::local_tempdir()
  of_loss <- function(name, loss) {
    create_ledger(file.path(folder, name), "survey", dp_unit(changes = 1), loss, version = "v")
  }
  in_epsilon <- of_loss("epsilon", dp_epsilon(1e6, 0.5))
  in_rho <- of_loss("rho", dp_zcdp(1e6))
  statistics <- example_statistics()
  data <- example_rows()
  release <- function(statistic, ledger) {
    quietly_reused(with_ledger(ledger, statistic$release(data)))
  }
  verified <- function(result, ledger) {
    suppressWarnings(
      verify_release(dp_receipt(result), ledger, value = result$release),
      classes = "dp_warning_noise"
    )
  }
  for (name in names(statistics)) {
    ledger <- if (is.null(statistics[[name]]$getFields()$rho)) in_epsilon else in_rho
    first <- release(statistics[[name]], ledger)
    spent <- dp_spent(ledger)
    again <- release(statistics[[name]], ledger)
    expect_identical(again$release, first$release, info = name)
    expect_identical(dp_spent(ledger), spent, info = name)
    expect_false(is.null(attr(again, "reused")), info = name)
    checks <- verified(again, ledger)$result
    expect_false(any(checks == "failed"), info = name)
  }
})

test_that("D_LED_4: a release that cannot be stored is still returned", {
  ledger <- local_ledger()
  unlink(file.path(ledger$where, "releases"), recursive = TRUE)
  expect_warning(
    result <- with_ledger(ledger, mean_age()$release(hundred)), "could not be stored",
    class = "dp_warning_store"
  )
  expect_true(is.finite(result$release))
  expect_identical(spent_in(ledger), 0.25)
})

test_that("D_LED_6: a modified stored release is not returned", {
  ledger <- local_ledger()
  with_ledger(ledger, mean_age()$release(hundred))
  stored <- list.files(file.path(ledger$where, "releases"), full.names = TRUE)
  writeLines("{}", stored)
  expect_error(
    with_ledger(ledger, mean_age()$release(hundred)), "differs from the stored",
    class = "dp_error_ledger"
  )
  unlink(stored)
  with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 0.5)
})

test_that("the witness learns of each charge before noise is drawn", {
  heads <- character()
  ledger <- local_ledger()
  ledger <- dp_ledger(ledger$where, witness = function(head) heads <<- c(heads, head))
  run <- release_statistic
  local_replaced("release_statistic", function(...) {
    expect_length(heads, 1)
    run(...)
  })
  with_ledger(ledger, mean_age()$release(hundred))
  local_replaced("release_statistic", run)
  expect_identical(heads[[length(heads)]], dp_ledger_head(ledger))
  failing <- dp_ledger(ledger$where, witness = function(head) stop("no connection"))
  statistic <- mean_age(0.5)
  expect_error(with_ledger(failing, statistic$release(hundred)), "no connection")
  expect_null(statistic$result)
  expect_identical(spent_in(ledger), 0.75)
})

test_that("a queryable cannot be released on a ledger", {
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  composition <- make_adaptive_composition(
    vector_domain(atom_domain(.T = "f64")), symmetric_distance(), max_divergence(), 1L, c(0.5)
  )
  expect_error(
    charge(composition, ledger, d_in = 1L)(c(1, 2)), "queryables",
    class = "dp_error_ledger"
  )
  expect_identical(spent_in(ledger), 0.5)
})

test_that("every form of release is stored to the last bit", {
  examples <- list(
    1, c(0.1, -0, Inf, NaN, NA, 5e-324), 1:3, c(a = TRUE, b = NA), "\u00e9", NULL, list(),
    list(1, list("a", b = 2L)), matrix(1:4, 2), factor(c("b", "a")),
    data.frame(x = c(0.1, 0.2), y = c("a", "b")), as.Date("2026-11-22"), raw(2),
    structure(list(key = c("a", "b"), value = 1:2), class = "dp_map"),
    data.frame(x = 1:3)[-1, , drop = FALSE]
  )
  for (value in examples) {
    expect_identical(value_in_text(release_text(value)), value)
  }
})

test_that("a report that is knitted twice costs once", {
  ledger <- local_ledger()
  folder <- withr::local_tempdir()
  report <- file.path(folder, "report.Rmd")
  writeLines(c(
    "```{r}", "library(PSIlence)", sprintf("ledger <- dp_ledger(%s)", deparse(ledger$where)),
    "age <- dpMean(mechanism = 'mechanismLaplace', varType = 'numeric', variable = 'age',",
    "  n = 100, rng = c(18, 93), epsilon = 0.25)",
    "with_ledger(ledger, age$release(data.frame(age = rep(c(20, 40), 50))))$release", "```"
  ), report)
  knit <- function() {
    out <- tempfile(tmpdir = folder, fileext = ".md")
    knitr::knit(report, out, quiet = TRUE, envir = new.env())
    grep("\\[1\\]", readLines(out), value = TRUE)
  }
  first <- knit()
  expect_length(first, 1)
  expect_identical(knit(), first)
  expect_identical(spent_in(ledger), 0.25)
})

test_that("D_LED_1: the charge is on disk before the first random bits are requested", {
  ledger <- local_ledger()
  trace <- withr::local_tempfile()
  done <- run_r(
    c(
      "age <- dpMean(mechanism = 'mechanismLaplace', varType = 'numeric', variable = 'age',",
      "  n = 100, rng = c(18, 93), epsilon = 0.25)",
      "data <- data.frame(age = rep(c(20, 40), 50))", "ledger <- dp_ledger(where)",
      "invisible(file.exists('the-mark'))", "invisible(with_ledger(ledger, age$release(data)))"
    ),
    ledger$where,
    wrapper = c("strace", "-f", "-y", "-o", trace, "-e", "trace=%file,write,fsync,getrandom")
  )
  expect_identical(done$status, 0L)
  calls <- readLines(trace)
  mark <- grep("the-mark", calls)
  after <- calls[-seq_len(max(mark))]
  first <- function(call) min(grep(call, after, fixed = TRUE))
  expect_lt(first("getrandom("), Inf)
  before <- after[seq_len(first("getrandom("))]
  written <- grep("write\\([0-9]+<[^>]*ledger[.]jsonl>", before)
  synced <- grep("fsync\\([0-9]+<[^>]*ledger[.]jsonl>", before)
  expect_gt(length(written), 0)
  expect_true(any(synced > max(written, 0)))
})

test_that("a text makes no object but those that are listed", {
  of_class <- function(value, ...) structure(value, ...)
  refused <- list(
    of_class(list(1), class = "dp_ledger"), of_class("a", class = "dp_ledger"),
    of_class(list(), class = c("dpMean", "dpStatistic", "R6")), of_class(1, tsp = c(1, 1, 1)),
    of_class(1, anything = 2), list(1, of_class(2, class = "dp_key"))
  )
  for (value in refused) {
    expect_error(release_text(value), class = "dp_error_serialization")
  }
  forged <- function(...) {
    attributes <- lapply(list(...), function(one) list(value = one, attributes = list()))
    node <- json_value(list(value = "b", attributes = attributes), "a release", NULL)
    as.character(jsonlite::toJSON(node, auto_unbox = TRUE, null = "null", json_verbatim = TRUE))
  }
  expect_identical(value_in_text(forged()), "b")
  ledger <- forged(class = "dp_ledger")
  expect_error(value_in_text(ledger), class = "dp_error_serialization")
  expect_error(value_in_text(ledger, planned_classes), class = "dp_error_serialization")
  for (name in c("factor", "data.frame", "dp_map", "Date")) {
    expect_error(value_in_text(forged(class = name)), class = "dp_error_serialization")
  }
  expect_error(value_in_text(forged(.Environment = "x")), class = "dp_error_serialization")
})

test_that("a text is refused by its depth before it is parsed", {
  for (times in c(5000, 1e6)) {
    expect_error(value_in_text(paste0(strrep("[", times), strrep("]", times))), "in each other",
      class = "dp_error_serialization"
    )
  }
})
