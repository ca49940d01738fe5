# Divides the loss of a batch among its queries.

# Prices the queries of a batch, see query_with_cost().
batch_with_cost <- function(batch, asked, alpha, call) {
  price <- if (batch$accountant == "pld") pld_batch_with_cost else additive_batch_with_cost
  given <- list(asked = asked, alpha = alpha, accountant = batch$accountant)
  structure(c(price(batch, asked, alpha, call), given), class = "dp_prepared_batch")
}

# The share of one query. Rounding down keeps the sum of all shares within the loss.
share_of <- function(loss, share, needs_delta) {
  part <- function(amount, share) signif_down(amount * share)
  new_loss(
    measure_name(loss), part(amount_of(loss), share),
    if (needs_delta > 0) part(loss$delta, needs_delta) else 0
  )
}

# Rounds down to twelve digits, which exceeds the rounding error of the product a thousandfold.
signif_down <- function(x) {
  if (x == 0) {
    return(0)
  }
  unit <- 10^(floor(log10(x)) - 11)
  floor(x / unit) * unit
}

# Only queries with private keys need a delta, so they share it.
delta_shares <- function(plan) {
  private <- vapply(plan$queries, function(query) pays_for_keys(query$keys), NA)
  private * plan$weights / max(sum(private * plan$weights), 1e-300)
}

additive_batch_with_cost <- function(plan, asked, alpha, call) {
  losses <- member_losses(plan, asked, 1)
  if (!fit_within(losses, asked)) losses <- member_losses(plan, asked, 1 - 1e-9)
  members <- Map(function(query, loss) {
    query_with_cost(query, loss, alpha, call)
  }, plan$queries, losses)
  needs_delta <- any(vapply(losses, function(loss) loss$delta > 0, NA))
  most <- new_like(asked, list(amount_of(asked), delta = if (needs_delta) asked$delta else 0))
  list(members = members, loss = list(lapply(unname(members), release_loss), loss_in_doubles(most)))
}

# The loss of each query if the batch asks for `factor` times its loss.
member_losses <- function(plan, asked, factor) {
  if (length(plan$queries) == 1 && factor == 1) {
    return(list(asked))
  }
  Map(function(share, delta) share_of(asked, share * factor, delta * factor),
    plan$weights / sum(plan$weights), delta_shares(plan)
  )
}

# Whether the exact decimal sum of the losses is at most `asked`.
fit_within <- function(losses, asked) {
  account <- core_new_account(amount_of(asked), asked$delta)
  measure <- measure_of_loss(asked)
  all(vapply(losses, function(loss) {
    map <- new_like(loss, within_asked(loss))
    !is.null(core_account_charge(account, measure, loss_for_core(map, loss)))
  }, NA))
}

pld_batch_with_cost <- function(plan, asked, alpha, call) {
  if (asked$delta == 0) {
    stop_query("budget", "`accountant = \"pld\"` needs a `delta` above 0.",
      "Give `delta`, such as `delta = 1e-8`.", call
    )
  }
  target <- within_asked(asked)
  d_in <- mapped_unit(unit_of(plan$queries[[1]]))$count
  prepared_with <- function(factor) {
    # Half of the delta is for keys, the other half for the composition.
    losses <- member_losses(plan, new_like(asked, list(
      amount_of(asked) * factor, delta = asked$delta / 2
    )), 1 - 1e-9)
    Map(function(query, loss) query_with_cost(query, loss, alpha, call), plan$queries, losses)
  }
  epsilon_with <- function(members) {
    profile <- tryCatch(
      compose_pld(unname(lapply(members, `[[`, "measurement")), d_in = d_in),
      dp_error = function(error) {
        stop_query("unsupported", "The loss of a query has no known distribution.",
          "Use `accountant = \"additive\"`.", call
        )
      }
    )
    profile$epsilon(target$delta)
  }
  members <- prepared_with(1)
  # Factor 1 always fits, because the losses then add up to less than `asked`. Larger factors are
  # tried.
  low <- 1
  high <- length(plan$queries)
  for (i in seq_len(20)) {
    middle <- (low + high) / 2
    tried <- prepared_with(middle)
    if (epsilon_with(tried) <= target[[1]]) {
      low <- middle
      members <- tried
    } else {
      high <- middle
    }
  }
  # With factor 1, the composition loses at most the sum of the losses.
  map <- new_like(asked, list(min(epsilon_with(members), target[[1]]), delta = target$delta))
  list(members = members, loss = loss_for_core(map, asked))
}
