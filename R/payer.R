# Who pays while code runs within with_ledger(): whatever releases asks here first.

# The ledger that pays for what runs now, if any: list(ledger, version, reuse), and whether what
# runs was paid.
payer <- new.env(parent = emptyenv())

# Runs what was paid for, in which measurements may be called.
with_payment <- function(code) {
  former <- payer$account
  on.exit(payer$account <- former)
  payer$account <- NULL
  code
}

# Called before a measurement reads data.
check_paid <- function() {
  if (!is.null(payer$account)) {
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
