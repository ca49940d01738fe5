# The account that a release charges if its call does not set `on`. Only with_ledger() sets it.

default_account <- new.env(parent = emptyenv())

# With NULL, direct calls of measurements are allowed, because their releases were charged.
with_default_account <- function(account, code) {
  former <- default_account$account
  on.exit(default_account$account <- former)
  default_account$account <- account
  code
}

# Called before a directly called measurement reads data.
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
