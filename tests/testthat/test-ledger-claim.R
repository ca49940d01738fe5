# Claims: a plan is charged once, however many processes release it, and whatever kills them.

skip_on_os("windows")

# A statistic with another plan for each `i`.
mean_within <- function(i) {
  dpMean(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 100,
    rng = c(18, 93 + i / 1024), epsilon = 1, missing = "impute"
  )
}

die <- function() {
  tools::pskill(Sys.getpid(), tools::SIGKILL)
  Sys.sleep(60)
}

# Replaces an internal function, in a process that is about to end.
replaced_for_good <- function(name, with) {
  local_replaced(name, with, env = globalenv())
}

# Ways for a process to die. Each changes a forked process, and gives the data to release.
deaths <- list(
  charge = function() {
    replaced_for_good("release_statistic", function(...) die())
    quote(hundred)
  },
  mark = function() {
    replaced_for_good("released_by", function(...) die())
    quote(hundred)
  },
  draw = function() {
    replaced_for_good("kept_release", function(...) die())
    quote(hundred)
  },
  store = function() {
    keep <- keep_text
    replaced_for_good("keep_text", function(...) {
      keep(...)
      die()
    })
    quote(hundred)
  },
  record = function() {
    keep <- kept_release
    replaced_for_good("kept_release", function(...) {
      keep(...)
      die()
    })
    quote(hundred)
  }
)

# Each draw of this process goes to the file as it is made: an adversary sees it.
draws_go_to <- function(path) {
  draw <- released_by
  replaced_for_good("released_by", function(...) {
    value <- draw(...)
    cat(format(value, digits = 17), "\n", file = path, append = TRUE)
    value
  })
}

draws_in <- function(path) if (file.exists(path)) as.numeric(readLines(path)) else numeric()

in_dying_fork <- function(act) {
  invisible(suppressWarnings(parallel::mccollect(parallel::mcparallel(act(), silent = TRUE))))
}

records_of <- function(ledger, kind) {
  lines <- lapply(readLines(ledger_text(ledger)), core_parse_canonical_json)
  Filter(function(record) record$kind == kind, lines)
}

plans_charged <- function(ledger) vapply(records_of(ledger, "charge"), `[[`, "", "plan")

test_that("D_LED_2: a process that dies at any point leaves one charge for one draw", {
  ledger <- local_ledger(1e6)
  path <- withr::local_tempfile()
  points <- rep(names(deaths), each = in_tier(20, 200))
  for (i in seq_along(points)) {
    in_dying_fork(function() {
      if (points[[i]] != "mark") draws_go_to(path)
      data <- deaths[[points[[i]]]]()
      with_ledger(dp_ledger(ledger$where), mean_within(i)$release(eval(data)))
    })
    again <- quietly_reused(with_ledger(ledger, mean_within(i)$release(hundred)))
    if (points[[i]] %in% c("store", "record")) {
      expect_identical(again$release, draws_in(path)[[length(draws_in(path))]])
    } else {
      cat(format(again$release, digits = 17), "\n", file = path, append = TRUE)
    }
  }
  # Only a death between the mark and the stored release costs a second charge.
  plans <- vapply(seq_along(points), function(i) plan_hash(mean_within(i)), "")
  charges <- as.vector(table(plans_charged(ledger))[plans])
  expect_identical(charges, ifelse(points %in% c("mark", "draw"), 2L, 1L))
  expect_gte(length(plans_charged(ledger)), length(unique(draws_in(path))))
  expect_identical(unique(dp_ledger_verify(ledger$where)$result[c(1, 2, 5)]), "passed")
})

test_that("D_LED_2: so do deaths at random moments", {
  ledger <- local_ledger(1e6)
  path <- withr::local_tempfile()
  for (i in seq_len(in_tier(30, 1000))) {
    child <- parallel::mcparallel(silent = TRUE, {
      draws_go_to(path)
      suppressMessages(with_ledger(dp_ledger(ledger$where), mean_within(i)$release(hundred)))
    })
    Sys.sleep(stats::runif(1, 0, 0.05))
    tools::pskill(child$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(child))
    again <- quietly_reused(with_ledger(ledger, mean_within(i)$release(hundred)))
    cat(format(again$release, digits = 17), "\n", file = path, append = TRUE)
  }
  charges <- length(plans_charged(ledger))
  expect_gte(charges, length(unique(draws_in(path))))
  expect_identical(charges, i + length(records_of(ledger, "fail")))
})

# An adversary who sees each draw, and kills the process unless the draw is large. Charges and draws
# of the plan when a release was let through, or after ten deaths.
killed_by_the_draw <- function(prepare) {
  ledger <- local_ledger(1e6)
  path <- withr::local_tempfile()
  for (i in 1:10) {
    in_dying_fork(function() {
      prepare()
      draws_go_to(path)
      replaced_for_good("kept_release", function(...) die())
      with_ledger(dp_ledger(ledger$where), mean_within(0)$release(hundred))
    })
  }
  list(charges = length(plans_charged(ledger)), draws = length(draws_in(path)))
}

