# Tables of people for query tests, and their queries.

# Attaches dplyr's verbs until the test ends, so tests can omit `dplyr::`.
local_verbs <- function(env = parent.frame()) {
  suppressWarnings(withr::local_package("dplyr", warn.conflicts = FALSE, .local_envir = env))
}

# A session with budget for many exact releases.
plenty <- function(measure = "epsilon", delta = 0) {
  dp_session(if (measure == "rho") dp_zcdp(1e24, delta) else dp_epsilon(1e20, delta))
}

# Releases a query with a loss so large that its noise is invisible, and checks that it is. Each
# number differs from the exact result by less than `within` (relative, or absolute below 1), except
# with a chance of 1e-12. The intervals of the release prove it. Quantiles are not checked, because
# their intervals are cells of values. Results of empty groups have no interval.
exact_release <- function(query, within = 1e-9, epsilon = if (is.null(rho)) 1e18, rho = NULL) {
  released <- release(query, epsilon = epsilon, rho = rho, alpha = 1e-12)
  planned <- attr(released, "released")$preview
  quantiles <- planned$column[planned$aggregate == "quantiles"]
  numbers <- generics::tidy(released)
  numbers <- numbers[!sub("[[].*", "", numbers$term) %in% quantiles, ]
  reach <- (numbers$conf.high - numbers$conf.low) / 2 / pmax(abs(numbers$estimate), 1)
  if (any(reach > within, na.rm = TRUE)) {
    stop("The noise of this release is visible: up to ", signif(max(reach, na.rm = TRUE), 2), ".")
  }
  released
}

# Hospital stays: several per patient, in two years and three wards.
hospital <- function(patients = 200) {
  stays <- rep(seq_len(patients), 1 + seq_len(patients) %% 4)
  place <- seq_along(stays)
  data.frame(
    patient = paste0("p", stays),
    ward = c("North", "South", "East")[1 + (stays + place) %% 3],
    days = as.integer(1 + (place * 7) %% 20),
    cost = 100 + (place * 37) %% 4000,
    urgent = place %% 2 == 0,
    admitted = as.Date("2026-01-01") + place %% 300
  )
}

hospital_domain <- function() {
  dp_domain(
    ward = dp_levels("North", "South", "East"), days = dp_int(0, 60), cost = dp_num(0, 5000),
    urgent = dp_flag(), admitted = dp_date(as.Date("2026-01-01"), as.Date("2026-12-31"))
  )
}

stays_in <- function(session, data = hospital(), unit = dp_unit(id = patient),
                     domain = hospital_domain()) {
  dp_tbl(session, data, unit, domain)
}

# A table to plan with, of one row per person, without data.
people_to_plan <- function(session = dp_session(dp_epsilon(1)), ...) {
  dp_tbl(session, NULL, unit = dp_unit(rows = 1), domain = dp_domain(
    age = dp_int(0, 120), region = dp_levels("North", "South"), name = dp_text(), ...
  ))
}

steps_of_table <- function(x) tbl_data(x)$steps

last_step <- function(x) utils::tail(steps_of_table(x), 1)[[1]]

predicate <- function(...) last_step(dplyr::filter(people_to_plan(), ...))$predicate

value_of_column <- function(...) last_step(dplyr::mutate(people_to_plan(), ...))$value

# Exact result of a release with a loss so large that noise is far below 1e-6, as a data frame. Tiny
# numbers become 0. Intervals and marks are dropped, because they depend on the noise of numbers
# near 0.
without_noise <- function(released) {
  data <- as.data.frame(released)
  attr(data, "released") <- NULL
  numbers <- vapply(data, is.double, NA)
  data[numbers] <- lapply(data[numbers], function(x) replace(x, abs(x) < 1e-6, 0))
  data
}

# A text in JSON with one to three changes at random.
changed_text <- function(text) {
  words <- c("{", "}", "[", "]", ",", ":", "\"", "\\u0000", "null", "true", "1e999", "-1", "0.5",
    "\"op\"", "\"args\":[]", "\"step\":\"filter\"", "{}", "\"Inf\"", "\"type\":\"date\"",
    "99999999999",
    "\"by\":[\"ward\"]", "\"count\"", "\"column\"", "\"%in%\"", "\"cut\"", "\"select\""
  )
  quoted <- gregexpr("\"[^\"]*\"|[0-9.]+|null|true|false", text)[[1]]
  for (i in seq_len(sample(3, 1))) {
    at <- sample(nchar(text), 1)
    size <- sample(c(0, 1, 4, 30), 1)
    new <- sample(words, 1)
    if (stats::runif(1) < 0.7) {
      # One word, or number, becomes another of the text: mostly this is still JSON.
      place <- sample(length(quoted), 2)
      at <- quoted[[place[[1]]]]
      size <- attr(quoted, "match.length")[[place[[1]]]]
      start <- quoted[[place[[2]]]]
      new <- substr(text, start, start + attr(quoted, "match.length")[[place[[2]]]] - 1)
    }
    text <- paste0(substr(text, 1, at - 1), new, substr(text, at + size, nchar(text)))
    quoted <- gregexpr("\"[^\"]*\"|[0-9.]+|null|true|false", text)[[1]]
    if (length(quoted) < 2) break
  }
  text
}
