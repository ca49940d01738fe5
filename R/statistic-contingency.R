#' Differentially private contingency table
#'
#' Plans releases of a contingency table: the number of rows with each combination of levels of
#' several columns, or some margins of this table. Building the plan checks the arguments,
#' calibrates the noise and reads no data. Each call of `release()` spends `epsilon` on all counts
#' together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. The levels are public. Every combination is released, including empty cells.
#'
#' By position, the arguments are `variables, levels, margins, n, epsilon`, as in earlier versions.
#'
#' @inheritParams dpMean
#' @param variables (`character`) Names of the columns, two or more. None can be `"count"`.
#' @param levels (`list`) Public levels of each column, 2 to 1000, named after the columns or in the
#'   order of `variables`. Use texts for a text column or a factor, and numbers for a numeric or
#'   logical column. All tables together can have at most a million cells.
#' @param margins (`list` of `character`) Margins to release, each with the names of its columns:
#'   `list(c("sex", "educ"), "age")`. `NULL` means the table of all columns.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param alpha (`numeric(1)`) Probability that the noise of a count exceeds its `accuracy`.
#' @param missing (`character(1)`) Rule for values that are missing, or not among the `levels`.
#'   `"drop"`, the default, counts them in a further level `NA` of each column. `"impute"` replaces
#'   them by one of the levels, all equally likely. Use it only if very few values are missing,
#'   because such draws do not depend on other columns.
#' @param other (`logical(1)`) Whether to call the further level `(other)`, for any `missing`.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpContingency`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `variables`, `varType` (`"factor"`), `levels`, `margins`,
#'   `design` (the tables that are counted: `"table"` or `"margins"`), `n`, `epsilon`, `delta` (0),
#'   `alpha`,
#'   `accuracy` (of a count, or a number for each of `margins`), `missing`, `other`, `input_metric`,
#'   `d_in`, `measurement`, `rng`, `rngFormat` and `imputeRng` (`NULL`: there is no range), and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with a row for each cell, a factor for each column and the noisy
#'   `count`, which can be negative. With `margins`, a list of such data frames, named after their
#'   columns.
#' * `counts`: in the form of `release`, the nearest counts that are not negative and add up to `n`.
#'   Margins also agree on their common margins. Over all cells of a single table these counts are
#'   at least as accurate as the noisy counts, in every release.
#' * `table`: the noisy table of all columns, if it was counted for `margins`.
#' * `variable`, `accuracy`, `epsilon`, `design`.
#'
#'   `as.table(result)` is a table of the `counts`, as [table()] makes it. With several margins,
#'   choose one with `margin`, a number or name. `as.data.frame(result)` has intervals. They reach
#'   `accuracy` around the noisy count, within 0 to `n`, and always include the count in `counts`.
#' @section How it works: One replaced row moves two counts of a table by one. So discrete Laplace
#'   noise of scale 2 / epsilon on all counts loses epsilon. For margins, two designs are compared
#'   by the sum of the variances of all requested counts, which is public. The smaller one is used:
#'
#'   * `"table"`: all K cells of the table are counted once, and margins are sums of these. For m
#'     margins the sum is 8 K m / epsilon^2.
#'   * `"margins"`: each margin, with c cells, is counted with a share of epsilon in proportion to
#'     c^(1/3). This share minimizes the sum, which is 8 (sum of c^(1/3))^3 / epsilon^2.
#'
#'   For several margins, `counts` are fitted by least squares, weighted by the inverse of their
#'   variances, so that they agree on their common margins and on `n`. Alternating projections
#'   (Dykstra's algorithm) then remove negative counts, until the margins agree to a millionth of a
#'   row. If the columns of one margin are part of another's, the smaller margin comes first. The
#'   larger one must add up to it, so its empty cells do no harm.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`. `dp_warning_noise` (the accuracy is as large as
#'   the mean count over all tables).
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar (2007), *Privacy,
#'   Accuracy, and Consistency Too: A Holistic Solution to Contingency Table Release*. Hay, Rastogi,
#'   Miklau and Suciu (2010), *Boosting the Accuracy of Differentially Private Histograms Through
#'   Consistency*. Boyle and Dykstra (1986), *A Method for Finding Projections onto the Intersection
#'   of Convex Sets in Hilbert Spaces*.
#' @seealso [dp_association()] for a test of independence and Cramer's V, [dpHistogram()] for one
#'   column
#' @examples
#' plan <- dpContingency(c("sex", "educ"), list(sex = c(0, 1), educ = 1:16),
#'   n = 10000, epsilon = 1
#' )
#' result <- plan$release(PUMS5extract10000)
#' head(result$release)
#' as.table(result)
#' dp_association(result)
#'
#' # Two margins of three columns.
#' pairs <- dpContingency(c("sex", "married", "educ"), list(c(0, 1), c(0, 1), 1:16),
#'   margins = list(c("sex", "married"), c("married", "educ")), n = 10000, epsilon = 1
#' )
#' pairs$design
#' as.table(pairs$release(PUMS5extract10000), "sex:married")
#' @export
dpContingency <- new_statistic("dpContingency", "Contingency table of several columns",
  "a contingency table",
  arguments = function(variables, levels, margins = NULL, n, epsilon,
                       mechanism = "mechanismLaplace", alpha = 0.05, n_check = "error",
                       missing = c("drop", "impute"), other = FALSE) {
  },
  required = c("variables", "levels", "n", "epsilon"),
  takes = list(
    variables = column_names(2), levels = levels_of("variables"),
    margins = margins_of("variables"), epsilon = loss_of_release(), other = flag()
  ),
  plan = function(...) plan_contingency(...),
  fields = contingency_fields,
  numbers = c("n", "variables", "levels"), others = c("n", "variables", "levels"),
  other_types = c("logical", "character", "factor")
)

