# Noisy tables that are margins of one table, brought to agree: postprocessing. A table is a vector
# of its cells, of which the first column runs fastest.

# The cell of the margin `set` that each cell of a table of `sizes` is in.
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

# All sets of columns that two or more of `sets` have in common, smaller ones first, from the empty
# one on.
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

# What tables of `sets` have to agree on, as agreed_tables() takes it. A list for each common
# margin: the tables `of` which it is one, where their cells are in it (`place`), of how many cells
# each of its cells is a sum (`times`), and how much each table has to say. A table with noise of
# variance 1 / weight in its cells has times / weight in the margin.
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

# The nearest tables, in squares weighted by the inverse of the noise, that agree on `n` and on all
# common margins.
#
# A table is the sum of orthogonal effects, one for each set of its columns; tables agree on a
# common margin if they have the same effects of all sets within it. So the nearest tables have, for
# each set, the weighted mean of the effects of all tables that it belongs to. Once tables agree on
# all smaller margins, what they differ by in the next one is the effect of its columns alone, and
# to move it, equally in all cells of a sum, leaves other effects as they are.
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

# Tables that have no negative cell and agree on `n` and on all common margins, near the noisy ones.
#
# A margin that is shown beside a table of more columns comes first, and the larger table keeps to
# it. In one step, each cell of the larger table that is raised to 0 would lower all others a
# little. What these add up to would fall by much more than its own noise. If no larger tables keep
# to all their margins, the nearest tables are found in one step.
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

# list(shared, steps) for nearest_tables(), from the columns of tables and the weights of their
# noise. In a step, tables join those `of` the steps before, which keep their counts: `kept`. Each
# new table has at most one of these whose `place` in it is known, the largest.
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

# How much more a table that stays as it is has to say of a margin.
firmness <- 1e6

# 1 for a set that contains no other one, and else one more than the last of those.
steps_of_sets <- function(sets) {
  step <- rep(1, length(sets))
  for (i in order(lengths(sets))) {
    within <- vapply(sets, function(set) all(set %in% sets[[i]]), NA)
    within[[i]] <- FALSE
    if (any(within)) step[[i]] <- 1 + max(step[within])
  }
  step
}

# list(of, cells): which of the tables `kept` is the largest margin of table i, and the cells of
# that table in columns, one for each cell of the margin. NULL if none is a margin of it.
largest_margin <- function(i, kept, sets, sizes) {
  margins <- kept[vapply(sets[kept], function(set) all(set %in% sets[[i]]), NA)]
  if (length(margins) == 0) {
    return(NULL)
  }
  of <- margins[[which.max(cells_in(sets[margins], sizes))]]
  place <- places_in_margin(sizes[sets[[i]]], sets[[of]])
  list(of = of, cells = matrix(order(place), ncol = max(place)))
}

# list(tables, agree): the nearest tables that have no negative cell, in squares weighted by the
# inverse of the noise, by Dykstra's projections in turn, and whether they agree. They end with one
# onto tables of cells that are not negative and add up to `n`, or to a margin that is kept.
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

# The nearest table whose cells are not negative and add up to `n`, or to a margin among `tables`.
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
