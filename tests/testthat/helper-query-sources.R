# Results that memory and every engine must share. `source_of` makes a source from a data frame.

# Keys of public tables that look different but are equal, or look alike but differ. They include
# zeros of either sign, logicals, strings in two encodings, and composed and decomposed letters.
expect_joined_keys <- function(source_of) {
  source <- source_of(data.frame(
    k = c(0L, 0L, 1L, 1L, 2L, NA), t = c("\u00e9", "e\u0301", "e", NA, "\u00e9", "\u00c9")
  ))
  table <- dp_tbl(
    plenty(), source, dp_unit(rows = 1),
    dp_domain(k = dp_int(0, 5), t = dp_text())
  )
  joined <- function(public) {
    both <- inner_join(table, public, by = names(public), relationship = "many-to-many")
    query <- summarise(both, n = dp_count())
    c(round(exact_release(query)$n), dp_preview(query, epsilon = 1)$sensitivity)
  }
  latin1 <- iconv("\u00e9", "UTF-8", "latin1")
  expect_equal(joined(data.frame(k = round(c(-0.3, 0.2, 1)))), c(6, 2))
  expect_equal(joined(data.frame(k = c(TRUE, FALSE, FALSE))), c(6, 2))
  expect_equal(joined(data.frame(t = c("\u00e9", latin1, "e\u0301"))), c(5, 2))
  expect_equal(joined(data.frame(t = factor(c("\u00e9", "e\u0301")))), c(3, 1))
  both <- expand.grid(k = round(c(-0.4, 0.4)), t = c("\u00e9", latin1), stringsAsFactors = FALSE)
  expect_equal(joined(both), c(4, 4))
}

# Each of 40 people is first in group a, then twice in b.
expect_ordered_groups <- function(source_of) {
  people <- 40
  source <- source_of(data.frame(
    id = rep(seq_len(people), each = 3), g = rep(c("a", "b", "b"), people), v = seq_len(3 * people)
  ))
  table <- dp_tbl(
    plenty(), source, dp_unit(id = id),
    dp_domain(g = dp_levels("a", "b"), v = dp_int(0, 1000))
  )
  kept <- function(...) {
    query <- dp_truncate(table, max_groups = 1, by = g, ...) |>
      group_by(g) |>
      summarise(n = dp_count())
    round(exact_release(query)$n)
  }
  expect_equal(kept(max_rows_per_group = 1, keep = "first", order = v), c(people, 0))
  expect_equal(kept(max_rows_per_group = 1, keep = "last", order = v), c(0, people))
  expect_equal(kept(max_rows_per_group = 2, keep = "last", order = v), c(0, 2 * people))
  expect_equal(kept(max_rows_per_group = 2, keep = "first", order = g == "a"), c(0, 2 * people))
  expect_equal(kept(max_rows_per_group = 1, keep = "last", order = g == "a"), c(people, 0))
}