plan_contingency <- function(args, call) {
  check_contingency(args, call)
  sizes <- stats::setNames(lengths(args$levels) + has_gap_level(args), args$variables)
  design <- table_design(sizes, args, call)
  measurement <- with_features("contrib", tables_measurement(args, sizes, design))
  shown <- args$margins %||% list(args$variables)
  own <- list(
    name = paste("table of", toString(args$variables)), variable = args$variables,
    varType = "factor", design = if (design$apart) "margins" else "table", delta = 0,
    accuracy = table_accuracy(shown, sizes, design, args$alpha),
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  )
  fields <- c(own, args)[contingency_fields]
  names(fields) <- contingency_fields
  new_plan(fields, contingency_describer(fields, sizes, design),
    read = reads_levels(args$levels), class = "dp_contingency_result",
    within = "the noise of a count is no larger", span = args$n,
    noise_dominates = all(fields$accuracy * cells_in(shown, sizes) >= args$n),
    model = list(
      noise = list(sets = design$sets, sizes = sizes, epsilon = design$epsilon),
      gap_level = has_gap_level(args)
    ),
    covers = c(accuracy = target_of$rows), call = call
  )
}

has_gap_level <- function(args) args$other || drops_missing(args)

check_contingency <- function(args, call) {
  if ("count" %in% args$variables) {
    stop_argument("other names than \"count\"", "that", "variables", call)
  }
}

# Design and noise of contingency tables -----------------------------------------------------------

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

# Results from the released counts of tables, by postprocessing ------------------------------------

# Prepares labels of cells and common margins once, when they are first needed, because that takes
# longer than the release.
contingency_describer <- function(plan_fields, sizes, design) {
  force(plan_fields)
  force(sizes)
  force(design)
  delayedAssign("layout", table_layout(plan_fields, sizes, design))
  function(release, fields) contingency_result(release, fields, layout)
}

# Returns list(cells, fit, whole, sums): labels of each table shown, and the constraints on these.
# If margins are sums of the whole table, also its labels, and for each of its cells the cell of
# each margin.
table_layout <- function(fields, sizes, design) {
  labels <- stats::setNames(
    lapply(fields$levels, level_labels, fields), fields$variables
  )
  shown <- fields$margins %||% list(fields$variables)
  sums <- !is.null(fields$margins) && !design$apart
  list(
    cells = lapply(shown, function(set) cells_of(labels[set])),
    names = if (!is.null(fields$margins)) vapply(shown, paste, "", collapse = ":"),
    fit = margins_to_fit(shown, sizes, margin_weights(shown, sizes, design)),
    whole = if (sums) cells_of(labels),
    sums = if (sums) lapply(shown, function(set) places_in_margin(sizes, set))
  )
}

# Inverse noise variances of the tables shown, up to a common factor.
margin_weights <- function(shown, sizes, design) {
  if (design$apart) design$epsilon^2 else cells_in(shown, sizes) / prod(sizes)
}

# Labels levels. A level may already be called "NA" or "(other)".
level_labels <- function(levels, fields) {
  make.unique(c(
    as.character(levels), if (fields$other) "(other)" else if (drops_missing(fields)) "NA"
  ))
}

