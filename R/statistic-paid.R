# Statistics that a ledger pays for.

# What a statistic releases: list(value, reused, receipt), the last two NULL if no ledger pays.
release_paid <- function(plan, data) {
  account <- payer$account
  ready <- function() if (!is.null(plan$progress)) plan$progress$ready()
  if (is.null(account)) {
    ready()
    return(list(value = release_statistic(plan, data)))
  }
  check_unit_of_release(account, dp_unit(changes = protected_rows), paste0(plan$about$name, "()"))
  loss <- list(plan$fields$measurement, protected_rows)
  shown <- function(value) suppressWarnings(described_result(plan, value))$release %||% value
  released_on(account, plan$about$plan, loss, function() release_statistic(plan, data), shown,
    ready = ready
  )
}

with_payment_noted <- function(result, released) {
  attr(result, "reused") <- released$reused
  attr(result, "receipt") <- released$receipt
  result
}
