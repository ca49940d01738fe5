# Checks whether an advisory affects a plan, a receipt or a ledger.

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
