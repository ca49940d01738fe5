# What reports and pipelines keep from a session.

canary <- 7417.3391

# Whether a file contains the canary's eight bytes, as R serializes them, or its digits.
holds_canary <- function(path) {
  bytes <- readBin(path, "raw", file.size(path))
  plain <- tryCatch(memDecompress(bytes, "gzip"), error = function(error) raw())
  wanted <- c(
    lapply(c("big", "little"), function(endian) writeBin(canary, raw(), endian = endian)),
    list(charToRaw("7417.33"))
  )
  any(vapply(wanted, function(one) {
    length(c(grepRaw(one, bytes, fixed = TRUE), grepRaw(one, plain, fixed = TRUE))) > 0
  }, NA))
}

# Each object of a knitr cache database, in a separate file.
cached_objects <- function(folder) {
  bases <- sub("[.]rdx$", "", list.files(folder, "[.]rdx$", full.names = TRUE, recursive = TRUE))
  unlist(lapply(bases, function(base) {
    loaded <- new.env()
    lazyLoad(base, loaded)
    lapply(ls(loaded, all.names = TRUE), function(name) {
      file <- tempfile(tmpdir = folder)
      writeBin(serialize(get(name, loaded), NULL, xdr = TRUE), file)
      file
    })
  }))
}

report_lines <- function(where, rows) {
  c(
    "```{r}", "library(PSIlence)", "library(dplyr, warn.conflicts = FALSE)",
    sprintf("visits <- read.csv(%s)", deparse(rows)), "```",
    "```{r released, cache = TRUE}", sprintf("ledger <- dp_ledger(%s)", deparse(where)),
    "table <- dp_tbl(dp_session(ledger = ledger), visits, unit = dp_unit(id = patient),",
    "  domain = dp_domain(ward = dp_levels('A', 'B'), cost = dp_num(0, 1e4)))",
    "query <- table |> dp_truncate(max_rows = 3) |> group_by(ward) |> summarise(n = dp_count())",
    "counts <- release(query, rho = 0.1)",
    "age <- dpMean(mechanism = 'mechanismLaplace', varType = 'numeric', variable = 'cost',",
    "  n = nrow(visits), rng = c(0, 1e4), epsilon = 0.25)",
    "kept <- dp_receipt(counts)", "counts$n", "```"
  )
}

test_that("D_R_3: knitr's cache of a session holds none of its rows and costs nothing", {
  skip_if_not_installed("dplyr", "1.0.10")
  folder <- withr::local_tempdir()
  rows <- file.path(folder, "visits.csv")
  visits <- data.frame(patient = 1:200, ward = rep(c("A", "B"), 100), cost = canary)
  utils::write.csv(visits, rows)
  ledger <- create_ledger(file.path(folder, "l"), "visits", dp_unit(id = patient),
    dp_zcdp(1, 1e-7), version = "v"
  )
  withr::local_dir(folder)
  report <- file.path(folder, "report.Rmd")
  writeLines(report_lines(ledger$where, rows), report)
  knit <- function() {
    out <- tempfile(tmpdir = folder, fileext = ".md")
    knitr::knit(report, out, quiet = TRUE, envir = new.env(parent = globalenv()))
    grep("\\[1\\]", readLines(out), value = TRUE)
  }
  first <- knit()
  expect_length(first, 1)
  spent <- dp_spent(ledger)
  expect_equal(spent[["rho"]], 0.1)
  expect_identical(knit(), first)
  expect_identical(dp_spent(ledger), spent)
  objects <- cached_objects(file.path(folder, "cache"))
  expect_gt(length(objects), 4)
  cache <- list.files(file.path(folder, "cache"), recursive = TRUE, full.names = TRUE)
  expect_false(any(vapply(cache, holds_canary, NA)))
  # The search finds a data frame that was cached.
  planted <- withr::local_tempfile()
  writeBin(serialize(visits, NULL, xdr = TRUE), planted)
  expect_true(holds_canary(planted))
})

test_that("plans and results are data with stable bytes that other processes can read", {
  ledger <- local_ledger()
  plan <- mean_age()
  again <- mean_age()
  result <- with_ledger(ledger, plan$release(hundred))
  folder <- withr::local_tempdir()
  saveRDS(again, file.path(folder, "plan.rds"))
  saveRDS(result, file.path(folder, "result.rds"))
  other <- run_r(
    c(
      "plan <- readRDS(file.path(where, 'plan.rds'))",
      "result <- readRDS(file.path(where, 'result.rds'))",
      sprintf("ledger <- dp_ledger(%s)", deparse(ledger$where)),
      "again <- with_ledger(ledger, plan$release(data.frame(age = 1:100)))",
      "stopifnot(identical(again$release, result$release), dp_spent(ledger)[[1]] == 0.25)",
      "cat(plan_hash(plan))"
    ),
    folder
  )
  expect_identical(other$stderr, "Stored release of record 2. Nothing spent.\n")
  expect_identical(other$stdout, plan_hash(plan))
})
