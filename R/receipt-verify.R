#' @rdname dp_receipt
#' @export
verify_release <- function(x, ledger = NULL, pubkey = NULL, value = NULL) {
  check_class(ledger, "dp_ledger", null = TRUE)
  receipt <- read_receipt(x, environment())
  pubkey <- public_key(pubkey, ledger, environment())
  state <- if (!is.null(ledger)) state_of(ledger)
  object <- object_of_plan(receipt)
  checks <- lapply(list(
    form = function() verified_form(receipt),
    signature = function() verified_signature(receipt, pubkey),
    release = function() verified_hash(receipt, value, object),
    plan = function() verified_plan(receipt, object),
    unit = function() verified_unit(receipt, object),
    facts = function() verified_facts(receipt, object),
    loss = function() verified_loss(receipt, object),
    record = function() verified_record(receipt, ledger, state),
    head = function() verified_head(receipt, ledger),
    advisories = function() verified_advisories(receipt, object)
  ), made_check)
  structure(
    data.frame(
      check = names(checks), result = vapply(checks, `[[`, "", 1),
      detail = vapply(checks, `[[`, "", 2), row.names = NULL
    ),
    class = c("dp_checks", "data.frame")
  )
}

# An untrusted receipt can have any form, so an unexpected error fails the check.
made_check <- function(check) {
  suppressWarnings(or_else(check(), function(error) failed("the receipt is malformed")))
}

passed <- function(detail) c("passed", detail)
failed <- function(detail) c("failed", detail)
unmade <- function(detail) c("not checked", detail)
# A condition that cannot be computed does not hold.
passed_if <- function(holds, yes, no) {
  if (isTRUE(or_else(holds))) passed(yes) else failed(no)
}

# Only a complete table with all digits can prove that it is a different release.
disagreement <- function(value, object, tables) {
  if (is.data.frame(value) && has_row_numbers(value)) value <- value[-1]
  why <- or_else(why_not_comparable(value, object, tables), function(error) "its form is unknown")
  if (is.null(why)) failed("a different release") else unmade(paste0("cannot be compared: ", why))
}

# The release of a statistic, if `value` is its result or the statistic.
released_value <- function(value) {
  if (is_statistic(value)) value <- value$result
  if (inherits(value, "dp_result") && is_of_statistic(value)) value$release else value
}

verified_record <- function(receipt, ledger, state) {
  if (is.null(ledger)) {
    return(unmade("the ledger was not given"))
  }
  if (!isTRUE(or_else(has_charge(ledger, state, receipt)))) {
    return(failed("the ledger has no such charge"))
  }
  stored <- receipt_of_charge(ledger, receipt$ledger$charge_seq)
  if (is.null(stored)) {
    return(unmade("the ledger has this charge, but its stored release is gone"))
  }
  passed_if(identical(unsigned_text(receipt), unsigned_text(stored)),
    "the ledger has this charge and its release", "the ledger stored a different release or receipt"
  )
}

has_charge <- function(ledger, state, receipt) {
  record <- core_ledger_record(ledger_handle(ledger), receipt$ledger$charge_seq)
  identical(state$id, receipt$ledger$id) && identical(record$kind, "charge") &&
    identical(record$plan, receipt$plan_hash) && identical(record$loss, receipt$loss) &&
    identical(record$version, receipt$version) && identical(record$time, receipt$time) &&
    identical(record$promise %||% "", receipt$promise %||% "") &&
    identical(record$table, receipt$table) &&
    identical(state$dataset, receipt$dataset) && identical(state$unit, receipt$unit) &&
    identical(state$measure, receipt$measure)
}

verified_head <- function(receipt, ledger) {
  if (is.null(ledger)) {
    return(unmade("the ledger was not given"))
  }
  passed_if(core_ledger_has(ledger_handle(ledger), receipt$ledger$head),
    "the ledger continues from it", "the ledger lacks it: an older copy, or a different ledger"
  )
}

#' @export
print.dp_checks <- function(x, ...) {
  # The caller can have chosen columns, and the receipt can be a stranger's.
  columns <- lapply(unname(unclass(x)), function(column) format(printable(column)))
  cat(sub(" +$", "", do.call(paste, c(columns, sep = "  "))), sep = "\n")
  invisible(x)
}
