# Releases claim a charge, so that a plan is charged only once whatever happens. The core decides
# what a claim receives, and src/core/ledger/claims.h says why that is private.

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
