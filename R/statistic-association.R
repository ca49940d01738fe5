#' Test of independence and Cramer's V of a released table
#'
#' Tests whether two variables of a released [dpContingency()] are independent, with the chi-square
#' statistic and a p-value. It also gives Cramer's V with an interval. Both account for the noise.
#' They are computed from the release, and spend nothing.
#'
#' The classical p-value mistakes noise for association. Here the law of the statistic is simulated.
#' It draws tables of `n` rows from a population with independent variables, and adds the noise of
#' the release. The released margins are noisy, too. So the test tries ten
#' populations, one with the released margins and nine with margins drawn around them. The largest
#' p-value counts. In 500 releases of each of six designs without association, the test at level
#' 0.05 rejected between 1% and 3%. That is no proof for all margins.
#'
#' If several tables contain both variables, the one with the least noise is used. A level for
#' missing or other values is left out. Draws use R's generator, so `set.seed()` repeats them.
#'
#' @param result A result of [dpContingency()], or the statistic, after a release.
#' @param variables (`character(2)`) Two variables to test. Not needed if there are only two.
#' @param level (`numeric(1)`) Coverage of the interval.
#' @param sampling (`logical(1)`) Whether the interval is for the population that the rows were
#'   drawn from. Otherwise it is for the data as used, and covers only noise.
#' @param draws (whole number) Number of simulated tables for each point of the interval and each
#'   population of the test, 100 or more. No p-value is below 1 / (`draws` + 1).
#' @param ... Not used: other names raise an error.
#' @returns A list of class `htest`, as [stats::chisq.test()] returns it: `statistic` (chi-square of
#'   the `counts` without noise), `parameter` (degrees of freedom without noise), `p.value`,
#'   `estimate` (Cramer's V), `conf.int` (with an attribute `conf.level`), `observed` and `expected`
#'   (the released table and the one under independence), `method` and `data.name`.
#' @section How it works: Let O be the table of N rows without negative counts, and E its
#'   expectation under independence. Chi-square is the sum of (O - E)^2 / E over the cells with E
#'   above 0. With r and c levels, V = sqrt(chi-square / (N min(r - 1, c - 1))). Noise and sampling
#'   make V too large, and more so if V is small. So the interval contains all values that do not
#'   make the released V extreme: neither among the largest nor among the smallest (1 - `level`) / 2
#'   of the simulated ones. Their tables are E + t (O - E) for t from 0 on, cut at 0. In 2000
#'   releases of a table of two by two levels, with 1000 rows and `epsilon = 1`, intervals of 95%
#'   covered in 95.7% with 100 draws, and in 96.7% with 500 draws.
#' @section Memory and time: Tables are simulated in blocks of at most 2^20 numbers, so memory does
#'   not grow with `draws`. Cells times `draws` times 37 must be at most 2^32, about half an hour.
#'   Larger simulations raise an error before they start.
#' @section Errors: `dp_error_invalid_argument` for another result, for variables that no table
#'   contains, and for too many `draws`.
#' @references Berger and Boos (1994), *P Values Maximized Over a Confidence Set for the Nuisance
#'   Parameter*. Gaboardi, Lim, Rogers and Vadhan (2016), *Differentially Private Chi-Squared
#'   Hypothesis Testing: Goodness of Fit and Independence Testing*. Cramer (1946), *Mathematical
#'   Methods of Statistics*, section 21.9.
#' @examples
#' plan <- dpContingency(c("sex", "married"), list(c(0, 1), c(0, 1)), n = 10000, epsilon = 0.5)
#' dp_association(plan$release(PUMS5extract10000))
#' @export
dp_association <- function(result, variables = NULL, level = 0.95, sampling = TRUE, draws = 500,
                           ...) {
  check_names(...)
  call <- rlang::current_env()
  if (inherits(result, "dpContingency")) result <- result$result
  if (!inherits(result, "dp_contingency_result")) {
    stop_argument("a result of `dpContingency()`", describe(result), "result", call)
  }
  check_probability(level)
  check_flag(sampling)
  draws <- check_whole(draws, min = least_draws)
  table <- table_of_two(result, variables, call)
  check_simulation(length(table$counts), draws, call)
  fit <- independence_fit(table$counts, table)
  ends <- v_interval(fit, table, 1 - level, sampling, draws)
  p <- p_value(fit, table, draws)
  structure(list(
    statistic = c(`X-squared` = fit$chi_square),
    parameter = c(df = prod(table$levels - 1)), p.value = p,
    estimate = c(`Cramer's V` = cramers_v(fit$chi_square, fit$rows, table$levels)),
    conf.int = structure(ends, conf.level = level),
    observed = table_of(fit$observed, table), expected = table_of(fit$expected, table),
    method = paste0("Test of independence of a differentially private table", at_least_p(p, draws)),
    data.name = paste(table$variables, collapse = " and ")
  ), class = "htest")
}

