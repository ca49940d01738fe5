# What is charged if a release does not say `on`. with_ledger() sets it, and nothing else does.

default_account <- new.env(parent = emptyenv())

# With NULL, measurements may be called: what they release was charged.
with_default_account <- function(account, code) {
  former <- default_account$account
  on.exit(default_account$account <- former)
  default_account$account <- account
  code
}

# Called before a measurement that is called directly reads data.
check_uncharged <- function() {
  if (!is.null(default_account$account)) {
    stop_dp(
      paste(
        "a measurement that is called within `with_ledger()` must be charged: make a function of",
        "it with `charge(measurement, ledger, d_in)`."
      ),
      "ledger",
      call = NULL
    )
  }
}
