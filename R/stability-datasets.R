# Datasets that a stability check tries, and their neighbours.

numbers_to_try <- c(
  0, -0, 1, -1, 0.5, 2^-1074, 2^-53, 1 + 2^-52, 1 - 2^-53, 2^53, 2^53 + 2, 1e308, -1e308, 0.1, 0.2,
  0.3, NaN, NA, Inf, -Inf
)
integers_to_try <- c(0L, 1L, -1L, 2L, 7L, .Machine$integer.max, -.Machine$integer.max, NA)
texts_to_try <- c("a", "b", "", "c", "\u00e9", NA)
largest_dataset <- 64

# list(values, few, size, member): the values of rows, the few that are tried exhaustively, the
# declared number of rows, and whether data are in the domain. The text of a domain only proposes
# values. The core decides which values are members.
rows_of_domain <- function(domain, values, call) {
  text <- toString(domain)
  atom <- sub("^VectorDomain[(](.*)[)]$", "\\1", text)
  if (atom == text) {
    stop_argument("a vector domain", paste0("`", text, "`"), "domain", call)
  }
  size <- regmatches(text, regexec("size=([0-9]+)", text))[[1]]
  size <- if (length(size) == 2) as.integer(size[[2]])
  type <- sub(".*T=([A-Za-z0-9]+).*", "\\1", text)
  bounds <- regmatches(text, regexec("bounds=\\[([^,]+), ([^]]+)\\]", text))[[1]]
  bounds <- if (length(bounds) == 3) as.double(bounds[2:3])
  pool <- unique(c(values, bounds, if (length(bounds)) mean(bounds)))
  pool <- switch(substr(type, 1, 1),
    f = unique(c(as.double(pool), inner_numbers(bounds), numbers_to_try)),
    b = c(TRUE, FALSE), S = unique(c(as.character(pool), texts_to_try)),
    unique(suppressWarnings(c(as.integer(pool), integers_to_try)))
  )
  member <- function(data) isTRUE(or_else(core_member(domain, data)))
  inside <- vapply(pool, function(value) member(rep(value, size %||% 1)), NA)
  pool <- pool[inside]
  if (length(pool) < 2) {
    stop_argument("given: two values that rows of `domain` can have", "missing", "values", call)
  }
  list(values = pool, few = utils::head(pool, 4), size = size, member = member)
}

inner_numbers <- function(bounds) {
  if (is.null(bounds)) NULL else bounds[[1]] + diff(bounds) * c(0.1, 0.9, 1 / 3)
}

# All datasets of up to four rows of few values. With a larger size, datasets with two blocks.
small_datasets <- function(rows) {
  all_of <- function(n) {
    grid <- expand.grid(rep(list(seq_along(rows$few)), n))
    lapply(seq_len(nrow(grid)), function(i) rows$few[as.integer(grid[i, ])])
  }
  if (is.null(rows$size)) {
    return(c(list(rows$few[0]), unlist(lapply(1:4, all_of), recursive = FALSE)))
  }
  if (rows$size <= 4) {
    return(if (rows$size == 0) list(rows$few[0]) else all_of(rows$size))
  }
  pairs <- expand.grid(seq_along(rows$few), seq_along(rows$few))
  blocks <- unique(c(0, 1, rows$size %/% 2, rows$size))
  unlist(lapply(blocks, function(first) {
    lapply(seq_len(nrow(pairs)), function(i) {
      rep(rows$few[as.integer(pairs[i, ])], c(first, rows$size - first))
    })
  }), recursive = FALSE)
}

# All datasets that differ from `x` in one row, or in its order.
next_datasets <- function(x, rows, metric) {
  n <- length(x)
  replaced <- unlist(lapply(seq_len(n), function(k) {
    lapply(seq_along(rows$few), function(v) replace(x, k, rows$few[[v]]))
  }), recursive = FALSE)
  added <- lapply(seq_along(rows$few), function(v) c(x, rows$few[v]))
  ahead <- lapply(seq_along(rows$few), function(v) c(rows$few[v], x))
  ordered <- if (metric %in% c("SymmetricDistance", "ChangeOneDistance")) list(rev(x))
  c(if (is.null(rows$size)) c(added, ahead), replaced, ordered)
}

random_dataset <- function(rows) {
  n <- rows$size %||% sample(c(1, 2, 3, 5, 9, 17, 33), 1)
  pick <- function(k) rows$values[sample.int(length(rows$values), k, replace = TRUE)]
  switch(sample.int(5, 1), rep(pick(1), n), pick(n), sort_rows(pick(n)), rep_len(pick(2), n),
    c(pick(min(n, 1)), rep(pick(1), max(n - 1, 0)))
  )
}

sort_rows <- function(x) x[order(x)]

# One edit at random: a row is replaced, added or removed, or the order changes.
edited_dataset <- function(x, rows, metric) {
  n <- length(x)
  value <- rows$values[sample.int(length(rows$values), 1)]
  what <- sample.int(5, 1)
  if (n > 0 && (what == 1 || !is.null(rows$size) && what < 5)) {
    return(replace(x, sample.int(n, 1), value))
  }
  if (what == 5 || !is.null(rows$size)) {
    ordered <- metric %in% c("SymmetricDistance", "ChangeOneDistance")
    return(if (ordered) x[sample.int(n)] else x)
  }
  if (what == 2 && n > 0) x[-sample.int(n, 1)] else append(x, value, sample.int(n + 1, 1) - 1)
}

# Changes both datasets of a violation as long as it stays one: fewer rows, then simpler values.
shrunk_pair <- function(pair, rows, is_violation) {
  simple <- unique(c(rows$values[rows$values %in% 0], rows$few))
  repeat {
    found <- smaller_pair(pair, rows, is_violation) %||% simpler_pair(pair, simple, is_violation)
    if (is.null(found)) {
      return(pair)
    }
    pair <- found
  }
}

# Without a row that both have. NULL if there is no such pair.
smaller_pair <- function(pair, rows, is_violation) {
  if (!is.null(rows$size)) {
    return(NULL)
  }
  keys <- lapply(pair, keys_of_rows)
  for (i in rev(seq_along(pair[[1]]))) {
    same <- which(keys[[2]] == keys[[1]][[i]])
    for (j in same[order(abs(same - i))]) {
      less <- list(pair[[1]][-i], pair[[2]][-j])
      if (is_violation(less)) {
        return(less)
      }
    }
  }
  NULL
}

# With a row at a simpler value, in both if both have it.
simpler_pair <- function(pair, simple, is_violation) {
  rank <- function(value) match(keys_of_rows(value), keys_of_rows(simple), length(simple) + 1)
  for (i in seq_len(max(lengths(pair)))) {
    there <- vapply(pair, function(x) i <= length(x), NA)
    common <- all(there) && identical(pair[[1]][i], pair[[2]][i])
    for (sides in if (common) list(1:2) else as.list(which(there))) {
      value <- pair[[sides[[1]]]][i]
      for (v in seq_len(min(length(simple), rank(value) - 1))) {
        other <- pair
        for (side in sides) other[[side]][i] <- simple[v]
        if (is_violation(other)) {
          return(other)
        }
      }
    }
  }
  NULL
}
