# What dp_audit() refutes: writes benchmarks/audit.md.
#
#   Rscript --vanilla benchmarks/audit.R             ten audits of each mechanism, an hour
#   Rscript --vanilla benchmarks/audit.R --times=2   fewer audits; prints the page
#
# Mechanisms have 1.3 times the claimed loss, and all pairs are searched. The honest ones are the
# same mechanisms at the claim. Each row fails here if it is refuted too rarely, or too often.
suppressMessages(library(PSIlence))
suppressMessages(library(dplyr, warn.conflicts = FALSE))
options(PSIlence.progress = FALSE)
page <- "benchmarks/audit.md"
claimed <- 1
excess <- 1.3
seconds <- 60
seconds_of_honest <- 5

given <- sub("--times=", "", grep("--times=", commandArgs(TRUE), value = TRUE))
times <- if (length(given)) as.integer(given) else 10L

on_grid <- function(x) round(64 * x) / 64
laplace <- function(n, scale) scale * (stats::rexp(n) - stats::rexp(n))
statistic <- function(make) {
  list(
    make = function(epsilon) suppressWarnings(make(epsilon)),
    pairs = function(x) dp_neighbours(x)
  )
}
own <- function(make, pairs) list(make = make, pairs = function(x) pairs)
table <- dp_tbl(dp_session(dp_epsilon(9)), NULL, dp_unit(id = id),
  dp_domain(x = dp_int(0, 10), g = dp_levels("a", "b"))
) |> dp_truncate(max_rows = 2)
query <- function(query) {
  list(
    make = function(epsilon) as_measurement(query, dp_epsilon(epsilon)),
    pairs = function(x) dp_neighbours(query)
  )
}

mechanisms <- list(
  dpMean = statistic(\(e) dpMean("x", n = 4, rng = c(0, 10), epsilon = e)),
  dpVariance = statistic(\(e) dpVariance("x", n = 4, rng = c(0, 10), epsilon = e)),
  `dpHistogram of text` = statistic(\(e) {
    dpHistogram("character", "x", 10, epsilon = e, bins = c("a", "b", "c"))
  }),
  dpTree = statistic(\(e) {
    dpTree("numeric", "x", 10, depth = 3, rng = c(0, 10), globalEps = e)
  }),
  `query, count` = query(summarise(table, n = dp_count())),
  `query, sum` = query(summarise(table, s = dp_sum(x))),
  `query, counts and sums by group` = query(
    summarise(group_by(table, g), n = dp_count(), s = dp_sum(x))
  ),
  `function, sum` = own(
    \(e) function(data) on_grid(sum(data) + laplace(1, 1 / e)), dp_neighbours(c(0, 1), n = 4)
  ),
  `function, counts of cells` = own(
    \(e) function(data) on_grid(tabulate(1 + (data > 0.5), 2) + laplace(2, 2 / e)),
    dp_neighbours(c(0, 1), n = 4)
  ),
  `function, randomized response` = own(
    \(e) function(data) xor(data[[1]] > 0.5, stats::runif(1) > stats::plogis(e)),
    dp_neighbours(c(0, 1), n = 4)
  )
)

audits_of <- function(mechanism, epsilon, times, seconds) {
  made <- mechanism$make(epsilon)
  lapply(seq_len(times), function(i) {
    dp_audit(made, mechanism$pairs(made), dp_epsilon(claimed), seconds = seconds)
  })
}

row_of <- function(name) {
  broken <- audits_of(mechanisms[[name]], excess * claimed, times, seconds)
  honest <- audits_of(mechanisms[[name]], claimed, times, seconds_of_honest)
  of <- function(audits, part) vapply(audits, function(audit) as.double(audit[[part]]), 0)
  row <- sprintf("| %s | %d of %d | %.0f | %.1f | %.2f | %d of %d |", name,
    sum(of(broken, "refuted")), times, stats::median(of(broken, "draws")),
    stats::median(of(broken, "seconds")), stats::median(of(broken, "bound")),
    sum(of(honest, "refuted")), times
  )
  message(row)
  list(row = row, found = sum(of(broken, "refuted")), blamed = sum(of(honest, "refuted")))
}

rows <- lapply(names(mechanisms), row_of)
found <- sum(vapply(rows, `[[`, 0, "found"))
blamed <- sum(vapply(rows, `[[`, 0, "blamed"))
all <- times * length(rows)
text <- c(
  "# What dp_audit() refutes", "", "<!-- Written by benchmarks/audit.R. -->", "",
  sprintf(paste(
    "Claim: epsilon %s, confidence 0.99. Broken mechanisms have %s times that loss, and at most %s",
    "seconds; honest ones have exactly it, and %s seconds. All pairs of `dp_neighbours()` are",
    "searched. Draws, seconds and bounds are medians."
  ), claimed, excess, seconds, seconds_of_honest), "",
  "| mechanism | broken, refuted | draws | seconds | bound | honest, refuted |",
  "|---|---:|---:|---:|---:|---:|", vapply(rows, `[[`, "", "row"), "",
  sprintf("Broken: %d of %d refuted. Honest: %d of %d refuted.", found, all, blamed, all), "",
  "    Rscript --vanilla benchmarks/audit.R"
)
if (length(given)) writeLines(text) else writeLines(text, page)
if (found < stats::qbinom(1e-6, all, 0.95)) stop("broken mechanisms are refuted too rarely.")
if (blamed > stats::qbinom(1 - 1e-6, all, 0.01)) stop("honest mechanisms are refuted too often.")
