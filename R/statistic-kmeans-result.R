# Results of k-means: centres, predictions and pictures.

kmeans_result <- function(release, fields) {
  found <- last_iteration(release, fields)
  places <- expand.grid(cluster = seq_len(fields$k), column = seq_along(fields$columns))
  moments <- Map(function(cluster, column) {
    cluster_moment(matrix(found$cells[, , cluster], 3), column, fields)
  }, places$cluster, places$column)
  of_moments <- function(what) matrix(vapply(moments, `[[`, 0, what), fields$k)
  enough <- matrix(vapply(moments, `[[`, NA, "enough"), fields$k)
  half <- (found$upper - found$lower) / 2
  middle <- (found$upper + found$lower) / 2
  mean <- of_moments("mean")
  reach <- matrix(reach_of_means(moments, fields$alpha), fields$k)
  in_units <- function(shares) shares_in_units(shares, fields)
  centres <- ifelse(enough, middle + half * mean, found$previous)
  squares <- (of_moments("count") - 1) * pmax(of_moments("variance"), 0) * half^2
  intervals <- cbind(
    c(in_units(middle + half * pmax(mean - reach, -1))),
    c(in_units(middle + half * pmin(mean + reach, 1)))
  )
  rownames(intervals) <- paste(fields$columns[places$column], places$cluster, sep = ":")
  list(
    release = centre_frame(in_units(centres), fields), variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, size = of_moments("count")[, 1],
    withinss = rowSums(squares), intervals = intervals,
    previous = centre_frame(in_units(found$previous), fields), iterations = fields$iterations,
    status = if (all(enough)) "ok" else "few"
  )
}

# Converts shares to units of the columns. The result has a column for each.
shares_in_units <- function(shares, fields) {
  lower <- vapply(fields$rng, `[[`, 0, 1)
  width <- vapply(fields$rng, diff, 0)
  t(lower + width * t(shares))
}

centre_frame <- function(centres, fields) {
  dimnames(centres) <- list(NULL, fields$columns)
  as.data.frame(centres)
}

# Moments of u = 2 t - 1 from the cells of a cluster, see noisy_moment(). Each column of the data
# has a column of cells. The number of rows is the mean of the columns' numbers.
cluster_moment <- function(cells, column, fields) {
  columns <- ncol(cells)
  deviation <- cell_deviation(columns, fields$epsilon / fields$iterations)
  count <- sum(cells) / columns
  own <- cells[, column] + (count - sum(cells[, column])) / 3
  noisy_moment(
    count = count, total = own[[3]] - own[[1]], squares = own[[1]] - own[[2]] + own[[3]],
    most = fields$n, alpha = fields$alpha, moved = function(count, sum, squares) {
      noise_of_columns(deviation * bernstein_weights(count, sum, squares), columns)
    }
  )
}

# Adjusts `weights` of the cells of one column for agreement of all columns on the number of rows.
# Also returns the sum of squares of the weights of other columns, whose noise counts as normal.
noise_of_columns <- function(weights, columns) {
  agreed <- sum(weights) / columns
  list(
    laplace = weights + (agreed - sum(weights)) / 3, normal = (columns - 1) * agreed^2 / 3
  )
}

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @export
predict.dp_kmeans_result <- function(object, newdata, ...) {
  call <- environment()
  check_names(...)
  if (missing(newdata)) stop_without_rows(call)
  bounds <- do.call(rbind, attr(object, "about")$model$rng)
  rows <- numbers_of_rows(newdata, rownames(bounds), call)
  kept <- list(bounds = attr(object, "about")$model$rng)
  warn_of_new_rows(newdata, kept, so_clamps, call)
  in_shares <- function(rows) {
    moved <- within_bounds(t(rows), bounds[, 1], bounds[, 2])
    matrix((moved - bounds[, 1]) / (bounds[, 2] - bounds[, 1]), nrow(bounds))
  }
  rows <- in_shares(rows)
  centres <- in_shares(as.matrix(object$release))
  nearness <- vapply(seq_len(ncol(centres)), function(cluster) {
    -colSums((rows - centres[, cluster])^2)
  }, numeric(ncol(rows)))
  nearness <- matrix(nearness, ncol = ncol(centres))
  nearest <- rep(NA_integer_, nrow(nearness))
  known <- !is.na(nearness[, 1])
  # Breaks ties in favour of the first.
  nearest[known] <- max.col(nearness[known, , drop = FALSE], "first")
  nearest
}

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dp_kmeans_result <- function(x, newdata, ...) {
  check_names(...)
  if (missing(newdata)) stop_without_rows(environment())
  newdata$.cluster <- factor(predict(x, newdata), seq_len(nrow(x$release)))
  newdata
}

estimates_of.dp_kmeans_result <- function(x) {
  data.frame(
    term = paste(rep(x$variable, each = nrow(x$release)), seq_len(nrow(x$release)), sep = ":"),
    estimate = unlist(x$release, use.names = FALSE)
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_kmeans_result <- function(x) {
  list(
    centres = function() if (length(x$variable) == 2) centre_plane(x) else centre_points(x),
    sizes = function() {
      list(
        kind = "bars", xlab = "cluster", ylab = "rows",
        table = data.frame(term = as.character(seq_along(x$size)), estimate = x$size)
      )
    }
  )
}
# nolint end

# Picture for two columns: centres with both intervals.
centre_plane <- function(x) {
  table <- as.data.frame(x)
  clusters <- nrow(x$release)
  across <- table[seq_len(clusters), ]
  up <- table[clusters + seq_len(clusters), ]
  list(
    kind = "plane", xlab = x$variable[[1]], ylab = x$variable[[2]],
    table = data.frame(
      term = as.character(seq_len(clusters)), estimate = across$estimate, y = up$estimate
    ) |>
      with_ends(ends_of(across), c("conf.low", "conf.high")) |>
      with_ends(ends_of(up), c("y.low", "y.high"))
  )
}

ends_of <- function(table) if (!is.null(table$conf.low)) cbind(table$conf.low, table$conf.high)

# Picture for more columns: each from its lower to its upper bound.
centre_points <- function(x) {
  ranges <- rep(attr(x, "about")$model$rng, each = nrow(x$release))
  list(
    kind = "points", table = within_ranges(as.data.frame(x), ranges), apart = FALSE,
    xlab = "mean, from lower to upper bound of its column"
  )
}
