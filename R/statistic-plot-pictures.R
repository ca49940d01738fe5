# Tables that pictures of results are drawn from.

count_bars <- function(x) {
  list(kind = "bars", table = as.data.frame(x), xlab = x$variable, ylab = "rows")
}

estimate_points <- function(x) {
  table <- as.data.frame(x)
  ranked <- !is.numeric(x$release)
  if (ranked) table$estimate <- seq_len(nrow(table))
  table <- table[!is.na(table$estimate), ]
  unit <- if (is.null(x$variable)) "answer" else toString(x$variable)
  list(
    kind = "points", table = table, apart = FALSE, ranked = ranked,
    xlab = if (ranked) "rank" else unit
  )
}

# Means from 0 at the lower to 1 at the upper of their ranges, a list with one for each row.
within_ranges <- function(table, ranges) {
  bounds <- do.call(rbind, ranges)
  numbers <- intersect(c("estimate", "conf.low", "conf.high"), names(table))
  table[numbers] <- (table[numbers] - bounds[, 1]) / (bounds[, 2] - bounds[, 1])
  table
}

# Room for labels of an axis, in lines.
label_room <- function(labels) {
  min(max(graphics::strwidth(labels, "inches")) / graphics::par("csi") + 1, 14)
}
