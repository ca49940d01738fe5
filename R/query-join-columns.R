# Columns of public tables in joins.

# list(private, public): names of the key columns.
join_columns <- function(x, y, by, call) {
  if (inherits(by, "dplyr_join_by")) {
    if (!all(by$condition == "==")) {
      stop_query("unsupported", "Joins support only conditions with `==`.",
        "Use `filter()` for other conditions.", call
      )
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
    stop_query("domain", paste0("`y` has no column ", listed(missing, "or"), "."),
      hint_for_column(missing, names(y)), call
    )
  }
  list(private = as.vector(private), public = as.vector(unname(by)))
}

# Reads the columns `names` of a public data frame.
public_table <- function(data, names, arg, call) {
  if (anyDuplicated(names(data)) > 0) {
    stop_argument("a data frame with distinct column names", "another", arg, call)
  }
  check_table_size(data, names, arg, call)
  columns <- lapply(names, function(name) {
    column <- public_column(.subset2(data, name))
    if (is.null(column)) stop_no_public_column(.subset2(data, name), name, arg, call)
    c(list(name = name), column)
  })
  list(columns = columns)
}

stop_no_public_column <- function(x, name, arg, call) {
  has_nan <- typeof(x) == "double" && any(is.nan(unclass(x)))
  stop_query("unsupported",
    paste0("Column ", quoted(name), " of `", arg, "` is ",
      if (has_nan) "NaN in a row" else describe(x), ", which a public table cannot have."),
    if (has_nan) "Use NA for a missing value, or drop the row." else
      "Use logicals, numbers, texts, factors or dates.", call
  )
}

# Checks the size before reading a value.
check_table_size <- function(data, names, arg, call) {
  size <- sum(as.double(lengths(unclass(data)[names])))
  if (size > limit("cells")) {
    stop_query("unsupported",
      paste0("`", arg, "` must have at most ", limit("cells"), " values, and it has ", size, "."),
      "Select its columns and rows, or join the data before `dp_tbl()`.", call
    )
  }
}

# list(type, values), or NULL if the column is not supported.
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
