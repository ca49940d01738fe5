# Joins with public tables, and public tables as plain lists: list(columns = list(list(name, type,
# values), ...)).

# nolint start: object_name_linter.

#' @rdname dp_verbs
#' @exportS3Method dplyr::left_join
left_join.dp_tbl <- function(x, y, by = NULL, ...) joined(x, y, by, "left", environment())

#' @rdname dp_verbs
#' @exportS3Method dplyr::inner_join
inner_join.dp_tbl <- function(x, y, by = NULL, ...) joined(x, y, by, "inner", environment())

#' @rdname dp_verbs
#' @exportS3Method dplyr::semi_join
semi_join.dp_tbl <- function(x, y, by = NULL, ...) joined(x, y, by, "semi", environment())

#' @rdname dp_verbs
#' @exportS3Method dplyr::anti_join
anti_join.dp_tbl <- function(x, y, by = NULL, ...) joined(x, y, by, "anti", environment())

# nolint end

joined <- function(x, y, by, how, call) {
  if (inherits(y, "dp_tbl")) {
    stop_query("unsupported", "Two private tables cannot be joined.",
      "Join them before `dp_tbl()`, on the column that identifies a person.", call
    )
  }
  if (!is.data.frame(y)) stop_argument("a public data frame", describe(y), "y", call)
  by <- join_columns(x, y, by, call)
  added <- if (how %in% c("left", "inner")) setdiff(names(y), by$public)
  both <- intersect(added, names(x))
  if (length(both) > 0) {
    stop_query("unsupported", paste0("Both tables have a column ", listed(both), "."),
      "`rename()` it in the public table, or `select()` it away.", call
    )
  }
  kept <- if (is.null(added)) unique(by$public) else names(y)
  step <- list(
    step = "join", how = how, private = by$private, public = by$public,
    table = public_table(y, kept, "y", call)
  )
  add_step(x, step, columns = c(names(x), added), call = call)
}

# list(private, public): names of columns that must agree.
join_columns <- function(x, y, by, call) {
  if (inherits(by, "dplyr_join_by")) {
    if (!all(by$condition == "==")) {
      stop_query("unsupported", "Joins are by equal columns.", "`filter()` the rest.", call)
    }
    by <- stats::setNames(by$y, by$x)
  }
  if (is.null(by)) {
    by <- intersect(names(x), names(y))
    if (length(by) > 0) rlang::inform(paste0("Joining, by = ", toString(quoted(by))))
  }
  if (!is.character(by) || length(by) == 0 || anyNA(by)) {
    stop_query("unsupported", "`by` must name one or more columns of both tables.", call = call)
  }
  private <- if (is.null(names(by))) by else ifelse(nzchar(names(by)), names(by), by)
  absent <- setdiff(private, names(x))
  if (length(absent) > 0) stop_undeclared(absent[[1]], new_scope(names(x), call))
  missing <- setdiff(by, names(y))
  if (length(missing) > 0) {
    stop_query("domain", paste0("`y` has no column ", listed(missing, "or"), "."), call = call)
  }
  list(private = as.vector(private), public = as.vector(unname(by)))
}

# The columns `names` of a public data frame.
public_table <- function(data, names, arg, call) {
  if (anyDuplicated(names(data)) > 0) {
    stop_argument("a data frame whose columns have different names", "another", arg, call)
  }
  columns <- lapply(names, function(name) {
    column <- public_column(.subset2(data, name))
    if (is.null(column)) {
      stop_query("unsupported",
        paste0("Column ", quoted(name), " of `", arg, "` is ",
          describe(.subset2(data, name)), ", which a public table cannot have."),
        "It may have logicals, numbers, texts, factors and dates.", call
      )
    }
    c(list(name = name), column)
  })
  list(columns = columns)
}

# list(type, values); NULL for what is none.
public_column <- function(x) {
  if (is.factor(x)) {
    list(type = "text", values = as.character(x))
  } else if (inherits(x, "Date")) {
    list(type = "date", values = floor(as.double(unclass(x))))
  } else if (inherits(x, "integer64")) {
    values <- plain_constant(x)
    if (!is.null(values)) list(type = "integer", values = values)
  } else if (is.object(x) && !inherits(x, c("haven_labelled", "labelled", "AsIs"))) {
    NULL
  } else if (!is.null(dim(x))) {
    NULL
  } else {
    public_vector(as.vector(unclass(x)))
  }
}

public_vector <- function(x) {
  switch(typeof(x),
    logical = list(type = "logical", values = x),
    integer = list(type = "integer", values = x),
    double = if (!any(is.nan(x))) {
      whole <- all(is.na(x) | (x == trunc(x) & abs(x) <= 2^51))
      list(type = if (whole) "integer" else "real", values = x)
    },
    character = list(type = "text", values = enc2utf8(x))
  )
}
