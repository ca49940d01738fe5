#' Known faults of released versions
#'
#' `dp_advisories()` lists the faults of this package that weaken a privacy promise, or reveal a
#' secret, and the affected versions. [verify_release()] and [dp_ledger_verify()] read the list.
#' They report whether the version that made a release has a fault that affects its plan.
#'
#' Some faults depend on more than a plan, such as a table that changed while a session used it. For
#' these the checks say `"not checked"`, with the identifier of the advisory.
#'
#' @returns A data frame with a row for each fault. Its columns:
#' * `id`, `summary` and `advice`,
#' * `severity`: `"loss"` if a release can lose more than it was charged, or `"secret"` if a key or
#'   data can leak,
#' * `since`: the first version with the fault,
#' * `fixed`: the first version without it, or `NA` if there is none yet.
#' @seealso The file `SECURITY.md` of the sources says how to report a fault.
#' @examples
#' dp_advisories()[c("id", "severity", "fixed", "summary")]
#' @export
dp_advisories <- function() {
  column <- function(name) vapply(advisories(), `[[`, "", name)
  columns <- c("id", "severity", "since", "fixed", "summary", "advice")
  as.data.frame(lapply(stats::setNames(nm = columns), column))
}

# `affects(plan, receipt)` says whether the fault affects the release. NA means that plan and
# receipt cannot tell. `plan` is an object, or NULL if the receipt has no plan.
new_advisory <- function(id, severity, fixed, summary, advice, affects) {
  list(
    id = id, severity = severity, since = "0.1.0", fixed = fixed, summary = summary,
    advice = advice, affects = affects
  )
}

advisories <- function() {
  list(
    new_advisory(
      "PSIL-2026-1", "loss", "0.1.1",
      "A join with a public table whose key holds both 0 and -0 multiplies rows unnoticed.",
      paste(
        "Release again without -0 in the key. The loss was up to 2^k times the charge, for k key",
        "columns."
      ),
      function(plan, receipt) any_step(plan, joins_minus_zero)
    ),
    new_advisory(
      "PSIL-2026-2", "loss", "0.1.1",
      "`dp_margin(lengths = TRUE)` takes units of one row or person, which leave no neighbours.",
      "Release again with `dp_unit(changes = 1)`. Numbers with mechanism \"none\" were exact.",
      function(plan, receipt) any_step(plan, fixes_lengths)
    ),
    new_advisory(
      "PSIL-2026-3", "loss", "0.1.1",
      "A session without a ledger accepts tables of different units for one budget.",
      "Add up the losses of each unit separately: the history of the session shows none.",
      # Sessions without a ledger write no receipts.
      function(plan, receipt) FALSE
    ),
    new_advisory(
      "PSIL-2026-4", "loss", "0.1.1",
      "Tables of SQLite, DuckDB and Spark that are altered or replaced after `dp_tbl()` are read.",
      "Check that the table did not change between `dp_tbl()` and `release()`.",
      function(plan, receipt) {
        if (ran_in(receipt, c("SQLite", "DuckDB", "Spark"))) NA else FALSE
      }
    ),
    new_advisory(
      "PSIL-2026-5", "loss", NA_character_,
      "A ledger for people that was created before 0.1.1 accepts statistics, which protect a row.",
      "Use statistics only if each person has one row, or create a ledger with `dp_unit()`.",
      function(plan, receipt) {
        if (is.list(receipt$unit) || names_rows(receipt$unit)) FALSE else is_no_statistic(plan)
      }
    ),
    new_advisory(
      "PSIL-2026-6", "secret", "0.1.1",
      "Saved ledgers, sessions, tables, queries and plans hold the private key of the curator.",
      "Replace the key, and delete saved objects, if anyone else can read them.",
      function(plan, receipt) if (identical(receipt$signature, "")) FALSE else NA
    ),
    new_advisory(
      "PSIL-2026-7", "secret", "0.1.1",
      "A saved regression with `bounds()` holds the variables around its formula.",
      "Delete saved objects with such a regression if anyone else can read them.",
      function(plan, receipt) if (finds_bounds_of_formula(plan)) NA else FALSE
    ),
    new_advisory(
      "PSIL-2026-8", "loss", "0.1.1",
      "`make_randomized_response_bitvec()` does not check `max_weight` of its input.",
      "Check that no input had more bits set than `max_weight`, or release again.",
      function(plan, receipt) {
        if (grepl("make_randomized_response_bitvec", receipt$plan, fixed = TRUE)) NA else FALSE
      }
    ),
    new_advisory(
      "PSIL-2026-9", "secret", "0.1.1",
      "Through package RPostgreSQL a failed release prints an error that can quote a private cell.",
      "Use package RPostgres, and delete logs of failed releases if anyone else can read them.",
      function(plan, receipt) if (ran_in(receipt, "PostgreSQL")) NA else FALSE
    ),
    new_advisory(
      "PSIL-2026-10", "loss", "0.1.1",
      "Streamed ids of PostgreSQL's type `numeric` are one person if they round to one double.",
      "Check that the ids have at most 15 digits.",
      function(plan, receipt) {
        of_people <- ran_in(receipt, "PostgreSQL") && !names_rows(receipt$unit)
        if (of_people) NA else FALSE
      }
    )
  )
}
