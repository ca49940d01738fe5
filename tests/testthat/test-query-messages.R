# The fifteen messages of the specification (queries_v2, 4.4) and its scripts (4.2), as users see
# them.

skip_if_not_installed("dplyr", "1.0.10")

test_that("the fifteen messages say what stops a query, and how to fix it", {
  local_verbs()
  session <- dp_session(dp_zcdp(0.5, delta = 1e-7))
  stays <- dp_tbl(session, hospital(), unit = dp_unit(id = patient),
    domain = dp_domain(ward = dp_text(), cost = dp_num())
  )
  capped <- dp_truncate(stays, max_rows = 2)
  ledger <- suppressMessages(dp_ledger_create(
    file.path(withr::local_tempdir(), "stays.ledger"), "stays", dp_unit(id = patient), dp_zcdp(1),
    version = "2026-03"
  ))
  old <- file.path(withr::local_tempdir(), "old.ledger")
  dir.create(old)
  file.copy(list.files(ledger$where, full.names = TRUE), old, recursive = TRUE)
  dp_new_version(ledger, "2026-05")
  head <- dp_ledger_head(ledger)
  expect_snapshot(error = TRUE, {
    # 1, 2: contributions of one person
    stays |> count(ward) |> dp_keys("threshold") |> release(rho = 0.1, delta = 1e-8)
    stays |> dp_truncate(max_rows_per_group = 2, by = ward) |> count(ward) |>
      dp_keys("threshold") |> release(rho = 0.1, delta = 1e-8)
    # 3, 4: keys
    capped |> count(ward) |> release(rho = 0.1)
    people_to_plan(dp_session(dp_zcdp(1))) |> count(name) |> dp_keys("threshold")
    # 5, 6: declarations
    capped |> summarise(cost = dp_sum(cost)) |> release(rho = 0.1)
    filter(stays, zip > 1)
    # 7, 8: the budget
    capped |> summarise(n = dp_count()) |> release(rho = 0.6)
    capped |> summarise(n = dp_count()) |> release(epsilon = 0.1)
    # 9 to 12: expressions that are not private
    summarise(stays, m = mean(cost))
    collect(stays)
    slice_head(stays)
    mutate(stays, x = as.integer(ward))
    # 13: the source
    dp_tbl(session, as.list(hospital()), dp_unit(id = patient), hospital_domain())
    # 14, 15: the ledger
    dp_ledger(old, head = head)
    dp_tbl(dp_session(ledger = ledger), hospital(), dp_unit(id = patient), hospital_domain(),
      version = "2026-04"
    )
  }, transform = function(lines) gsub("[0-9a-f]{16,}|/[^ `]*ledger", "<...>", lines))
  expect_identical(dp_spent(session), c(rho = 0, delta = 0))
})

# Fractional numbers are noise, as are the widths of their columns.
without_noise <- function(lines) gsub(" +", " ", gsub("-?[0-9]+(\\.[0-9]+)?", "#", lines))

# The noise also decides which numbers have an interval or a mark.
without_marks <- function(lines) {
  kept <- grep("^ *[*?~^]: ", lines, value = TRUE, invert = TRUE)
  shown <- paste0(without_noise(kept), " ")
  sub(" +$", "", gsub("# (\\[ ?#; ?#\\])?( ?[*?~^])?(?=$| )", "#", shown, perl = TRUE))
}

test_that("scripts 1, 2 and 8 print what users expect", {
  local_verbs()
  households <- data.frame(region = rep(c("North", "South", "East"), c(50, 30, 20)),
    size = rep(1:5, 20)
  )
  domain <- dp_domain(region = dp_levels("North", "South", "East"), size = dp_int(1, 12))
  expect_snapshot({
    # 1: counts by region, one row per household
    s <- dp_session(dp_epsilon(1))
    survey <- dp_tbl(s, households, unit = dp_unit(rows = 1), domain = domain)
    survey
    query <- survey |>
      group_by(region) |>
      summarise(n = dp_count(), size = dp_mean(size))
    query
    out <- release(query, epsilon = 0.2)
    names(out)
    s
  })
  expect_snapshot(out, transform = without_marks)
  expect_snapshot({
    # 2: stays of patients, by undeclared wards
    s <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
    stays <- dp_tbl(s, hospital(2000),
      unit = dp_unit(id = patient),
      domain = dp_domain(
        ward = dp_text(), days = dp_int(0, 60), cost = dp_num(0, 5e4, missing = "drop")
      )
    )
    q <- stays |>
      dp_truncate(max_groups = 3, max_rows_per_group = 2, by = ward) |>
      group_by(ward) |>
      summarise(n = dp_count(), patients = dp_n_ids(), cost = dp_mean(cost, share = 2)) |>
      dp_keys("threshold")
    q
    dp_preview(q, rho = 0.05, delta = 1e-8)
    out <- release(q, rho = 0.05, delta = 1e-8)
    dp_history(s)[c("what", "rho", "delta")]
  })
  expect_snapshot(out, transform = without_marks)
  expect_snapshot({
    # 8: a plan without data
    blank <- dp_tbl(dp_session(dp_zcdp(1, 1e-6)), NULL, unit = dp_unit(id = person), domain)
    blank
    dp_preview(blank |> dp_truncate(max_rows = 2) |> group_by(region) |>
      summarise(n = dp_count()), rho = 0.1)
    dp_solve(blank |> dp_truncate(max_rows = 1) |> count(region), accuracy = c(n = 20))
  })
})
