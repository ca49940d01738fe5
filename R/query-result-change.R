# Postprocessing of releases. The footer states each change.

# Sets negative counts to 0, or rounds by the noise.
changed_released <- function(released, nonnegative, digits) {
  if (nonnegative) released <- without_negative_counts(released)
  if (!is.null(digits)) released <- rounded_by_noise(released)
  released
}

check_changes <- function(query, nonnegative, digits, call) {
  check_flag(nonnegative, call = call)
  what <- if (inherits(query, "dp_model_query")) "a model" else "tables"
  if (inherits(query, c("dp_model_query", "dp_tables_query"))) {
    if (nonnegative) stop_argument(paste("FALSE for", what), "TRUE", "nonnegative", call)
    if (!is.null(digits)) {
      stop_argument(paste("left out for", what), describe(digits), "digits", call)
    }
  }
  if (!is.null(digits) && !identical(digits, "noise")) {
    stop_argument("\"noise\" or left out", describe(digits), "digits", call)
  }
}

without_negative_counts <- function(released) {
  about <- about_released(released)
  kind <- about$preview$aggregate[match(about$tidy$column, about$preview$column)]
  counts <- makes_counts(kind)
  numbers <- c("estimate", "conf.low", "conf.high")
  about$tidy[counts, numbers] <- lapply(about$tidy[counts, numbers], pmax, 0)
  with_changed(released, about, "counts below 0 were set to 0")
}

rounded_by_noise <- function(released) {
  about <- about_released(released)
  tidy <- about$tidy
  places <- decimals_of_noise(tidy)
  rounded <- !is.na(places) & !tidy$column %in% about$dates
  numbers <- c("estimate", "conf.low", "conf.high")
  tidy[rounded, numbers] <- lapply(tidy[rounded, numbers], round, places[rounded])
  about$tidy <- tidy
  with_changed(released, about, rounded_sentence)
}

rounded_sentence <- "rounded to the first digit of half of the interval"

# Decimal places up to the first digit of half the interval. Negative places are tens, hundreds and
# so on. NA without noise.
decimals_of_noise <- function(tidy) {
  half <- (tidy$conf.high - tidy$conf.low) / 2
  known <- is.finite(half) & half > 0
  places <- rep(NA_real_, length(half))
  places[known] <- -floor(log10(half[known]))
  places
}

with_changed <- function(released, about, sentence) {
  about$changed <- c(about$changed, sentence)
  class <- class(released)
  table <- unreleased(released)
  for (name in setdiff(about$terms, about$dates)) {
    estimates <- about$tidy$estimate[about$tidy$column == name]
    table[[name]] <- if (is.list(table[[name]])) {
      new_values(utils::relist(estimates, unclass(table[[name]])))
    } else {
      estimates
    }
  }
  structure(table, released = about, class = class)
}
