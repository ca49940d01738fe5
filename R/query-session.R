#' Share one budget between all queries of a dataset
#'
#' A session holds a budget and the amount spent. Tables belong to a session ([dp_tbl()]), and every
#' release about them is charged to it. You can choose queries and losses after you see earlier
#' releases. A release that costs more than is left raises an error before it reads data. It spends
#' nothing, and you can go on with the session.
#'
#' @param loss (`dp_loss`) The budget, see [dp_epsilon()] and [dp_zcdp()]. Public.
#' @param ledger ([dp_ledger()]) Keeps the budget in a file. Give either `loss` or `ledger`.
#' @param x (`dp_session`)
#' @param ... Not used.
#' @returns (`dp_session`) [dp_spent()], [dp_remaining()] and [dp_history()] report its state.
#' @details
#' Losses add up exactly, in the decimals that you write: five releases of 0.2 fill a budget of 1. A
#' session charges a release before it reads data. The charge stays even if the release fails.
#'
#' `dp_allocate()` charges `loss` at once and returns a session that can spend it, for example for a
#' colleague, a chapter or an app. The rest does not come back, except from a ledger
#' ([dp_take_back()]).
#'
#' A session lives in the process that made it. Saved copies and copies in a fork are stale and
#' spend nothing. A second name for a session is not a copy. If the budget must outlast the process,
#' keep a ledger: `dp_session(ledger = )`. A ledger returns a repeated query free, if its loss,
#' `alpha` and version of the data are the same.
#' @section Privacy: All releases of a session together lose at most `loss`, for one
#'   [unit][dp_unit()]: the unit of the ledger, or of the first release. Later tables and releases
#'   must have the same unit, in allocated sessions too. Losses for people and losses for rows do
#'   not add up. Tables that hold the same people share a session.
#' @section Errors: `dp_error_invalid_argument` unless exactly one of `loss` and `ledger` is given.
#'   `dp_error_budget` if you allocate more than is left. `dp_error_unit` if you release for another
#'   unit. `dp_error_stale_object` in another process.
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
    budget <- budget_of(ledger)
    check_takes_charges(ledger, environment())
    return(new_session(budget, ledger))
  }
  if (!inherits(loss, "dp_loss")) {
    stop_with_hint("invalid_argument",
      paste0("`loss` must be a loss, dp_epsilon() or dp_zcdp(), not ", describe(loss), "."),
      if (inherits(loss, "dp_ledger")) {
        "Write `dp_session(ledger = ledger)`."
      } else {
        "Write `dp_session(dp_epsilon(1))`."
      },
      environment(), argument = "loss"
    )
  }
  new_session(new_budget(loss))
}

new_session <- function(budget, ledger = NULL) {
  structure(list(loss = budget$total, budget = budget, ledger = ledger), class = "dp_session")
}

# Whether two sessions share one budget: they are identical, or use the same ledger.
is_same_budget <- function(session, other) {
  ledgers <- list(session$ledger, other$ledger)
  if (any(lengths(ledgers) == 0)) {
    return(identical(session$budget, other$budget))
  }
  terms <- lapply(ledgers, function(ledger) c(state_of(ledger)$id, describe_place(ledger$where)))
  identical(terms[[1]], terms[[2]])
}

#' @exportS3Method
budget_of.dp_session <- function(x) x$budget # nolint: object_name_linter.

#' @rdname dp_session
#' @export
dp_allocate.dp_session <- function(x, loss, ...) { # nolint: object_name_linter.
  check_names(...)
  check_class(loss, "dp_loss")
  call <- environment()
  asked <- asked_loss(x, loss$epsilon, loss$rho, loss$delta, call)
  budget <- x$budget
  claim <- list(
    plan = if (is.null(x$ledger)) NA_character_ else core_sha256("dp_allocate()"),
    what = "allocation to a session",
    loss = loss_for_core(new_like(asked, within_asked(asked)), asked),
    version = budget$version(NULL, call)
  )
  claim$cost <- budget$cost(claim)
  if (is.null(budget$charge(claim))) refuse_over_budget(budget, claim, call)
  new_session(new_budget(asked, budget$protection))
}

# Like check_unit_of_release(). A ledger stores the unit as text, so the texts must match.
check_unit_of_table <- function(unit, session, call) {
  protection <- session$budget$protection
  owed <- protection$unit
  fits <- is_protected(unit, protection) && (!is.character(owed) || identical(format(unit), owed))
  if (!fits) {
    stop_other_unit(unit, protection, "the unit", unit_for_table(unit, protection), call)
  }
}

unit_for_table <- function(unit, protection) {
  if (is.null(protection$unit) || !isTRUE(protection$takes_more)) {
    return(way_out(protection))
  }
  unit_for_ledger(unit, protection$unit)
}

check_no_version <- function(version, call) {
  if (!is.null(version)) {
    stop_query("unsupported", "`version` needs a session with a ledger.",
      "`dp_session(ledger = )`.", call
    )
  }
}

#' @rdname dp_session
#' @export
format.dp_session <- function(x, ...) {
  stale <- "from a file or a different process: cannot spend"
  left <- tryCatch(
    paste0(format(left_in(x$budget)), " left"),
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
