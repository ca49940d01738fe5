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

# Checks whether an advisory affects a plan, a receipt or a ledger ---------------------------------

any_step <- function(plan, meets) {
  if (is.null(plan)) {
    return(NA)
  }
  any(vapply(planned_members(plan), function(member) {
    form <- if (inherits(member, "dp_planned_query")) unclass(member)$query
    any(vapply(form$steps, function(step) meets(step, form), NA))
  }, NA))
}

joins_minus_zero <- function(step, form) {
  keys <- Filter(function(column) column$name %in% step$public, step$table$columns)
  any(vapply(keys, function(column) {
    zeros <- Filter(function(x) !is.na(x) && x == 0, as.list(column$values))
    length(unique(vapply(zeros, function(x) 1 / as.double(x), 0))) > 1
  }, NA))
}

# Tables with the same lengths cannot differ by one added or removed row or person.
fixes_lengths <- function(step, form) {
  unit <- form$source$unit
  identical(step$step, "margin") && isTRUE(step$lengths) && unit$count == 1 &&
    unit$kind %in% c("rows", "id")
}

# A ledger's unit is any text, so one that names no row may mean a person with one row.
names_rows <- function(unit) {
  if (is.list(unit)) {
    return(identical(unit$what, "rows"))
  }
  is_string(unit) && grepl("^(one |1 )?(replaced )?row$", unit)
}

is_no_statistic <- function(plan) {
  if (is.null(plan) || is_statistic(plan)) NA else FALSE
}

finds_bounds_of_formula <- function(plan) {
  if (is.null(plan)) {
    return(TRUE)
  }
  args <- if (is_statistic(plan)) plan_of(plan)$args
  rng <- args$rng
  !is.null(args$formula) && is.list(rng) && any(vapply(rng, is.list, NA))
}

# Sharded tables name all of their engines.
ran_in <- function(receipt, engines) {
  is_string(receipt$engine) && any(strsplit(receipt$engine, ", ", fixed = TRUE)[[1]] %in% engines)
}

# Returns NULL if the text names no version of this package.
version_in <- function(package) {
  if (is_string(package) && grepl("^PSIlence [0-9]+([.-][0-9]+)+$", package)) {
    numeric_version(sub("^PSIlence ", "", package))
  }
}

has_fault <- function(advisory, version) {
  version >= advisory$since && (is.na(advisory$fixed) || version < advisory$fixed)
}

# list(met, open): identifiers of the advisories that affect a release, or may affect it. Most are
# decided without the plan, which is built only if an advisory needs it.
advisories_of <- function(receipt, object = object_of_plan(receipt)) {
  version <- version_in(receipt$package)
  known <- Filter(function(one) has_fault(one, version), advisories())
  affects <- vapply(known, function(one) {
    or_else(one$affects(object, receipt), function(error) NA)
  }, NA)
  ids <- vapply(known, `[[`, "", "id")
  list(met = ids[affects %in% TRUE], open = ids[is.na(affects)])
}

verified_advisories <- function(receipt, object) {
  version <- version_in(receipt$package)
  if (is.null(version)) {
    return(unmade("the receipt names no version of PSIlence"))
  }
  found <- advisories_of(receipt, object)
  made_by <- paste0("PSIlence ", version)
  if (length(found$met) > 0) {
    failed(paste0(made_by, " has ", toString(found$met), ", see dp_advisories()"))
  } else if (length(found$open) > 0) {
    unmade(paste0("the plan cannot rule out ", toString(found$open), ", see dp_advisories()"))
  } else {
    passed(paste0("no known fault of ", made_by, " meets the plan"))
  }
}

# Checks a whole ledger. Stored releases have `receipts`. A charge without a receipt can only be
# judged by its version.
ledger_advisories <- function(ledger, receipts) {
  named <- Filter(function(receipt) !is.null(version_in(receipt$package)), receipts)
  found <- lapply(named, function(receipt) advisories_of(receipt))
  ids <- function(which) sort(unique(unlist(lapply(found, `[[`, which))))
  count <- function(which) sum(lengths(lapply(found, `[[`, which)) > 0)
  alone <- charges_without(ledger, receipts)
  if (length(ids("met")) > 0) {
    failed(paste0(count("met"), " stored releases have ", toString(ids("met")),
      ", see dp_advisories()"))
  } else if (length(ids("open")) > 0) {
    unmade(paste0(count("open"), " stored releases may have ", toString(ids("open")),
      ", see dp_advisories()"))
  } else if (alone > 0) {
    unmade(paste(alone, "charges of versions with known faults have no receipt, see",
      "dp_advisories()"))
  } else {
    passed("no known fault meets a stored release")
  }
}

charges_without <- function(ledger, receipts) {
  records <- budget_of(ledger)$records()
  charges <- records$record[records$kind %in% c("charge", "allocate")]
  described <- vapply(receipts, function(receipt) as.double(receipt$ledger$charge_seq), 0)
  sum(vapply(setdiff(charges, described), function(seq) {
    version <- version_in(core_ledger_record(ledger_handle(ledger), seq)$package)
    is.null(version) || any(vapply(advisories(), is_mended_after, NA, version))
  }, NA))
}

is_mended_after <- function(advisory, version) {
  !is.na(advisory$fixed) && has_fault(advisory, version)
}
