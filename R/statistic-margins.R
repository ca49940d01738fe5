# Makes noisy margins of one table agree, by postprocessing. A table is a vector of its cells, with
# the first column running fastest.

# Returns, for each cell of a table of `sizes`, its cell in the margin `set`.
places_in_margin <- function(sizes, set) {
  before <- stats::setNames(cumprod(c(1, sizes))[seq_along(sizes)], names(sizes))
  cells <- seq_len(prod(sizes)) - 1
  place <- rep(1, length(cells))
  step <- 1
  for (name in set) {
    place <- place + step * (cells %/% before[[name]] %% sizes[[name]])
    step <- step * sizes[[name]]
  }
  place
}

sums_by_place <- function(x, place) as.vector(rowsum(x, place))

# Number of cells in the table of each set of columns.
cells_in <- function(sets, sizes) vapply(sets, function(set) prod(sizes[set]), 0)

# Sets of columns that two or more of `sets` have in common, from the empty one to the largest.
common_sets <- function(sets) {
  shared <- list(character())
  all <- list()
  for (set in sets) {
    common <- lapply(all, function(other) other[other %in% set])
    shared <- unique(c(shared, common))
    all <- unique(c(all, list(set), common))
  }
  shared[order(lengths(shared))]
}

# Margins that tables of `sets` must agree on, in the form for agreed_tables(). Returns a list for
# each common margin. `of` holds its tables, `place` the positions of their cells in it, and `times`
# the number of cells summed in each of its cells. `share` holds the weight of each table. A table
# with noise of variance 1 / weight in its cells has times / weight in the margin.
shared_margins <- function(sets, sizes, weights) {
  lapply(common_sets(sets), function(common) {
    of <- which(vapply(sets, function(set) all(common %in% set), NA))
    times <- cells_in(sets[of], sizes) / prod(sizes[common])
    list(
      of = of, times = times, share = weights[of] / times / sum(weights[of] / times),
      place = lapply(sets[of], function(set) places_in_margin(sizes[set], common))
    )
  })
}

# Nearest tables, in squares weighted by the inverse of the noise, that agree on `n` and on all
# common margins.
#
# A table is the sum of orthogonal effects, one for each set of its columns. Tables agree on a
# common margin if they have the same effects of all sets within it. So the nearest tables have, for
# each set, the weighted mean of the effects in all its tables. Once tables agree on all smaller
# margins, their difference in the next one is the effect of its columns only. Moving it, equally in
# all cells of a sum, leaves other effects unchanged.
agreed_tables <- function(tables, shared, n) {
  for (common in shared) {
    sums <- Map(sums_by_place, tables[common$of], common$place)
    # The empty margin comes first.
    agreed <- if (length(sums[[1]]) == 1) n else Reduce(`+`, Map(`*`, sums, common$share))
    tables[common$of] <- Map(function(table, sums, place, times) {
      table + ((agreed - sums) / times)[place]
    }, tables[common$of], sums, common$place, common$times)
  }
  tables
}

# Nonnegative tables near the noisy ones that agree on `n` and on all common margins.
#
# A margin that is shown beside a table with more columns is fitted first, and the larger table
# keeps to it. In a single step, each cell of the larger table that is raised to 0 would lower all
# others a little. Their sums would then fall by much more than their noise. If no larger tables can
# keep all their margins, the nearest tables are found in one step.
nearest_tables <- function(tables, fit, n) {
  agreed <- agreed_tables(tables, fit$shared, n)
  counts <- agreed
  for (step in fit$steps) {
    found <- nearest_valid(counts[step$of], step, n)
    if (!found$agree && length(fit$steps) > 1) {
      return(nearest_valid(agreed, fit, n)$tables)
    }
    counts[step$of] <- found$tables
  }
  counts
}

# Returns list(shared, steps) for nearest_tables(), from the columns of tables and their noise
# weights. In a step, tables join the tables `of` earlier steps, which keep their counts: `kept`.
# Each new table has at most one of these with a known `place` in it, the largest.
margins_to_fit <- function(sets, sizes, weights) {
  step_of <- steps_of_sets(sets)
  steps <- lapply(seq_len(max(step_of)), function(now) {
    of <- which(step_of <= now)
    kept <- step_of[of] < now
    list(
      of = of, kept = kept,
      shared = shared_margins(sets[of], sizes, weights[of] * ifelse(kept, firmness, 1)),
      within = lapply(which(!kept), function(i) largest_margin(i, which(kept), sets[of], sizes))
    )
  })
  list(shared = shared_margins(sets, sizes, weights), steps = steps)
}

