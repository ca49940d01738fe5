# The budget of a session.

# A budget in memory. The core keeps the amounts and checks the process. The list of charges is only
# for printing.
new_budget <- function(total, protection = new_protection()) {
  account <- core_new_account(amount_of(total), total$delta)
  measure <- measure_of_loss(total)
  entries <- list()
  kept <- list()
  list(
    total = total, protection = protection, reuses = FALSE,
    version = function(version, call) check_no_version(version, call),
    cost = function(claim) {
      cost <- core_price(account, measure, claim$loss)
      # All tables belong to this process, so the addresses of their data identify them.
      cost$key <- paste(c(claim$plan, unlist(cost$loss), claim$origin, claim$table),
        collapse = " "
      )
      cost
    },
    stored = function(claim) kept[[claim$cost$key]],
    receipt = function(claim) list(),
    charge = function(claim) {
      # No interrupt can separate a charge from its record.
      suspendInterrupts({
        charged <- core_account_charge(account, measure, claim$loss)
        if (is.null(charged)) {
          return(NULL)
        }
        if (is.null(protection$unit)) protection$unit <- claim$unit
        record <- length(entries) + 1L
        entries[[record]] <<- new_entry(record, charged, claim)
      })
      list(seq = record)
    },
    # Stops in a process that was forked after the charge, before noise is drawn.
    run = function(charged, act) act(function() core_account_state(account)),
    keep = function(claim, charged, value, parts, shown) {
      # Holding the rows keeps their addresses from being reused.
      kept[[claim$cost$key]] <<- list(value = value, reused = charged$seq, rows = claim$rows)
      NULL
    },
    spent = function() stats::setNames(core_account_state(account)$spent, names(total)),
    remaining = function() stats::setNames(core_account_state(account)$left, names(total)),
    records = function() do.call(rbind, c(list(no_entries()), entries))
  )
}

# One row of the history (budget-history.R). `charged` comes from the core.
new_entry <- function(record, charged, claim) {
  data.frame(
    record = record, time = utc_now(), kind = "charge", what = claim$what, who = this_user(),
    version = NA_character_, charged, plan = claim$plan, promise = claim$promise %||% NA_character_,
    table = claim$table %||% NA_character_
  )
}

no_entries <- function() {
  nothing <- list(inner_text = "0", delta_text = "0", inner = 0, delta = 0, spent = 0)
  new_entry(0, nothing, list(what = "", plan = ""))[0, ]
}
