# A rule names one of two neighbours for the cells of a score, or abstains.

audit_cells <- 40

# Cells of a score. Numbers get quantile cells, and texts a cell for each value. The last cell of
# texts is for unknown ones. The result is list(count, of), where `of` maps scores to cells.
cells_of_score <- function(score) {
  if (is.character(score)) {
    known <- unique(score)
    count <- length(known) + 1
    return(list(count = count, of = function(x) match(x, known, nomatch = count)))
  }
  # Infinite scores order like others, and missing scores have a separate cell.
  ends <- sort(unique(score[!is.na(score)]))
  if (length(ends) > audit_cells) {
    inner <- seq_len(audit_cells - 1) / audit_cells
    ends <- unique(stats::quantile(score, inner, type = 1, names = FALSE, na.rm = TRUE))
  }
  count <- length(ends) + 2
  list(count = count, of = function(x) {
    cell <- findInterval(x, ends) + 1
    cell[is.na(x)] <- count
    cell
  })
}

# Names the first neighbour for the cells that speak for it most, and the second for those that
# speak against it most. `excess` is a function of the right and wrong draws of all such splits, and
# of `used`. The best split has the largest excess.
best_split <- function(first, second, excess) {
  cells <- length(first)
  order <- order((first + 0.5) / (second + 0.5), decreasing = TRUE)
  up_to <- function(counts, order) c(0, cumsum(counts[order]))
  right <- outer(up_to(first, order), up_to(second, rev(order)), `+`)
  wrong <- outer(up_to(second, order), up_to(first, rev(order)), `+`)
  some <- (0:cells > 0) / 2
  found <- excess(right, wrong, outer(some, some, `+`))
  found[row(found) + col(found) - 2 > cells] <- -Inf
  found[1, 1] <- -Inf
  best <- arrayInd(which.max(found), dim(found))
  names <- integer(cells)
  names[utils::head(order, best[[1]] - 1)] <- 1L
  names[utils::tail(order, best[[2]] - 1)] <- 2L
  names
}

# The rule that earlier draws suggest against (epsilon, delta). `sides` are 1 and 2.
rule_of_score <- function(score, sides, epsilon, delta) {
  cells <- cells_of_score(score)
  at <- cells$of(score)
  n <- length(sides)
  excess <- function(right, wrong, used) {
    right <- (right + 0.5) / (n + 1.5)
    wrong <- (wrong + 0.5) / (n + 1.5)
    gain <- right - exp(epsilon) * wrong - delta * used
    gain / sqrt(right + exp(2 * epsilon) * wrong)
  }
  names <- best_split(tabulate(at[sides == 1], cells$count), tabulate(at[sides == 2], cells$count),
    excess
  )
  list(
    name = function(score) names[cells$of(score)],
    used = mean(1:2 %in% names)
  )
}

# Numbers of draws that are named right, named wrong and not named.
counts_of_names <- function(names, sides) {
  right <- sum(names == sides)
  abstained <- sum(names == 0)
  c(right, length(sides) - right - abstained, abstained)
}
