# A loss in words. Sources: NIST SP 800-226 (2025), section 2.2; Wood et al. (2018), Differential
# Privacy: A Primer for a Non-technical Audience.

# An even chance that a reader gives to a statement about a unit grows to at most
# e^epsilon / (1 + e^epsilon) by the release. A loss in rho has this bound up to a probability.
delta_of_words <- 1e-6
large_delta <- 1e-3

loss_in_words <- function(loss) {
  amount <- amount_of(loss)
  delta <- loss$delta
  if (measure_name(loss) == "rho") {
    delta <- delta + delta_of_words
    amount <- core_closed_form_cdp_epsilon(amount, delta_of_words)
  }
  c(
    paste0("a reader's even chance about one unit grows from 50% to at most ",
      chance_in_words(amount), if (delta > 0) paste0(", ", exception_in_words(delta))
    ),
    if (delta > large_delta) "the probability of that exception is large"
  )
}

# Rounded up, so it is never shown as less than it is. 1 - p keeps its digits for large losses.
chance_in_words <- function(epsilon) {
  rest <- 100 * stats::plogis(-epsilon)
  if (rest > 0.1) paste0(show_loss(100 * stats::plogis(epsilon), 3), "%") else "100%"
}

exception_in_words <- function(delta) {
  people <- format(floor(1 / delta), big.mark = ",", scientific = FALSE)
  paste0("except with probability ", show_loss(delta, 2), ", for one unit in ", people)
}
