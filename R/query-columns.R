#' Columns that declarations read
#'
#' `dp_columns()` returns the table of column classes that each declaration of [dp_schema()] reads.
#' [dp_tbl()] checks this table. A column is read as it is, read by a rule, or refused. A refused
#' column raises `dp_error_source` before any charge. The message has the code that converts it.
#'
#' @template column-rules
#' @returns (data frame) A row for each cell of the table:
#'
#'   * `source`: `"data frame"`, `"Arrow"`, `"SQLite"`, `"DuckDB"`, `"PostgreSQL"` or `"Spark"`.
#'   * `column`: the class in R, or the type in Arrow or in the engine. For SQLite, the type is the
#'     affinity of the column.
#'   * `declaration`: for example `"dp_int()"`. `"dp_levels(\"a\")"` means levels that are texts,
#'     and `"dp_levels(1)"` means levels that are whole numbers.
#'   * `reading`: `"as it is"`, `"by a rule"` or `"refused"`.
#'   * `how`: the rule, or the code that converts the column `x`. `""` if there is none.
#' @seealso [dp_schema()], [missing_values] for the rules of missing values and bounds
#' @examples
#' columns <- dp_columns()
#' subset(columns, source == "data frame" & column == "POSIXct")
#' @export
dp_columns <- function() {
  columns <- as.data.frame(core_column_rules())
  columns[c("source", "column", "declaration", "reading", "how")]
}

# How a column of this class or type is read: list(kind, reading, how). `declared` is NULL for an id
# column.
column_reading <- function(source, column, declared) {
  core_column_rule(source, column, declared_with(declared))
}

# Columns that can have other numbers than their declaration: fractions for dp_int(), and whole
# numbers for dp_flag(). `columns` has the class or type of each declared column, in the order of
# `domain`.
rounded_columns <- function(source, columns, domain) {
  is_rounded <- mapply(function(column, declared) {
    is_flag <- column %in% c("logical", "bool", "boolean")
    isTRUE(declared$type %in% c("integer", "logical")) && !is_flag &&
      identical(column_reading(source, column, declared)$reading, "by a rule")
  }, columns, unclass(domain))
  names(domain)[is_rounded]
}

declared_with <- function(declared) {
  switch(declared$type %||% "id",
    logical = "dp_flag()",
    integer = "dp_int()",
    real = "dp_num()",
    levels = if (isTRUE(declared$whole)) "dp_levels(1)" else "dp_levels(\"a\")",
    text = "dp_text()",
    date = "dp_date()",
    id = "dp_unit(id = )"
  )
}

# The class of `x` in the table of rules. Classes take precedence over types, and an object can have
# several classes.
class_of_column <- function(x) {
  known <- c("AsIs", "factor", "Date", "POSIXct", "POSIXlt", "hms", "difftime", "integer64")
  if (is.data.frame(x)) {
    "data.frame"
  } else if (!is.null(dim(x))) {
    "matrix"
  } else if (inherits(x, known)) {
    known[inherits(x, known, which = TRUE) > 0][[1]]
  } else if (inherits(x, c("haven_labelled", "labelled"))) {
    if (is.character(x)) "haven_labelled text" else "haven_labelled"
  } else if (is.object(x)) {
    "other"
  } else {
    switch(typeof(x),
      logical = , integer = , character = , list = typeof(x),
      double = "numeric",
      "other"
    )
  }
}

# Stops unless the column is readable as declared. Reads no value. `column` is the row in the table
# of rules, and `shown` is the type for messages.
check_column <- function(source, column, declared, name, call, shown = column) {
  rule <- column_reading(source, column, declared)
  check_zone_of_numbers(rule, column, declared, name, call)
  if (rule$reading != "refused" && !needs_more(column, declared)) {
    return(invisible(rule))
  }
  stop_query("source",
    paste0("Column ", quoted(name), " is of ", if (source == "data frame") "class " else "type ",
      shown, ", which ", unread_as(declared), "."),
    conversion_of(source, rule, column, name, declared), call
  )
}

