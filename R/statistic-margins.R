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

# The nearest of these that have no negative cell, by Dykstra's projections in turn. They end with
# one onto tables of cells that are not negative and add up to `n`.
nearest_tables <- function(tables, shared, n) {
  agreed <- agreed_tables(tables, shared, n)
  cut_before <- lapply(tables, function(table) 0)
  for (turn in seq_len(most_turns)) {
    raised <- Map(`+`, agreed, cut_before)
    counts <- lapply(raised, count_projection, n)
    cut_before <- Map(`-`, raised, counts)
    agreed <- agreed_tables(counts, shared, n)
    if (max(abs(unlist(agreed) - unlist(counts))) < agreement) break
  }
  counts
}

most_turns <- 1000
agreement <- 1e-6
