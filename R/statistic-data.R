# Reads private data. No other file does.

# Reads a column of numbers. Its name must match exactly, and its type is checked before any value
# is read. It is not copied: the core reads doubles, integers and logical values in place
# (src/r_rows.h). An error names the kind of the column, which is public.
column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_plain_column(column)) {
    refuse_data(data, variable, "a plain logical, integer or double vector")
  }
  structure(list(column), class = "dp_numbers")
}

# Checks only types and attributes, and ignores classes.
is_plain_column <- function(x) {
  typeof(x) %in% c("logical", "integer", "double") && !is.object(x) && is.null(attr(x, "dim"))
}

# Reads columns, each as column_of() does.
columns_of <- function(data, columns) {
  all <- lapply(stats::setNames(nm = columns), function(column) column_of(data, column))
  structure(all, class = "data.frame", row.names = .set_row_names(rows_in(all[[1]])))
}

# Reads `columns`, including texts and factors: list(numbers, texts), or only numbers. The first
# column has numbers.
columns_of_kinds <- function(data, columns) {
  if (is.character(columns)) {
    return(columns_of(data, columns))
  }
  numbers <- columns_of(data, columns$numbers)
  texts <- lapply(stats::setNames(nm = columns$texts), function(column) texts_of(data, column))
  structure(c(unclass(numbers), texts), class = "data.frame",
    row.names = .set_row_names(rows_in(numbers[[1]]))
  )
}

# Number of rows of a column from one of these functions. Ignores the class of the data.
rows_in <- function(column) {
  length(unclass(if (inherits(column, c("dp_numbers", "dp_texts"))) column[[1]] else column))
}

# Data frame of doubles from columns_of() on public data.
doubles_in <- function(columns) {
  columns[] <- lapply(unclass(columns), function(column) as.double(column[[1]]))
  columns
}

# Reads a text column or a factor without changes. The core interprets its elements. It turns
# invalid encodings and codes without a level into missing values, so that one row cannot decide
# whether there is a release.
text_column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_text_column(column)) refuse_data(data, variable, "text or a factor")
  column
}

# Reads texts as one column of a frame with several.
texts_of <- function(data, variable) {
  structure(list(text_column_of(data, variable)), class = "dp_texts")
}

# Checks only types and attributes, and ignores classes.
is_text_column <- function(x) {
  kept_as <- if (inherits(x, "factor")) {
    typeof(x) == "integer" && typeof(attr(x, "levels")) == "character"
  } else {
    typeof(x) == "character" && !is.object(x)
  }
  kept_as && is.null(attr(x, "dim"))
}

# Gets the column, or NULL.
one_column <- function(data, variable) {
  if (!is.data.frame(data)) {
    return(NULL)
  }
  check_ungrouped(data)
  at <- which(attr(data, "names") == variable)
  if (length(at) == 1) .subset2(data, at)
}

# Keeps the names and types of the data, without rows. Ignores classes.
without_rows <- function(data) {
  if (!is.data.frame(data)) {
    return(data)
  }
  kept <- attributes(data)
  kept$row.names <- integer()
  columns <- lapply(unclass(data), column_without_rows)
  attributes(columns) <- kept
  columns
}

column_without_rows <- function(column) {
  if (!is.vector(unclass(`attributes<-`(column, NULL)))) {
    return(column)
  }
  empty <- vector(typeof(column), 0)
  kept <- attributes(column)
  kept[c("names", "dimnames")] <- NULL
  if (!is.null(kept$dim)) kept$dim <- c(0L, kept$dim[-1])
  attributes(empty) <- kept
  empty
}

# Refuses grouped rows: one result for all rows would look like a result for each group. The class
# is public.
check_ungrouped <- function(data) {
  if (inherits(data, c("grouped_df", "rowwise_df"))) {
    stop_dp(paste0(
      "`data` must not be grouped: a statistic has one result, for all rows. Release it for the ",
      "rows of each group, or use `dp_tbl()`, `group_by()` and `summarise()`."
    ), "invalid_argument", argument = "data", call = NULL)
  }
}

# Refuses a wrong number of rows. Neighbours have the same number, so both are refused or neither. A
# plan without the field is for data whose number of rows is private.
check_row_number <- function(columns, fields) {
  # Objects saved by older versions have the former name.
  if (!any(fields$n_check %in% c("error", former_row_check))) {
    return(invisible())
  }
  sizes <- vapply(columns, rows_in, 0)
  if (!all(sizes == fields$n)) {
    stop_rows(paste(
      "`data` must have `n` rows. Build the plan with the number of rows of the data as `n`: it",
      "becomes public. If it must stay private, use a query, which needs no `n`: see `dp_tbl()`."
    ))
  }
}

# `sentence` contains no number: only the fact that there was an error is public.
stop_rows <- function(sentence) stop_dp("{sentence}", "rows", argument = "data", call = NULL)

# Why data are refused, in words that follow from public things alone ------------------------------

# Public are whether the data are a data frame, the names of its columns, and types and classes. A
# class can have any name, so messages never repeat it.