# In a source without date-times, numbers are days, so seconds would exceed all bounds. Columns of
# other types can hold texts.
check_zone_of_numbers <- function(rule, column, declared, name, call) {
  if (is.na(rule$seconds) || is.null(declared$tz) || !column %in% c("integer", "real")) {
    return(invisible())
  }
  stop_query("source",
    paste0("Column ", quoted(name), " is of type ", column,
      ", where numbers are days, and days have no time zone."
    ),
    paste0(
      "If they are days, leave out `tz`. If they are seconds since 1970, convert them in a new ",
      "table: `CREATE TABLE ... AS SELECT ", gsub("\\bx\\b", name, rule$seconds), " AS ", name,
      ", ... `."
    ), call
  )
}

# Rules that need more than the declaration gives.
needs_more <- function(column, declared) {
  identical(column, "POSIXct") && is.null(declared$tz) ||
    identical(column, "haven_labelled") && identical(declared$type, "levels") &&
      !isTRUE(declared$whole) && is.null(declared$codes)
}

unread_as <- function(declared) {
  if (is.null(declared)) {
    return("cannot identify a person")
  }
  paste0("its declaration does not read: ", describe_column(declared))
}

# The declared time zone replaces the time zone in the code of the rule.
conversion_of <- function(source, rule, column, name, declared = NULL) {
  tz <- declared$tz
  if (rule$reading != "refused") {
    return(switch(column,
      POSIXct = "Declare the time zone of the days: `dp_date(tz = \"Europe/Zurich\")`.",
      "Declare the value labels as levels: `dp_levels(levels = \"public\")`."
    ))
  }
  if (!nzchar(rule$how)) {
    return("Change the declaration, or convert the column before `dp_tbl()`.")
  }
  if (startsWith(rule$how, "dp_")) {
    return(paste0("Declare it with `", rule$how, "`."))
  }
  if (are_codes_of_levels(column, declared)) {
    return(advice_for_codes(source, column, name, declared$levels))
  }
  if (!is.null(tz)) rule$how <- sub("(['\"])UTC\\1", paste0("\\1", tz, "\\1"), rule$how)
  of <- if (make.names(name) == name) name else paste0("`", name, "`")
  code <- gsub("\\bx\\b", if (source == "data frame") paste0("data$", of) else name, rule$how)
  if (source == "data frame" && grepl("origin = ", code, fixed = TRUE)) {
    since <- function(day) {
      paste0("`data$", of, " <- as.Date(as.numeric(data$", of, "), origin = \"", day, "\")`")
    }
    paste0("Convert it before `dp_tbl()`. Days since 1970-01-01, as R and SQLite count them: ",
      since("1970-01-01"), ". Days since 1899-12-30, as Excel counts them: ", since("1899-12-30"),
      "."
    )
  } else if (source == "data frame") {
    paste0("Convert it before `dp_tbl()`: `data$", of, " <- ", code, "`.")
  } else if (source == "Arrow") {
    paste0("Convert it before `dp_tbl()`: `", gsub("\\bx\\b", name, rule$how), "`.")
  } else {
    converted <- paste0("SELECT ", code, " AS ", name, ", ... ")
    paste0("Convert it ", sub("%s", converted, rule$place, fixed = TRUE), ".")
  }
}

# Texts of numbers, such as "1", are not levels such as "male".
are_codes_of_levels <- function(column, declared) {
  if (!identical(declared$type, "levels") || isTRUE(declared$whole)) {
    return(FALSE)
  }
  if (column %in% c("logical", "boolean")) {
    return(!all(declared$levels %in% c("TRUE", "FALSE", "true", "false")))
  }
  numbers <- c("numeric", "integer", "integer64", "real", "bigint", "double")
  column %in% numbers && !all(grepl("^-?[0-9.]+$", declared$levels))
}

# `dp_levels()` reads no levels in codes, so converting these to texts would make them all missing.
advice_for_codes <- function(source, column, name, levels) {
  declare <- if (column %in% c("logical", "boolean")) "`dp_flag()`" else "`dp_levels(0, 1)`"
  first <- if (length(levels) == 2) 0 else 1
  codes <- if (column == "logical") c("FALSE", "TRUE") else first - 1 + seq_along(levels)
  codes <- utils::head(codes, length(levels))
  of <- if (make.names(name) == name) name else paste0("`", name, "`")
  fix <- if (source == "data frame" && length(levels) <= 6 && length(codes) == length(levels)) {
    paste0(" Or give each code its level: `data$", of, " <- factor(data$", of, ", levels = c(",
      toString(codes), "), labels = c(", toString(dQuote(levels, FALSE)), "))`."
    )
  }
  paste0("If the column has codes, declare the codes, for example ", declare, ".", fix)
}
