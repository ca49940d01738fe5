# The tables that a plan releases, used to compare a published table by its columns: it can have
# extra columns, such as intervals, or a row for each number.

# The tables of a query (one, without a name) or of a batch (by name), or NULL for other plans. Each
# is list(keys, outputs, dates, counts, reals, sizes, groups, values), see planned_table().
planned_tables <- function(object) UseMethod("planned_tables")

planned_tables.default <- function(object) NULL # nolint: object_name_linter.

# The release as a table, or as a list of tables, with the columns of the plan.
planned_form <- function(table, tables) {
  if (is.null(names(tables))) planned_columns(table, tables[[1]]) else planned_parts(table, tables)
}

# Tables by name, or one data frame with the column `query`.
planned_parts <- function(x, tables) {
  if (is.data.frame(x)) x <- split_by_query(x, names(tables))
  Map(function(part, table) planned_columns(part, table), x[names(tables)], tables)
}

split_by_query <- function(x, names) {
  lapply(stats::setNames(names, names), function(name) {
    part <- x[x$query == name, setdiff(names(x), "query"), drop = FALSE]
    `rownames<-`(part, NULL)
  })
}

# Selects the planned columns of a table that has others.
planned_columns <- function(table, planned) {
  if (is_table_of_estimates(table) && !all(planned$outputs %in% names(table))) {
    table <- widened(table, planned)
  }
  wanted <- lapply(c(planned$keys, planned$outputs), columns_named, names(table))
  table[unlist(wanted)]
}

# Finds a column, or the columns of its numbers, such as q[0.5]. read.csv() turns these names into
# valid R names.
columns_named <- function(name, names) {
  found <- which(names == name | startsWith(names, paste0(name, "[")))
  if (length(found) > 0) {
    return(found)
  }
  which(names == make.names(name) | startsWith(names, make.names(paste0(name, "["))))
}

# Makes a row for each group from a table with a row for each number.
widened <- function(table, planned) {
  columns <- unclass(table)
  groups <- if (length(planned$keys) > 0) {
    do.call(paste, c(lapply(unname(columns[planned$keys]), as.character), sep = "\r"))
  } else {
    rep("", length(columns$term))
  }
  terms <- as.character(columns$term)
  first <- !duplicated(groups)
  wide <- lapply(stats::setNames(nm = unique(terms)), function(term) {
    rows <- which(terms == term)
    values <- columns$estimate[rows[match(groups[first], groups[rows])]]
    is_date <- any(term == planned$dates | startsWith(term, paste0(planned$dates, "[")))
    if (is_date) as.Date(values, "1970-01-01") else values
  })
  keys <- lapply(columns[planned$keys], function(key) key[first])
  list2DF(c(keys, wide))
}

# Explains why a value that matches in no form proves nothing. NULL if it proves that the release is
# a different one.
why_not_comparable <- function(value, object, tables) {
  if (is.null(value)) {
    "the file has no table"
  } else if (is_result(value)) {
    is_part <- !is.null(names(tables)) && inherits(value, "dp_released")
    if (is_part) "the receipt is of a batch: give the release of the whole batch"
  } else if (is.null(tables)) {
    why_no_release_of_statistic(value, object)
  } else if (is.null(names(tables))) {
    if (is.data.frame(value)) why_no_table(value, tables[[1]]) else "give the released table"
  } else if (is_list_of_tables(value) && all(names(tables) %in% names(value)) ||
    is_table_of_estimates(value) && "query" %in% names(value)) {
    if (is.data.frame(value)) value <- split_by_query(value, names(tables))
    unlist(Map(why_no_table, value[names(tables)], tables))[1]
  } else {
    paste0("the receipt is of a batch: give a list of its tables (", listed(names(tables)),
      "), or its `as.data.frame()`"
    )
  }
}

is_result <- function(x) inherits(x, "dp_result") || is_statistic(x)

