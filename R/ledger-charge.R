#' Charge releases to a ledger
#'
#' `with_ledger()` charges the ledger for everything that `code` releases. Each statistic, such as
#' [dpMean()], is charged by its `$release()`, before it reads data. `charge()` wraps a framework
#' measurement, which does not know its distance between neighbouring datasets: the result charges
#' the ledger for distance `d_in`, then releases. If `code` calls a measurement directly, it raises
#' an error, so no release is left out.
#'
#' A release is stored beside its charge. The same plan for the same version of the data returns it
#' again, free, because the release is public already. So a report that you knit twice costs once.
#' With `reuse = FALSE`, the ledger is charged again and new noise is drawn. [plan_hash()] decides
#' whether two plans are the same, from public arguments only. It does not look at the data. If a
#' ledger covers several tables, give each a name, with `table =` or [dp_tbl()]: a stored release is
#' returned only for the table of that name. If you release other data under the same version and
#' name, you get the release of the former data.
#'
#' @param ledger A ledger ([dp_ledger()]) or a session ([dp_session()]).
#' @param code Code to run.
#' @param measurement (`measurement`) Measurement to charge.
#' @param d_in Distance between neighbouring datasets for the unit of the ledger, as
#'   `measurement(d_in = )` takes it.
#' @param version (`character(1)`) Version of the data. `NULL` means the newest of the ledger.
#' @param reuse (`logical(1)`) Whether to return a stored release. `NULL` means `TRUE` on a ledger
#'   and `FALSE` in a session.
#' @param promise (`character(1)`) Why the release protects the unit of the ledger, if the
#'   measurement does not say so, such as `"one row per patient"`. You promise it. Record and
#'   receipt hold it. `NULL` promises nothing. Public.
#' @param table (`character(1)`) The curator's name of the table in `data`, of at most 200 bytes.
#'   The ledger records it, and finds stored releases by it. With `NULL` the table has no name, and
#'   all tables without a name share their stored releases. A query has the name of its table.
#'   Public.
#' @returns `with_ledger()` returns the value of `code`. `charge()` returns a function of one
#'   argument, the data, that returns the release. If a statistic returned a stored result, it has
#'   the attribute `reused`, the number of the record that was charged for it.
#' @section Unit: A statistic protects one replaced row, `dp_unit(changes = 1)`. A measurement
#'   protects `d_in` rows, `dp_unit(rows = d_in)`, if its input metric is [symmetric_distance()] or
#'   [insert_delete_distance()], and `dp_unit(changes = d_in)` if it is [change_one_distance()] or
#'   [hamming_distance()]. Other metrics have no unit. If the unit of the ledger does not follow
#'   from the unit of the release (see [dp_unit()]), the release raises an error. With `promise`, a
#'   replaced person counts as one replaced row, so `d_in` of a symmetric distance must be 2. No
#'   promise hides whether a person is there: the unit of the ledger must have the relation
#'   `"replace"`.
#' @section Privacy: The charge is the privacy map of the measurement. It is made before the data
#'   are read, does not depend on them, and stays if the release fails. Types, names and a
#'   public number of rows are checked before the charge, so mistakes in `data` cost nothing.
#' @section Crashes: A release is charged, reads the data, records a mark, then draws noise. If its
#'   process dies before the mark, the next call for the same plan and version continues under the
#'   same charge, at most twice. If the process dies after the mark, noise may have been drawn.
#'   The next call then returns the release if it was stored, and otherwise costs again. So each
#'   charge has at most one draw, and a process that is killed because of its draw reveals no more.
#'   An interrupt counts as a crash, and an error ends the charge. `reuse = FALSE` never continues
#'   another call.
#'
#'   If several processes release the same plan at the same time, one is charged. The others wait
#'   for its answer and return it. A session without a ledger exists in only one process.
#'
#'   The guarantee does not cover a crash that depends on the data, such as a full memory: the crash
#'   is then an answer without noise.
#' @section Other processes: `with_ledger()` holds in the R process that calls it, and in its forks.
#'   It does not charge releases on other workers, such as workers of `parallel::makePSOCKcluster()`
#'   or `future::multisession`: a worker does not know the ledger. Open the ledger there, as in
#'   `m$release(data, on = dp_ledger(where))`. All processes then spend one budget. The workers of
#'   [dpSampleAndAggregate()] run only your function. Its release is charged here.
#' @section Errors: Before anything is spent: `dp_error_budget` if the release costs more than the
#'   ledger has left, or has a different privacy measure. `dp_error_unit` if the release protects a
#'   different unit, or if the ledger cannot take the promise. `dp_error_ledger` for an unknown
#'   version, a changed stored release, or a measurement that is called without `charge()`. If a
#'   release cannot be stored, it is returned with a warning of class `dp_warning_store`, even with
#'   `options(warn = 2)`. A handler that jumps finds the release in the field `release` of the
#'   condition.
#' @examples
#' enable_features("contrib")
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(rows = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' noisy_count <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_count() |>
#'   then_laplace(scale = 4)
#' count_rows <- charge(noisy_count, ledger, d_in = 1L)
#' count_rows(PUMS5extract10000$income)
#' count_rows(PUMS5extract10000$income) # the same, and free
#' dp_spent(ledger)
#' @name with_ledger
NULL

#' @rdname with_ledger
#' @export
with_ledger <- function(ledger, code, version = NULL, reuse = NULL, promise = NULL, table = NULL) {
  account <- new_account(ledger, version, reuse, promise, table, environment(), "ledger")
  with_default_account(account, code)
}

#' @rdname with_ledger
#' @export
charge <- function(measurement, ledger, d_in, version = NULL, reuse = NULL, promise = NULL,
                   table = NULL) {
  call <- environment()
  check_class(measurement, "measurement")
  account <- new_account(ledger, version, reuse, promise, table, call, "ledger")
  if (is.null(plan_hash(measurement))) {
    stop_argument("a measurement with a plan", "one that holds a state", "measurement", call)
  }
  # Reject now if it cannot be charged.
  claim_on(at_distance(measurement, d_in), account)
  last <- NULL
  release <- function(data, ...) {
    check_names(...)
    force(data)
    keep <- function(drawn, ...) last <<- drawn
    release_on(at_distance(measurement, d_in), data, account, keep, environment())
  }
  structure(release, class = "dp_charged")
}

# The target that releases are charged to: a budget, with the caller's choices.
new_account <- function(on, version, reuse, promise, table, call, arg = "on") {
  if (!inherits(on, c("dp_session", "dp_ledger"))) {
    stop_argument("a session or a ledger", describe(on), arg, call)
  }
  if (inherits(on, "dp_ledger")) check_takes_charges(on, call)
  check_string(version, null = TRUE, call = call)
  check_flag(reuse, null = TRUE, call = call)
  budget <- budget_of(on)
  list(
    on = on, budget = budget, version = budget$version(version, call),
    reuse = reuse %||% budget$reuses, promise = check_promise(promise, budget$protection, call),
    table = check_name_of_table(table, call = call)
  )
}

# The account for `on`, or the default of with_ledger(). NULL if there is neither.
account_for <- function(on, version, reuse, promise, table, call) {
  if (!is.null(on)) {
    return(new_account(on, version, reuse, promise, table, call))
  }
  given <- list(version = version, reuse = reuse, promise = promise, table = table)
  default <- default_account$account
  if (is.null(default)) {
    for (name in names(Filter(Negate(is.null), given))) {
      stop_argument("left out without `on`", "given", name, call)
    }
    return(NULL)
  }
  if (all(lengths(given) == 0)) {
    return(default)
  }
  new_account(default$on, version %||% default$version, reuse %||% default$reuse,
    promise %||% default$promise, table %||% default$table, call
  )
}

#' @export
format.dp_charged <- function(x, ...) {
  account <- environment(x)$account
  if (inherits(account$on, "dp_session")) {
    return(c("Measurement that is charged to a session", paste0("  ", format(account$on))))
  }
  place <- describe_place(account$on$where)
  c(
    "Measurement that is charged to a ledger",
    paste0("  ", format(place[[1]], width = 9), place[[2]])
  )
}

#' @export
print.dp_charged <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# Releases claim a charge, so that a plan is charged only once whatever happens --------------------

# The core decides what a claim receives, and src/core/ledger/claims.h says why that is private.

# The ledger's answer to a claim once no other process runs its charge, see core_ledger_claim().
# `claim` comes from claim_on(), possibly with a key that identifies the call.
claim_charge <- function(ledger, claim) {
  repeat {
    charged <- core_ledger_claim(
      ledger_handle(ledger), claim$plan, claim$loss, claim$version, this_user(), this_package(),
      claim$promise %||% "", claim$what %||% "", claim$table %||% "", claim$key %||% "", claim$reuse
    )
    if (charged$what != "running") break
    wait_for_run(ledger, charged$seq)
  }
  refuse_claim(charged)
}

# Wait half a second at a time, so that the user can interrupt.
wait_for_run <- function(ledger, charge) {
  while (!core_ledger_wait(ledger_handle(ledger), charge, 500L)) NULL
}

refuse_claim <- function(charged) {
  if (charged$what == "other") {
    stop_dp("another plan, loss or version was released with this key. Use a new key.",
      "key_reused",
      call = NULL
    )
  }
  if (charged$what == "failed") {
    stop_dp("this release failed. To release it again costs again: use a new key.", "ledger",
      call = NULL
    )
  }
  charged
}

# Releases with `act(mark)` under a charge and stores the result, or returns what another process
# stored meanwhile. `mark()` records that noise follows: `act` calls it after it has read the data,
# before it draws.
claimed_release <- function(ledger, charged, act) {
  if (charged$what == "stored") {
    return(stored_meanwhile(ledger, charged))
  }
  # Register this before anything that may jump: other processes wait for the end.
  on.exit(core_ledger_end_run(charged$run))
  tell_witness(ledger, dp_ledger_head(ledger))
  run_claimed(ledger, charged, act)
}

stored_meanwhile <- function(ledger, charged) {
  cost <- list(charge = charged$seq, hash = charged$hash, file = charged$file)
  stored <- stored_release(ledger, cost)
  if (is.null(stored)) {
    stop_dp("`{charged$file}` was deleted meanwhile. Release again, at a cost.", "ledger",
      call = NULL
    )
  }
  say_reused(charged$seq)
  c(stored, list(reused = charged$seq))
}

# An error ends the charge. An interrupt or a time limit before the mark leaves the charge open, and
# the next call continues it.
run_claimed <- function(ledger, charged, act) {
  is_marked <- FALSE
  mark <- function() {
    if (is_marked) {
      return()
    }
    # Outside the call that follows, which must not look at it.
    marked <- core_ledger_mark(ledger_handle(ledger), charged$run)
    is_marked <<- TRUE
    tell_witness(ledger, marked$head)
  }
  or_else(
    {
      value <- act(mark)
      if (!is_marked) stop_dp("noise was drawn without a mark.", "ledger", call = NULL)
      value
    },
    function(error) {
      cleaned_up(core_ledger_fail(ledger_handle(ledger), charged$run))
      raise_again(error)
    }
  )
}

# Evaluates `code`, which runs a measurement that reads data first, and calls `mark` in between.
marked_by_core <- function(mark, code) {
  core_before_noise(mark)
  on.exit(core_before_noise(NULL))
  code
}
