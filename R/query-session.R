#' Sessions: one budget for all queries of a dataset
#'
#' A session holds a budget and what was spent of it. Tables belong to a session ([dp_tbl()]), and
#' what is released about them is charged to it, whatever was asked and in whatever order: queries
#' and their losses may depend on earlier releases. A release that costs more than is left is
#' refused before any data are read; nothing is spent then, and the session goes on.
#'
#' @param loss (`dp_loss`) The budget, see [dp_epsilon()] and [dp_zcdp()]. Public.
#' @param ledger ([dp_ledger()]) Keeps the budget in a file. Give either `loss` or `ledger`.
#' @param x (`dp_session`)
#' @param ... Not used.
#' @returns A `dp_session`; [dp_spent()], [dp_remaining()] and [dp_history()] say what became of it.
#' @details
#' Losses add up. Sums are exact, of the decimals that the caller writes: five releases of 0.2 fill
#' a budget of 1. A release is charged before data are read, and stays charged if it fails.
#'
#' `dp_allocate()` charges `loss` at once and returns a session that may spend it: for a colleague,
#' a chapter, an app. What it does not spend does not come back; of a ledger it does, see
#' [dp_take_back()].
#'
#' A session lives in the process that made it. A copy that was saved and loaded, or that a fork
#' has, is stale and spends nothing; assigning it to another name copies nothing. For a budget that
#' outlasts the process, keep a ledger: `dp_session(ledger = )`. There a query that was released
#' before, with the same loss, `alpha` and version of the data, is returned again, for nothing.
#' @section Privacy: All releases of a session together lose at most `loss`, for one
#'   [unit][dp_unit()]: the unit of the ledger, or of the first release. Later tables and releases
#'   must have the same unit, in allocated sessions too. Losses for people and losses for rows do
#'   not add up. Tables that hold the same people share a session.
#' @section Errors: `dp_error_invalid_argument` unless exactly one of `loss` and `ledger` is given;
#'   `dp_error_budget` if you allocate more than is left, or release for another unit;
#'   `dp_error_stale_object` in another process.
#' @template ref-rogers-roth-ullman-vadhan-2016
#' @template ref-whitehouse-ramdas-rogers-wu-2023
#' @examples
#' session <- dp_session(dp_epsilon(1))
#' report <- dp_allocate(session, dp_epsilon(0.4))
#' dp_remaining(session)
#' dp_history(session)
#' @export
dp_session <- function(loss = NULL, ledger = NULL, ...) {
  check_names(..., hints = c(
    epsilon = "Write `dp_session(dp_epsilon(epsilon))`.", rho = "Write `dp_session(dp_zcdp(rho))`.",
    delta = "Write `dp_session(dp_epsilon(epsilon, delta = delta))`."
  ))
  if (is.null(loss) == is.null(ledger)) {
    stop_dp("expected exactly one of loss or ledger", "invalid_argument", argument = "loss")
  }
  if (!is.null(ledger)) {
    return(new_session(budget_of(ledger), ledger))
  }
  if (!inherits(loss, "dp_loss")) {
    stop_argument("a loss, dp_epsilon() or dp_zcdp()", describe(loss), "loss", environment())
  }
  new_session(new_budget(loss))
}

new_session <- function(budget, ledger = NULL) {
  structure(list(loss = budget$total, budget = budget, ledger = ledger), class = "dp_session")
}

#' @exportS3Method
budget_of.dp_session <- function(x) x$budget # nolint: object_name_linter.

# In memory. Amounts are the core's, which knows its process; the list of charges is for reading.
new_budget <- function(total, protection = new_protection()) {
  account <- core_new_account(amount_of(total), total$delta)
  entries <- list()
  list(
    total = total,
    protection = protection,
    charge = function(loss, asked, what, plan, unit) {
      # What is charged is listed, whatever interrupts.
      suspendInterrupts({
        granted <- core_account_charge(
          account, amount_of(loss), loss$delta, amount_of(asked), asked$delta
        )
        if (granted) {
          if (!is.null(unit)) protection$unit <- unit
          record <- length(entries) + 1L
          entries[[record]] <<- new_entry(record, loss, what, plan)
        }
      })
      granted
    },
    spent = function() stats::setNames(core_account_state(account)$spent, names(total)),
    remaining = function() stats::setNames(core_account_state(account)$left, names(total)),
    history = function() {
      none <- new_entry(0L, total, "", "")[0, ]
      with_unit(do.call(rbind, c(list(none), entries)), protection$unit)
    }
  )
}

new_entry <- function(record, loss, what, plan) {
  entry <- list(
    record = record, what = what, amount = amount_of(loss), delta = loss$delta, plan = plan
  )
  names(entry)[[3]] <- currency_of(loss)
  structure(entry, row.names = record, class = "data.frame")
}

#' @rdname dp_session
#' @export
dp_allocate.dp_session <- function(x, loss, ...) { # nolint: object_name_linter.
  check_names(...)
  check_class(loss, "dp_loss")
  asked <- asked_loss(x, loss$epsilon, loss$rho, loss$delta, environment())
  charge_session(x, new_like(asked, within_asked(asked)), asked, "dp_allocate()", "", NULL,
    environment()
  )
  new_session(new_budget(asked, x$budget$protection))
}

new_like <- function(loss, parts) new_loss(currency_of(loss), parts[[1]], parts$delta)

left_in <- function(session) new_like(session$loss, as.list(session$budget$remaining()))

# Charges, or stops with nothing spent. `unit` is NULL for an allocation, whose releases have one.
charge_session <- function(session, loss, asked, what, plan, unit, call) {
  if (!is.null(unit)) check_protected(unit, session, call)
  if (!session$budget$charge(loss, asked, what, plan, unit)) {
    refuse_over_budget(session, loss, asked, call)
  }
}

# Before any data are read, and before anything is spent.
check_protected <- function(unit, session, call) {
  protection <- session$budget$protection
  if (is_protected(unit, protection)) {
    return(invisible())
  }
  of_ledger <- !is.null(session$ledger)
  stop_query(
    if (of_ledger) "unit" else "budget",
    paste0(
      if (of_ledger) "The ledger" else "This session", " protects ",
      unit_words(protection$unit), ", but the unit is ", unit_words(unit), "."
    ),
    if (of_ledger) {
      unit_for_ledger(unit, protection$unit)
    } else {
      "Give tables of another unit a session of their own: losses for two units do not add up."
    },
    call
  )
}

refuse_over_budget <- function(session, loss, asked, call) {
  left <- left_in(session)
  currency <- currency_of(asked)
  short <- if (amount_of(loss) > amount_of(left)) currency else "delta"
  stop_query(
    "budget",
    paste0(
      "This costs ", short, " ", show_loss(loss[[short]], 7), "; ",
      show_number(left[[short]], 7), " is left of ", show_number(session$loss[[short]], 7),
      ". Nothing was spent, no data were read."
    ),
    paste0(
      "`dp_history()` lists what was spent; `dp_preview()` shows the accuracy that ",
      show_number(left[[short]], 7), " buys."
    ),
    call
  )
}

#' @rdname dp_session
#' @export
format.dp_session <- function(x, ...) {
  stale <- "loaded from a file or another process: spends nothing"
  left <- tryCatch(
    paste0(format(left_in(x)), " left"),
    dp_error_stale_object = function(error) stale
  )
  paste0("<dp_session> ", format(x$loss), "; ", left)
}

#' @rdname dp_session
#' @export
print.dp_session <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}