why_no_table <- function(table, planned) {
  wide <- planned_columns(typed_table(table), planned)
  places <- lapply(stats::setNames(nm = c(planned$keys, planned$outputs)), columns_named,
    names(wide)
  )
  expected <- c(rep(1, length(planned$keys)), planned$sizes)
  in_list <- vapply(places, function(at) length(at) == 1 && is.list(unclass(wide)[[at]]), NA)
  lacking <- names(places)[lengths(places) < expected & !in_list]
  numbers <- unclass(wide)[unlist(places[planned$outputs])]
  values_of <- function(names) as.numeric(unlist(unclass(wide)[unlist(places[names])]))
  if (length(lacking) > 0) {
    paste0("the table lacks ", listed(lacking))
  } else if (has_impossible_groups(unclass(wide)[unlist(places[planned$keys])], planned)) {
    NULL
  } else if (isTRUE(nrow(wide) < planned$groups)) {
    paste0("the table has ", nrow(wide), " of ", planned$groups, " groups")
  } else if (any(vapply(numbers, is.character, NA))) {
    no_texts
  } else if (are_rounded(values_of(planned$counts), values_of(planned$reals))) {
    rounded_table
  } else if (is.na(planned$groups)) {
    incomplete_table
  }
}

# Whether no release of the plan has these groups: a group comes twice, or has a key that is not
# declared. A reader of files can turn a level "01" into 1, so such keys can differ.
has_impossible_groups <- function(keys, planned) {
  texts <- lapply(unname(keys), as.character)
  is_changed <- Map(function(key, values) is.character(values) && !is.character(key), keys,
    planned$values[planned$keys]
  )
  known <- Reduce(`&`, lapply(texts, function(key) !key %in% c(NA, "NA")), TRUE)
  twice <- length(keys) > 0 && !any(unlist(is_changed)) &&
    anyDuplicated(do.call(paste, c(texts, sep = "\r"))[known]) > 0
  twice || any(unlist(Map(is_undeclared_key, texts, planned$values[planned$keys])))
}

is_undeclared_key <- function(key, values) {
  number <- suppressWarnings(as.numeric(key))
  declared <- if (is.character(values)) {
    key %in% values | number %in% suppressWarnings(as.numeric(values))
  } else if (is.numeric(values)) {
    is.na(number) | number >= values[[1]] & number <= values[[2]]
  } else {
    TRUE
  }
  !key %in% c(NA, "NA") & !declared
}

incomplete_table <- paste(
  "some groups are private or hidden, so the table can lack a row. Its groups can be in a release,",
  "but a receipt has the hash of all rows: give the complete table"
)

no_texts <- "give numbers without intervals and marks, such as `as.data.frame()`"

rounded_table <- "the numbers are rounded: give the saved release, or 15 digits"

# Counts of a release can all end in 0 by chance, so reals decide if there are any.
are_rounded <- function(counts, reals) {
  counts <- counts[is.finite(counts)]
  reals <- reals[is.finite(reals)]
  if (length(reals) > 0) all(reals == signif(reals, 10)) else
    any(counts != 0) && all(counts %% 10 == 0)
}

# The table of a classed result can lack released numbers.
why_no_release_of_statistic <- function(value, object) {
  class <- if (is_statistic(object)) object$.__enclos_env__$private$.plan$class
  holds_all <- c("dp_histogram_result", "dp_hitters_result", "dp_lm_result")
  whole <- is.null(class) || any(holds_all %in% class)
  if (is.data.frame(value)) {
    value <- typed_table(value)
    if (!whole) return("this table lacks released numbers: give the result, saved by `saveRDS()`")
    if (!is_table_of_estimates(value)) return("the table must have the columns `term`, `estimate`")
    value <- value$estimate
    if (!is.numeric(value)) return(no_texts)
  }
  if (is.numeric(value) && are_rounded(numeric(), as.numeric(value))) rounded_table
}
