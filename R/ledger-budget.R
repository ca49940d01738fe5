# A ledger as a budget: charges, versions and print.

# nolint start: object_name_linter. Methods, of generics that the linter does not see.
#' @exportS3Method
budget_of.dp_ledger <- function(x) {
  state <- state_of(x)
  list(
    total = new_loss(names(state$total)[[1]], state$total[[1]], state$total[[2]]),
    protection = new_protection(unit_of_ledger(state), takes_more = TRUE), reuses = TRUE,
    version = function(version, call) known_version(version, x, call),
    cost = function(claim) {
      core_ledger_price(
        ledger_handle(x), claim$plan, claim$loss, claim$version, claim$table %||% ""
      )
    },
    stored = function(claim) {
      stored <- stored_release(x, claim$cost)
      if (is.null(stored)) {
        return(NULL)
      }
      warn_of_other_table(state$id, claim$cost$charge, claim)
      c(stored, list(reused = claim$cost$charge))
    },
    receipt = function(claim) receipt_parts(x, claim),
    charge = function(claim) {
      # Budget that is allocated to a session has no release, so it has no claim.
      is_release <- !is.null(claim$reuse)
      tryCatch(if (is_release) claim_charge(x, claim) else charge_ledger(x, claim),
        dp_error_budget = function(error) NULL
      )
    },
    run = function(charged, act) claimed_release(x, charged, act),
    keep = function(claim, charged, value, parts, shown) {
      noted_origin(state$id, charged$seq, claim)
      kept_release(x, charged, value, parts, shown)
    },
    spent = function() state_of(x)$spent,
    remaining = function() state_of(x)$left,
    records = function() as.data.frame(core_ledger_history(ledger_handle(x)))
  )
}
# nolint end

# Records a charge, and tells the witness: list(head, seq, time).
charge_ledger <- function(ledger, claim) {
  charged <- core_ledger_charge(
    ledger_handle(ledger), claim$plan, claim$loss, claim$version, this_user(), this_package(),
    claim$promise %||% "", claim$what %||% "", claim$table %||% ""
  )
  tell_witness(ledger, charged$head)
  charged
}

# The requested version, or the newest.
known_version <- function(version, ledger, call) {
  known <- state_of(ledger)$versions
  if (is.null(version)) {
    return(known[[length(known)]])
  }
  if (!version %in% known) {
    stop_with_hint("ledger", paste0("`version` ", name_public(version), " is not in this ledger."),
      paste0(
        "The curator adds it with `dp_new_version(ledger, ", name_public(version),
        "). The budget stays the same."
      ), call
    )
  }
  version
}

show_budget <- function(loss) format(new_loss(names(loss)[[1]], loss[[1]], loss[[2]]))

#' @rdname dp_ledger
#' @export
format.dp_ledger <- function(x, ...) {
  if (core_is_null(x$handle)) {
    return(c("Ledger that was saved and loaded", paste0("  ", reopening(x))))
  }
  state <- state_of(x)
  # The ledger can be a stranger's.
  printable(c(
    paste0("Ledger of \"", state$dataset, "\", protects ", protected_in_words(state)),
    paste0("  total    ", show_budget(state$total)),
    paste0("  spent    ", show_budget(state$spent)),
    paste0("  left     ", show_budget(state$left)),
    paste0("  version  ", state$versions[[length(state$versions)]]),
    if (nzchar(state$promise)) paste0("  promise  ", state$promise),
    paste0("  records  ", state$records, if (state$is_signed) {
      ", signed"
    } else if (state$has_key) {
      ", with a key"
    }),
    paste0("  ", format(describe_place(x$where)[[1]], width = 9), describe_place(x$where)[[2]]),
    if (is_to_read(x)) "  opened with the public key, for reading only",
    if (!is.null(state$moved_to)) paste0("  moved to ", state$moved_to, ": open it there")
  ))
}

protected_in_words <- function(state) {
  unit <- unit_of_ledger(state)
  paste0(unit_words(unit), if (!inherits(unit, "dp_unit")) " (relation not declared)")
}

#' @rdname dp_ledger
#' @export
print.dp_ledger <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
