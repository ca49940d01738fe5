# Design and noise of contingency tables.

# Number of cells in the table of each set of columns.
cells_in <- function(sets, sizes) vapply(sets, function(set) prod(sizes[set]), 0)

# Chooses the tables to count from public numbers. Returns list(sets, epsilon, apart): the columns
# of each table with its part of the loss, and whether the tables are the margins. The choice does
# not depend on the last digits of roots, which differ between platforms.
table_design <- function(sizes, args, call) {
  whole <- list(sets = list(args$variables), epsilon = args$epsilon, apart = FALSE)
  cells <- prod(sizes)
  of_margins <- if (!is.null(args$margins)) cells_in(args$margins, sizes)
  parts <- signif(of_margins^(1 / 3), 12)
  apart <- !is.null(of_margins) &&
    (cells > most_cells || sum(parts)^3 < (1 - 1e-9) * length(parts) * cells)
  if (!apart && cells > most_cells || apart && sum(of_margins) > most_cells) {
    stop_argument(paste("such that there are at most", most_cells, "cells"), "with more",
      if (apart) "margins" else "levels", call
    )
  }
  if (!apart) {
    return(whole)
  }
  epsilon <- core_share_epsilon(args$epsilon, parts)
  list(sets = args$margins, epsilon = epsilon, apart = TRUE)
}

# Prepares rows once, then counts them in each table.
tables_measurement <- function(args, sizes, design) {
  bounds <- lapply(lengths(args$levels), function(count) c(1, count))
  columns <- column_specs(args$variables, bounds, bounds, "integer")
  placed <- build("place_levels", columns, has_gap_level(args), args$n)
  tables <- Map(function(set, epsilon) noisy_table(sizes[set], args$n, epsilon), design$sets,
    design$epsilon)
  chain(placed, if (length(tables) == 1) tables[[1]] else make_composition(unname(tables)))
}

# Counts the cells of a frame of level indices, with noise.
noisy_table <- function(sizes, n, epsilon) {
  build("cross_classify", names(sizes), as.double(sizes), n) |>
    then_count_by_categories(
      categories = seq_len(prod(sizes)) - 1, null_category = FALSE, .MO = "L1Distance<i64>",
      .TOA = "i64"
    ) |>
    then_protect(epsilon)
}

# Accuracy of a count in each of the tables `shown`. A count can be a sum of noisy counts.
table_accuracy <- function(shown, sizes, design, alpha) {
  if (design$apart) {
    return(whole_accuracy(design$epsilon, alpha))
  }
  terms <- prod(sizes) / cells_in(shown, sizes)
  ceiling(vapply(terms, sum_reach, 0, design$epsilon, alpha))
}

# Bound on a sum of `terms` independent Laplace variables, exceeded with probability `alpha`. A sum
# of many is normal. For tails where the law is not accurate, each term gets a share of `alpha`.
sum_reach <- function(terms, epsilon, alpha) {
  if (terms == 1 || alpha < least_tail) {
    return(terms * laplaceGetAccuracy(histogram_sensitivity, epsilon, alpha / terms))
  }
  deviation <- sqrt(2) * histogram_sensitivity / epsilon
  if (terms > 64) {
    deviation * sqrt(terms) * stats::qnorm(alpha / 2, lower.tail = FALSE)
  } else {
    error_reach(0, matrix(deviation, 1, terms), alpha)
  }
}

least_tail <- 1e-9
