# Results from the released counts of tables: postprocessing.

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