# Additional weight for a margin of a table that stays unchanged.
firmness <- 1e6

# Step of each set: 1 if it contains no other set, otherwise one more than the last of those.
steps_of_sets <- function(sets) {
  step <- rep(1, length(sets))
  for (i in order(lengths(sets))) {
    within <- vapply(sets, function(set) all(set %in% sets[[i]]), NA)
    within[[i]] <- FALSE
    if (any(within)) step[[i]] <- 1 + max(step[within])
  }
  step
}

# Returns list(of, cells). `of` is the table in `kept` that is the largest margin of table i.
# `cells` holds the cells of table i in columns, one for each cell of the margin. NULL if there is
# no such margin.
largest_margin <- function(i, kept, sets, sizes) {
  margins <- kept[vapply(sets[kept], function(set) all(set %in% sets[[i]]), NA)]
  if (length(margins) == 0) {
    return(NULL)
  }
  of <- margins[[which.max(cells_in(sets[margins], sizes))]]
  place <- places_in_margin(sizes[sets[[i]]], sets[[of]])
  list(of = of, cells = matrix(order(place), ncol = max(place)))
}

# Returns list(tables, agree): the nearest nonnegative tables, in squares weighted by the inverse of
# the noise, and whether they agree. Dykstra's projections alternate. The last one is onto
# nonnegative tables that add up to `n`, or to a margin that is kept.
nearest_valid <- function(tables, step, n) {
  agreed <- agreed_tables(tables, step$shared, n)
  cut_before <- lapply(agreed, function(table) 0)
  new <- which(!(step$kept %||% rep(FALSE, length(tables))))
  counts <- tables
  for (turn in seq_len(most_turns)) {
    raised <- Map(`+`, agreed, cut_before)
    counts[new] <- lapply(seq_along(new), function(i) {
      valid_table(raised[[new[[i]]]], step$within[i][[1]], tables, n)
    })
    cut_before <- Map(`-`, raised, counts)
    agreed <- agreed_tables(counts, step$shared, n)
    agree <- max(abs(unlist(agreed) - unlist(counts))) < agreement
    if (agree) break
  }
  list(tables = counts, agree = agree)
}

# Nearest table with nonnegative cells that add up to `n`, or to a margin among `tables`.
valid_table <- function(table, margin, tables, n) {
  if (is.null(margin)) {
    return(count_projection(table, n))
  }
  groups <- matrix(table[margin$cells], nrow(margin$cells))
  table[margin$cells] <- count_projections(groups, tables[[margin$of]])
  table
}

most_turns <- 1000
agreement <- 1e-6

# Possible counts from noisy ones, by postprocessing -----------------------------------------------

# Nearest counts, in the sum of squares, that are at least 0 and add up to n. Each is the noisy
# count minus a common number, or 0.
#
# The true counts satisfy these constraints, and projecting onto a convex set moves no point away
# from any point of the set. So in each release, the squared errors of all cells add up to at most
# the squared errors of the noisy counts. A single cell can be further off: if most cells are empty,
# the cells with rows absorb the noise of all others.
count_projection <- function(counts, n) as.vector(count_projections(matrix(counts), n))

# Applies count_projection() to each column, with one total `n` or one for each column.
count_projections <- function(tables, n) {
  size <- nrow(tables)
  column <- rep(seq_len(ncol(tables)), each = size)
  decreasing <- tables[order(column, -tables, method = "radix")]
  sums <- matrix(cumsum(decreasing), size)
  before <- c(0, sums[size, -ncol(sums)])
  excess <- (sums - rep(before + n, each = size)) / seq_len(size)
  # If `n` is 0, no count is above the excess, and the largest count becomes 0.
  last <- pmax(colSums(decreasing > excess), 1)
  pmax(tables - rep(excess[cbind(last, seq_len(ncol(tables)))], each = size), 0)
}

# Interval that holds a count as often as noise is within `accuracy`. It is the interval around the
# noisy count, cut to possible counts and extended to include the estimate. It contains every
# possible count of the uncut interval, so it covers at least as often.
count_ends <- function(noisy, accuracy, n, estimates = NULL) {
  lower <- within_bounds(noisy - accuracy, 0, n)
  upper <- within_bounds(noisy + accuracy, 0, n)
  if (is.null(estimates)) {
    return(list(lower = lower, upper = upper))
  }
  list(lower = pmin(lower, estimates), upper = pmax(upper, estimates))
}