refuse_data <- function(data, variable, what) {
  sentence <- if (!is.data.frame(data)) {
    paste0("`data` must be a data frame, not ", kind_of_column(data), ".")
  } else {
    at <- which(attr(data, "names") == variable)
    came <- switch(min(length(at), 2) + 1,
      ", but it has none", paste(", not", kind_of_column(.subset2(data, at))),
      ", but it has several"
    )
    fix <- if (length(at) == 1) {
      fix_of_column(.subset2(data, at), what)
    } else if (length(at) == 0) {
      meant <- hint_for_column(variable, attr(data, "names"))
      if (!is.null(meant)) paste0(" ", meant)
    }
    paste0("`data` needs one column `", variable, "` that is ", what, came, ".", fix)
  }
  stop_dp("{sentence}", "invalid_argument", argument = "data", call = NULL)
}

labelled_words <- paste(
  "labelled, whose numbers are codes. Set each code of a missing value to NA, for example",
  "x[x %in% 999] <- NA. haven::zap_missing() does this only for tagged missing values and declared",
  "na_values. Then convert it with as.numeric()"
)

# Classes that give the bits of a vector another meaning, and what its owner can do about it.
known_classes <- c(
  factor = "a factor, whose numbers are codes: convert it first",
  Date = "a Date: as.numeric() converts it to days",
  POSIXct = "a POSIXct: as.numeric() converts it to seconds",
  POSIXlt = "a POSIXlt, which is a list",
  difftime = "a difftime: as.numeric() converts it to numbers",
  integer64 = "an integer64: bit64::as.double.integer64() converts it to numbers",
  haven_labelled = labelled_words,
  labelled = labelled_words,
  data.frame = "a data frame",
  AsIs = "of class AsIs: see unclass()"
)

kind_of_column <- function(x) {
  class <- if (is.object(x)) match(attr(x, "class"), names(known_classes))
  class <- class[!is.na(class)]
  if (length(class) > 0) {
    known_classes[[class[[1]]]]
  } else if (is.object(x)) {
    "of a class that is not known here"
  } else if (!is.null(dim(x))) {
    "a matrix or an array"
  } else {
    kind_of_type(typeof(x))
  }
}

# Advice on converting a plain column to the needed kind.
fix_of_column <- function(x, needed) {
  if (is.object(x) || !is.null(attr(x, "dim"))) {
    NULL
  } else if (typeof(x) == "character" && !startsWith(needed, "text")) {
    " as.numeric() makes numbers of texts."
  } else if (typeof(x) %in% c("logical", "integer", "double") && startsWith(needed, "text")) {
    " as.character() makes texts of numbers."
  }
}

kind_of_type <- function(type) {
  switch(type,
    logical = "a logical vector",
    integer = "an integer vector",
    double = "a numeric vector",
    character = "text",
    list = "a list",
    `NULL` = "NULL",
    paste("of type", type)
  )
}

# Conversion of numbers to values of a whole or logical column -------------------------------------

# A public rule for each value, applied before the core reads them. Saved plans from before this
# choice existed have no `conversion`: the core truncates their numbers, and clamps them to 0 and
# 1 if the column is logical.

# Writes out the rule in the arguments, if the type uses it.
with_conversion <- function(arguments, declared) {
  if (!"conversion" %in% names(declared$kinds)) {
    return(arguments)
  }
  if (identical(arguments[["conversion"]], conversions)) arguments["conversion"] <- list("round")
  type <- arguments[["varType"]]
  converts <- is_string(type) && tolower(type) %in% c("integer", "logical")
  known <- is_string(arguments[["conversion"]]) && arguments[["conversion"]] %in% conversions
  if (known && (!converts || arguments[["conversion"]] == "truncate")) {
    arguments["conversion"] <- list(NULL)
  }
  arguments
}

# Type that numbers are converted to, or NULL.
converted_type <- function(arguments) {
  if (identical(arguments[["conversion"]], "round")) tolower(arguments[["varType"]])
}

# Converts the numeric columns that a plan has read. Codes of classes stay the same.
converted_columns <- function(columns, type) {
  if (is.null(type)) {
    return(columns)
  }
  if (is.data.frame(columns)) {
    kept <- attributes(columns)
    columns <- lapply(unclass(columns), converted_numbers, type)
    attributes(columns) <- kept
    return(columns)
  }
  converted_numbers(columns, type)
}

converted_numbers <- function(column, type) {
  if (inherits(column, "dp_numbers") && is.null(attr(column, "codes"))) {
    kept <- attributes(column)
    column <- list(converted(unclass(column)[[1]], type))
    attributes(column) <- kept
  }
  column
}

# Looks at values only if the type and class, which are public, require it.
converted <- function(x, type) {
  if (typeof(x) == "logical" || (type == "integer" && typeof(x) == "integer")) {
    x
  } else if (type == "integer") {
    round(x)
  } else {
    as.double(match(x, c(0, 1))) - 1
  }
}