# List of factors, the first varying fastest.
cells_of <- function(labels) {
  sizes <- lengths(labels)
  before <- cumprod(c(1, sizes))[seq_along(sizes)]
  cells <- seq_len(prod(sizes)) - 1
  Map(function(labels, size, before) {
    structure(as.integer(cells %/% before %% size + 1), levels = labels, class = "factor")
  }, labels, sizes, before)
}

contingency_result <- function(release, fields, layout) {
  noisy <- lapply(if (is.list(release)) release else list(release), as.double)
  whole <- if (!is.null(layout$whole)) table_frame(layout$whole, noisy[[1]])
  if (!is.null(layout$sums)) noisy <- lapply(layout$sums, sums_by_place, x = noisy[[1]])
  counts <- nearest_tables(noisy, layout$fit, fields$n)
  shown <- function(tables) {
    frames <- Map(table_frame, layout$cells, tables)
    if (is.null(layout$names)) frames[[1]] else stats::setNames(frames, layout$names)
  }
  c(
    list(
      release = shown(noisy), variable = fields$variable, accuracy = fields$accuracy,
      epsilon = fields$epsilon, counts = shown(counts), design = fields$design
    ),
    if (!is.null(whole)) list(table = whole)
  )
}

table_frame <- function(cells, count) {
  structure(c(cells, list(count = count)),
    class = "data.frame", row.names = .set_row_names(length(count))
  )
}

# Tables of a result as a list, even if there is only one.
tables_in <- function(x) if (is.data.frame(x)) list(x) else x

# Labels rows as "sex=0:educ=3".
cell_terms <- function(table) {
  cells <- table[names(table) != "count"]
  do.call(paste, c(unname(Map(paste, names(cells), cells, sep = "=")), sep = ":"))
}

# S3 method names contain dots.
# nolint start: object_name_linter.

estimates_of.dp_contingency_result <- function(x) {
  n <- attr(x, "about")$n
  tables <- Map(function(table, noisy, accuracy) {
    ends <- count_ends(noisy$count, accuracy, n, table$count)
    data.frame(
      term = cell_terms(table), estimate = table$count, conf.low = ends$lower,
      conf.high = ends$upper
    )
  }, tables_in(x$counts), tables_in(x$release), x$accuracy)
  do.call(rbind, unname(tables))
}

#' @rdname statistic_tables
#' @param margin (number or `character(1)`) Margin of a [dpContingency()] with several: its number,
#'   or the names of its columns with colons between them.
#' @export
as.table.dp_contingency_result <- function(x, margin = 1, ...) {
  check_names(...)
  tables <- tables_in(x$counts)
  known <- is_number(margin) && margin %in% seq_along(tables) ||
    is_string(margin) && margin %in% names(tables)
  if (!known) stop_argument("one of the margins", name_public(margin), "margin", environment())
  counts <- tables[[margin]]
  labels <- lapply(unclass(counts)[names(counts) != "count"], levels)
  structure(array(counts$count, unname(lengths(labels)), labels), class = "table")
}

pictures.dp_contingency_result <- function(x) {
  tables <- tables_in(x$counts)
  draw <- function(counts, bars) {
    force(counts)
    variables <- setdiff(names(counts), "count")
    if (length(variables) == 2) {
      function() count_tiles(counts)
    } else {
      bars
    }
  }
  if (!is.null(names(tables))) {
    rows <- split(as.data.frame(x), rep(seq_along(tables), vapply(tables, nrow, 0)))
    return(Map(function(counts, rows) draw(counts, function() table_bars(counts, rows)), tables,
      unname(rows)))
  }
  bars <- function() table_bars(tables[[1]], as.data.frame(x))
  if (length(x$variable) == 2) list(tiles = draw(tables[[1]]), counts = bars) else
    list(counts = bars)
}

# nolint end

table_bars <- function(counts, rows) {
  list(
    kind = "bars", table = rows, ylab = "rows",
    xlab = paste(setdiff(names(counts), "count"), collapse = ":")
  )
}

# Data for tiles: one variable in each direction, and the counts.
count_tiles <- function(counts) {
  variables <- setdiff(names(counts), "count")
  list(
    kind = "tiles", xlab = variables[[1]], ylab = variables[[2]],
    table = data.frame(
      x = counts[[variables[[1]]]], y = counts[[variables[[2]]]], estimate = counts$count
    )
  )
}
