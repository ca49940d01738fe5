# Random tables of values on which engines differ from R or from one another. Counts of them must be
# the same integers by every route.

hostile_rows <- function(rows) {
  pick <- function(from) sample(from, rows, replace = TRUE)
  data.frame(
    who = pick(c(NA, "", "a", "A", "a ", "\u00e9", "e\u0301", "o'b\\", "${x}", "7", "07")),
    kind = pick(c(NA, "x", "X", "x ", "\"", "\\'", "\u00e9", "e\u0301", "\U1F600", "")),
    size = pick(c(NA, -.Machine$integer.max, -1L, 0L, 1L, 2L, 5L, .Machine$integer.max)),
    cost = pick(c(NA, NaN, Inf, -Inf, -0, 1e-320, 0.5, 1.5, 2.5, 1e308, -7.25, 3)),
    paid = pick(c(NA, TRUE, FALSE)),
    day = pick(as.Date(c(NA, "1000-01-01", "1970-01-01", "2024-02-29", "9999-12-31")))
  )
}

# Combines `count` tables into one, with a column `batch`. Some are empty, and some hold rows of
# only one person.
hostile_tables <- function(count) {
  sizes <- sample(c(0, 1, 7, 60), count, replace = TRUE)
  data <- cbind(batch = rep(seq_len(count), sizes), hostile_rows(sum(sizes)))
  data$who[data$batch %in% sample(count, count %/% 10)] <- "a"
  data
}

tables_in_one <- 100

hostile_table <- function(source, ..., session = plenty()) {
  domain <- dp_domain(
    batch = dp_int(1, tables_in_one),
    kind = dp_levels("x", "X", "x ", "\"", "\\'", "\u00e9", "\U1F600", ""),
    size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5), paid = dp_flag(),
    day = dp_date(as.Date("1960-01-01"), as.Date("2030-01-01"))
  )
  dp_tbl(session, source, dp_unit(id = who), domain, ...)
}

# The cells of tables whose noise is 0.
hostile_cells <- function(source, cap = 1000, ...) {
  released <- hostile_table(source, ..., session = plenty("rho")) |>
    dp_truncate(max_rows = cap) |>
    dp_tables(dp_cross(batch, kind, size), dp_cross(batch, paid, cost),
      bins = list(batch = seq_len(tables_in_one), cost = c(-1, 0, 1))
    ) |>
    release(rho = 1e23)
  lapply(released$counts, function(counts) counts$estimate)
}

# The moments of a model, as an ordinary query.
hostile_moments <- function(source, cap = 1000, ...) {
  hostile_table(source, ...) |>
    dp_truncate(max_groups = tables_in_one, max_rows_per_group = cap, by = batch) |>
    group_by(batch) |>
    dp_lm(cost ~ size * kind + paid) |>
    as_plain_query() |>
    exact_release() |>
    without_noise()
}

as_plain_query <- function(query) structure(query, class = c("dp_query", "dp_private"))

hostile_counts <- function(source, cap = 1000, ...) {
  hostile_table(source, ...) |>
    mutate(
      double = size * 2L, late = day > as.Date("2000-01-01"), part = (size + 3L) %/% 2L,
      same = if_else(is.na(paid), kind == "x", paid)
    ) |>
    dp_truncate(max_groups = tables_in_one, max_rows_per_group = cap, by = batch) |>
    group_by(batch) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), sizes = dp_sum(double), parts = dp_sum(part),
      cost = dp_sum(cost), late = dp_sum(late), same = dp_sum(same),
      none = dp_n_missing(cost), kinds = dp_n_distinct(kind),
      weight = dp_count(weights = abs(cost)), weighted = dp_sum(size, weights = abs(cost)),
      products = dp_sum(cost, weights = pmax(size, 0L)),
      capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 5)
    ) |>
    exact_release() |>
    without_noise()
}

# `write` makes a source from a data frame. `routes` are further arguments of dp_tbl(). The long
# tier has more tables.
expect_counted_tables <- function(write, routes) {
  tables <- as.integer(Sys.getenv("PSILENCE_ENGINE_TABLES", "200"))
  withr::local_seed(20261122)
  for (round in seq_len(ceiling(tables / tables_in_one))) {
    data <- hostile_tables(tables_in_one)
    expected <- hostile_counts(data)
    expect_gt(sum(round(expected$n)), 0)
    moments <- hostile_moments(data)
    expect_gt(sum(abs(round(moments[["cost * size[1]"]]))), 0)
    cells <- hostile_cells(data)
    expect_gt(sum(cells$paid), 0)
    source <- write(data)
    for (route in names(routes)) {
      counted <- do.call(hostile_counts, c(list(source), routes[[route]]))
      expect_equal(counted, expected, tolerance = 1e-6, info = paste(route, round))
      counted <- do.call(hostile_moments, c(list(write(data)), routes[[route]]))
      expect_equal(counted, moments, tolerance = 1e-6, info = paste("moments", route, round))
      counted <- do.call(hostile_cells, c(list(write(data)), routes[[route]]))
      expect_equal(counted, cells, tolerance = 1e-6, info = paste("tables", route, round))
    }
  }
}
