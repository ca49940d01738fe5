# Results of correlations.

correlation_result <- function(release, fields) {
  found <- joint_found(release, fields, fields$epsilon)
  pairs <- triangle(length(fields$columns))
  apart <- pairs[pairs$first < pairs$second, ]
  parts <- if (found$enough) correlations(found, apart, fields) else no_correlations(apart)
  matrix <- diag(1, length(fields$columns))
  dimnames(matrix) <- list(fields$columns, fields$columns)
  matrix[as.matrix(apart)] <- matrix[as.matrix(apart[2:1])] <- parts$value
  rownames(parts$intervals) <- names_of_pairs(fields$columns, apart)
  c(
    list(
      release = as.data.frame(matrix), variable = fields$variable, accuracy = fields$accuracy,
      epsilon = fields$epsilon, intervals = parts$intervals
    ),
    counted_rows(found$count, fields), list(status = parts$status)
  )
}

# Names `pairs` of columns, given by their indices in rows.
names_of_pairs <- function(columns, pairs) {
  paste(columns[pairs[, 1]], columns[pairs[, 2]], sep = ":")
}

no_correlations <- function(pairs) {
  nothing <- rep(NA_real_, nrow(pairs))
  list(value = nothing, intervals = cbind(rep(-1, nrow(pairs)), 1), status = "few")
}

# Returns list(value, intervals, status) for each of `pairs`.
correlations <- function(found, pairs, fields) {
  alpha <- fields$alpha
  about <- joint_scatter(found)
  deviations <- moment_deviations(found)
  columns <- lapply(seq_along(about$mean), function(i) {
    replace(numeric(length(about$mean) + 1), c(1, i + 1), c(-about$mean[[i]], 1))
  })
  noise <- vapply(columns, function(a) sqrt(sum(moved_by_moments(deviations, a)^2)), 0)
  known <- which(diag(about$scatter) > 3 * noise)
  repaired <- positive_scatter(about$scatter[known, known, drop = FALSE])
  scatter <- 0 * about$scatter
  scatter[known, known] <- repaired$matrix
  # Largest distance of a row from the mean of each column.
  farthest <- vapply(seq_along(columns), function(i) {
    most <- min(max(about$scatter[i, i] / found$count, 0) + 3 * noise[[i]] / found$count, 1)
    min(1 + farthest_mean(columns[[i]][-1], most, found, alpha), 2)
  }, 0)
  of_pair <- function(i, j) {
    hidden <- !all(c(i, j) %in% known)
    root <- sqrt(scatter[i, i]) * sqrt(scatter[j, j])
    r <- if (hidden) NA_real_ else within_bounds(scatter[i, j] / root, -1, 1)
    released <- list(
      first = about$scatter[i, i], across = about$scatter[i, j], second = about$scatter[j, j]
    )
    moved <- list(
      first = moved_by_moments(deviations, columns[[i]]),
      across = moved_by_moments(deviations, columns[[i]], columns[[j]]),
      second = moved_by_moments(deviations, columns[[j]])
    )
    spread <- if (fields$law == "any") {
      certified_spread(farthest[[i]], farthest[[j]], found$count)
    }
    c(r, correlation_interval(r, released, moved, found$count, alpha, spread))
  }
  found <- vapply(seq_len(nrow(pairs)), function(k) {
    of_pair(pairs$first[[k]], pairs$second[[k]])
  }, numeric(3))
  status <- if (length(known) < length(columns)) "noise" else repaired$status
  list(value = found[1, ], intervals = t(found[-1, , drop = FALSE]), status = status)
}

# Raises negative eigenvalues to 0. There may be no column at all.
positive_scatter <- function(scatter) {
  parts <- if (length(scatter) > 0) eigen(scatter, symmetric = TRUE)
  if (all(parts$values >= 0)) {
    return(list(matrix = scatter, status = "ok"))
  }
  raised <- parts$vectors %*% (pmax(parts$values, 0) * t(parts$vectors))
  list(matrix = raised, status = "repaired")
}

# nolint start: object_name_linter.
estimates_of.dp_correlation_result <- function(x) {
  matrix <- as.matrix(x$release)
  pairs <- triangle(nrow(matrix))
  apart <- as.matrix(pairs[pairs$first < pairs$second, ])
  data.frame(
    term = names_of_pairs(x$variable, apart), estimate = matrix[apart]
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_correlation_result <- function(x) {
  list(correlations = function() {
    table <- as.data.frame(x)
    list(
      kind = "points", table = table[!is.na(table$estimate), ], apart = FALSE,
      xlab = "correlation"
    )
  })
}
# nolint end
