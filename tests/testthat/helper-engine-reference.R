# R reference for an engine's counts of people under caps. The salt decides which rows stay, and a
# release keeps its salt. Domain, caps and aggregates belong to one query.

counted_domain <- function() {
  dp_domain(
    kind = dp_levels("x", "X", "x ", "\u00e9"), size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5),
    wide = dp_num(-9e299, 9e299)
  )
}

counted_query <- function(source) {
  dp_tbl(dp_session(dp_epsilon(1e14)), source, dp_unit(id = who), counted_domain()) |>
    filter(size > -3L) |>
    dp_truncate(max_groups = 2, max_rows_per_group = 2, by = kind) |>
    group_by(kind) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), size = dp_sum(size), cost = dp_sum(cost),
      wide = dp_sum(wide), sizes = dp_n_distinct(size)
    )
}

# People with more rows than the caps keep, including duplicates. The values test clamps and
# roundings: bounds, ties of the lattice, and numbers that underflow when scaled.
counted_rows <- function(people = 90) {
  size <- people * 9
  pick <- function(from) sample(from, size, replace = TRUE)
  who <- c("a", "A", "e", "E", NA, paste0("p", seq_len(people)))
  data <- data.frame(
    who = pick(who), kind = pick(c("x", "X", "x ", "\u00e9", "e\u0301", NA)),
    size = pick(c(-9L, -3:5, NA)),
    cost = pick(c(NA, NaN, Inf, -Inf, -2.5, 2.5, 7, c(2.5, 3.5, -2.5, 0.5) * 2^-49, 1 / 3)),
    wide = pick(c(NA, 1e-320, -1e-310, 1e200, 1e300, 3))
  )
  rbind(data, data[seq_len(size %/% 5), ])
}

# NaN counts as a missing `x`.
held <- function(x, bound) pmax(pmin(ifelse(is.nan(x), NA, x), bound), -bound)

# R rounds ties to even. Adding 0 removes the sign of zero.
on_lattice <- function(x, bound, step) round(held(x, bound) / step) + 0

# Digits of sums beyond 2^53, from the leading part and the last nine digits.
digits_of_sum <- function(x) {
  x <- x[!is.na(x)]
  high <- trunc(x / 1e9)
  low <- sum(x - high * 1e9)
  high <- sum(high) + trunc(low / 1e9)
  low <- low - trunc(low / 1e9) * 1e9
  if (high * low < 0) {
    low <- low + sign(high) * 1e9
    high <- high - sign(high)
  }
  minus <- if (high < 0 || low < 0) "-" else ""
  before <- if (high != 0) sprintf("%.0f", abs(high))
  paste0(minus, before, sprintf(if (high == 0) "%.0f" else "%09.0f", abs(low)))
}

# Spark returns each sum as two limbs: multiples of 2^26 and the remainder.
sums_of_limbs <- function(cells) {
  limbs <- grepl(",", cells, fixed = TRUE)
  cells[limbs] <- vapply(strsplit(cells[limbs], ",", fixed = TRUE), function(each) {
    digits_of_sum(as.numeric(each) * c(2^26, 1))
  }, "")
  cells
}

with_length <- function(text) paste0(nchar(text, "bytes"), ":", text)

sha256_of <- function(texts) vapply(enc2utf8(texts), core_sha256, "", USE.NAMES = FALSE)

# Integers of the statement by group, as sorted rows of text.
reference_counts <- function(data, salt) {
  levels <- c("x", "X", "x ", "\u00e9")
  rows <- data.frame(
    who = as.character(data$who), kind = match(data$kind, levels) - 1, size = held(data$size, 3),
    key = ifelse(abs(data$size) <= 3, data$size, NA), # not clamped, unlike amounts
    cost = on_lattice(data$cost, 2.5, 2^-49), wide = on_lattice(data$wide, 9e299, 2^946)
  )
  rows <- rows[!is.na(rows$who) & !is.na(rows$kind) & !is.na(rows$size) & rows$size > -3, ]
  text <- function(z) ifelse(is.na(z), "~", sprintf("%.0f", z))
  head <- paste0(salt, with_length(rows$who), with_length(levels[rows$kind + 1]))
  cell <- sha256_of(head)
  row <- sha256_of(paste0(head, paste(
    text(rows$size), text(rows$cost), text(rows$wide), text(rows$key), sep = ";"
  )))
  rank_in <- function(x, of) stats::ave(x, of, FUN = function(x) match(x, sort(unique(x))))
  place <- rank(cell, ties.method = "min")
  rows <- rows[order(row), ][rank_in(place[order(row)], rows$who[order(row)]) <= 2, ]
  nth <- stats::ave(seq_len(nrow(rows)), rows$who, rows$kind, FUN = seq_along)
  rows <- rows[nth <= 2, ]
  counts <- lapply(split(rows, rows$kind), function(g) {
    c(g$kind[[1]], nrow(g), nrow(g), length(unique(g$who)), digits_of_sum(g$size),
      digits_of_sum(g$cost), digits_of_sum(g$wide), length(unique(g$key[!is.na(g$key)])))
  })
  unname(do.call(rbind, counts[order(names(counts))]))
}

# Engine's answer to a statement changed by `mutate`: sorted rows of text, or the note that it
# failed. Also tells whether the statement changed.
engine_counts <- function(source, mutate = identity) {
  query <- counted_query(source)
  said <- new.env()
  send <- run_statement
  local_replaced("run_statement", function(table, sql) {
    said$changed <- !identical(mutate(sql), sql)
    said$rows <- "failed"
    rows <- send(table, mutate(sql))
    texts <- lapply(rows, function(cells) sums_of_limbs(as.character(cells)))
    texts <- as.data.frame(texts)
    said$rows <- as.matrix(texts[texts$k0 != "-", -1]) # rows without a key belong to no group
    rows
  })
  tryCatch(release(query, epsilon = 1e13), dp_error_backend = function(error) NULL)
  salt <- core_hidden(tbl_data(query$table)$rows)$sent$salt
  rows <- said$rows
  if (is.matrix(rows)) {
    rows <- if (nrow(rows) > 0) unname(rows[order(rows[, 1]), , drop = FALSE])
  }
  list(rows = rows, salt = salt, changed = said$changed)
}
