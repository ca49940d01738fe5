# Results that must not depend on an engine's settings.

hostile_domain <- function() {
  dp_domain(
    kind = dp_levels("x", "X", "x ", "\"", "\\'", "\u00e9", "\U1F600", ""),
    size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5), paid = dp_flag(),
    day = dp_date(as.Date("1960-01-01"), as.Date("2030-01-01"))
  )
}

# Releases of a source that is counted in the engine, or streamed. The first keeps all rows of each
# person, with a key compared as bytes. The second keeps at most two rows per person and releases
# only numbers that do not depend on which.
released_parts <- function(source, ...) {
  session <- plenty()
  table <- dp_tbl(session, source, dp_unit(id = who), hostile_domain(), ...)
  all <- dp_truncate(table, max_rows = 1000) |>
    mutate(half = size %/% 2L, late = day > as.Date("2000-01-01")) |>
    group_by(kind) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), sizes = dp_sum(size), halves = dp_sum(half),
      cost = dp_sum(cost), paid = dp_sum(paid), late = dp_sum(late), none = dp_n_missing(cost),
      days = dp_n_distinct(day), third = dp_histogram(size, breaks = c(-3, -1, 1, 3))
    )
  few <- summarise(dp_truncate(table, max_rows = 2), n = dp_count(), people = dp_n_ids())
  lapply(list(all, few), function(query) as.data.frame(exact_release(query)))
}

hostile_data <- function(rows = 150) {
  withr::local_seed(20261124)
  rbind(hostile_rows(rows), data.frame(
    # A day that Samoa skipped, and people whose names are equal under a collation.
    who = c("a", "A", "e\u0301", "\u00e9", "a", "A"), kind = rep("x", 6), size = -3:2,
    cost = c(1 / 3, 2 / 3, 0.1, 1e-9, -1 / 7, 2.4999), paid = rep(c(TRUE, FALSE), 3),
    day = as.Date("2011-12-28") + 1:6
  ))
}