# Raises p-values to the smallest that a simulation of this size can give.
at_least_p <- function(p, draws) {
  least <- 1 / (draws + 1)
  if (p <= least) paste0(" (", draws, " draws: p <= ", show_number(least, 3), ")")
}

# Simulates and drops tables in blocks, so memory does not grow with the number of draws.
least_draws <- 100
largest_block <- 2^20 # numbers
largest_simulation <- 2^32 # numbers, about half an hour

# Binds the results of `simulate(size)` for blocks of `draws` tables with `cells` cells in a row.
in_blocks_of_draws <- function(cells, draws, simulate) {
  size <- max(1, largest_block %/% cells)
  sizes <- rep(size, draws %/% size)
  if (draws %% size > 0) sizes <- c(sizes, draws %% size)
  do.call(cbind, lapply(sizes, function(size) rbind(simulate(size))))
}

# The test draws each cell `10 * draws` times, and each point of the interval `draws` times.
check_simulation <- function(cells, draws, call) {
  numbers_a_draw <- 10 + length(strengths)
  if (cells * draws * numbers_a_draw <= largest_simulation) {
    return()
  }
  most <- largest_simulation %/% (cells * numbers_a_draw)
  stop_argument(
    paste("at most", show_number(most, 7), "for a table of", show_number(cells, 7), "cells"),
    show_number(draws, 7), "draws", call
  )
}

# Returns list(variables, counts, n, terms, epsilon, levels, inner, labels). `counts`: noisy counts
# of two variables, each with the sum of `terms` discrete Laplace variables of scale 2 / epsilon.
# `inner`: indices of the counts that belong to `levels`.
table_of_two <- function(result, variables, call) {
  about <- attr(result, "about")$model
  variables <- variables %||% result$variable
  fits <- is.character(variables) && length(variables) == 2 && !anyDuplicated(variables)
  known <- vapply(about$noise$sets, function(set) all(variables %in% set), NA)
  if (!fits || !any(known)) {
    stop_argument("two variables of one of the tables that were counted", describe(variables),
      "variables", call
    )
  }
  sizes <- about$noise$sizes
  terms <- cells_in(about$noise$sets, sizes) / prod(sizes[variables])
  source <- which.min(ifelse(known, terms / about$noise$epsilon^2, Inf))
  frame <- tables_in(result$table %||% result$release)[[source]]
  cells <- lapply(unclass(frame)[variables], as.integer)
  sizes <- unname(sizes[variables])
  inner <- sizes - about$gap_level
  places <- expand.grid(first = seq_len(sizes[[1]]), second = seq_len(sizes[[2]]))
  list(
    variables = variables, n = attr(result, "about")$n, terms = terms[[source]],
    counts = sums_by_place(frame$count, cells[[1]] + sizes[[1]] * (cells[[2]] - 1)),
    epsilon = about$noise$epsilon[[source]], levels = inner,
    inner = which(places$first <= inner[[1]] & places$second <= inner[[2]]),
    labels = lapply(unclass(frame)[variables], levels)
  )
}

table_of <- function(counts, table) {
  labels <- Map(utils::head, table$labels, table$levels)
  structure(array(counts, table$levels, labels), class = "table")
}

# Expected table under independence, with the margins of the nearest counts that are not negative.
independence_fit <- function(noisy, table) {
  all <- count_projection(noisy, table$n)
  observed <- all[table$inner]
  square <- matrix(observed, table$levels[[1]])
  rows <- sum(observed)
  expected <- if (rows > 0) as.vector(outer(rowSums(square), colSums(square))) / rows else observed
  list(
    all = all, observed = observed, rows = rows, expected = expected,
    chi_square = chi_squares(matrix(all), table)
  )
}