test_that("D_LED_2: who kills by the draw sees one draw for each charge", {
  found <- killed_by_the_draw(function() NULL)
  expect_identical(found, list(charges = 10L, draws = 10L))
})

test_that("D_LED_2: the same test notices fresh noise under a charge that has a draw", {
  without_mark <- function() {
    replaced_for_good("core_ledger_mark", function(ledger, run) list(head = "", seq = 0))
  }
  found <- killed_by_the_draw(without_mark)
  expect_gt(found$draws, found$charges)
})

test_that("D_LED_2: of sixteen processes one is charged, and all have its answer", {
  ledger <- local_ledger()
  answers <- in_forks(1:16, function(i) {
    mine <- dp_ledger(ledger$where)
    suppressMessages(with_ledger(mine, mean_age()$release({
      Sys.sleep(0.3)
      hundred
    })))$release
  }, 16)
  expect_length(unique(unlist(answers)), 1)
  expect_length(records_of(ledger, "charge"), 1)
  expect_identical(spent_in(ledger), 0.25)
})

test_that("D_LED_7: a release that was interrupted before its draw goes on under its charge", {
  ledger <- local_ledger()
  interrupted <- function() {
    local_replaced("release_statistic", function(...) rlang::interrupt())
    mean_age()$release(hundred)
  }
  stopped <- function() {
    tryCatch(
      with_ledger(ledger, interrupted()),
      interrupt = function(condition) "stopped"
    )
  }
  expect_identical(stopped(), "stopped")
  expect_identical(stopped(), "stopped")
  expect_type(with_ledger(ledger, mean_age()$release(hundred))$release, "double")
  expect_identical(spent_in(ledger), 0.25)
  expect_length(records_of(ledger, "rerun"), 2)
})

test_that("D_CMP_2: an error ends its charge, and the next release has another", {
  ledger <- local_ledger()
  failing <- function() {
    local_replaced("release_statistic", function(...) stop("no memory"))
    mean_age()$release(hundred)
  }
  expect_error(with_ledger(ledger, failing()), "no memory")
  expect_length(records_of(ledger, "fail"), 1)
  with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 0.5)
})

test_that("a release within the data of the same release is the one that both return", {
  ledger <- local_ledger()
  inner <- NULL
  outer <- quietly_reused(with_ledger(ledger, mean_age()$release({
    inner <- with_ledger(ledger, mean_age()$release(hundred))
    hundred
  })))
  expect_identical(outer$release, inner$release)
  expect_identical(spent_in(ledger), 0.25)
})

test_that("a key names one release: another one under it is refused with nothing spent", {
  ledger <- local_ledger()
  claim <- list(
    plan = strrep("a", 64), loss = list(c(0.25, 0), c(0.25, 0)), version = "2026-03",
    key = "a-key-of-16-signs", reuse = TRUE
  )
  first <- claim_charge(ledger, claim)
  core_ledger_end_run(first$run)
  other <- utils::modifyList(claim, list(plan = strrep("b", 64)))
  expect_error(claim_charge(ledger, other), "Use a new key", class = "dp_error_key_reused")
  again <- claim_charge(ledger, utils::modifyList(claim, list(reuse = FALSE)))
  expect_identical(again$seq, first$seq)
  core_ledger_mark(ledger_handle(ledger), again$run)
  core_ledger_end_run(again$run)
  expect_error(claim_charge(ledger, claim), "failed", class = "dp_error_ledger")
  expect_identical(spent_in(ledger), 0.25)
})

test_that("a query reads its data before the mark, and draws after it", {
  skip_if_not_installed("dplyr")
  folder <- withr::local_tempdir()
  ledger <- create_ledger(file.path(folder, "l"), "visits", dp_unit(rows = 1), dp_zcdp(1), "v")
  query <- dp_tbl(dp_session(ledger = ledger), data.frame(cost = 1:30),
    unit = dp_unit(rows = 1), domain = dp_domain(cost = dp_num(0, 40))
  ) |> dplyr::summarise(n = dp_count(), middle = dp_median(cost), mean = dp_mean(cost))
  kinds <- function() {
    lines <- lapply(readLines(ledger_text(ledger)), core_parse_canonical_json)
    vapply(lines, `[[`, "", "kind")
  }
  dying <- function(name, first) {
    in_dying_fork(function() {
      replaced_for_good(name, first)
      suppressMessages(release(query, rho = 0.1))
    })
  }
  dying("core_ledger_mark", function(...) die())
  expect_identical(kinds()[-(1:2)], "charge")
  dying("stored_raw", function(...) {
    list(...)
    die()
  })
  expect_identical(kinds()[-(1:2)], c("charge", "rerun", "mark"))
  suppressMessages(release(query, rho = 0.1))
  expect_identical(kinds()[-(1:2)],
    c("charge", "rerun", "mark", "fail", "charge", "mark", "release")
  )
})
