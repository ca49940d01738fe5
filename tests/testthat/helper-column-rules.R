# A column of each class or type in the table of column rules, and a test for each cell.

# Two rows of each R class in the table.
columns_of_table <- function() {
  list(
    logical = c(TRUE, FALSE), integer = 1:2, integer64 = bit64::as.integer64(1:2),
    numeric = c(1, 2.4), character = c("a", "2026-01-02"), factor = factor(c("a", "b")),
    Date = as.Date("2026-01-01") + 0:1, haven_labelled = haven::labelled(c(1, 2), c(a = 1, b = 2)),
    `haven_labelled text` = haven::labelled(c("a", "b"), c(One = "a")),
    POSIXct = as.POSIXct(c("2026-01-01 23:30", "2026-01-02"), tz = "UTC"),
    POSIXlt = as.POSIXlt(c("2026-01-01", "2026-01-02"), tz = "UTC"),
    difftime = as.difftime(1:2, units = "hours"),
    hms = structure(c(1, 2), units = "secs", class = c("hms", "difftime")),
    AsIs = I(1:2), matrix = matrix(1:4, 2), data.frame = data.frame(a = 1:2),
    list = list(1, 2), other = c(1i, 2i)
  )
}

declarations_of_table <- function(column) {
  list(
    `dp_flag()` = dp_flag(), `dp_int()` = dp_int(0, 5), `dp_num()` = dp_num(0, 5),
    `dp_levels("a")` = if (column == "haven_labelled") {
      dp_levels(levels = "public")
    } else {
      dp_levels("a", "b")
    },
    `dp_levels(1)` = dp_levels(1, 2), `dp_text()` = dp_text(),
    `dp_date()` = dp_date("2026-01-01", "2026-01-31", tz = if (column == "POSIXct") "UTC")
  )
}

# Query that reads the column `x` under this declaration, as an id if `declaration` asks for it.
query_of_cell <- function(source, column, declaration, session = dp_session(dp_epsilon(1e15))) {
  if (declaration == "dp_unit(id = )") {
    return(dp_tbl(session, source, dp_unit(id = x), dp_domain(y = dp_int(0, 5))) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_n_ids()))
  }
  dp_tbl(session, source, dp_unit(rows = 1), dp_domain(
    x = declarations_of_table(column)[[declaration]], y = dp_int(0, 5)
  )) |>
    summarise(n = dp_count(), none = dp_n_missing(x))
}

# `source_of(column)` makes a source with `rows` rows and the columns `x`, of the class or type, and
# `y`. It returns NULL if the engine does not support the type.
expect_column_rules <- function(source, source_of, rows) {
  rules <- dp_columns()
  rules <- rules[rules$source == source, ]
  expect_gt(nrow(rules), 0)
  for (i in seq_len(nrow(rules))) {
    data <- source_of(rules$column[[i]])
    if (!is.null(data)) expect_cell(rules[i, ], data, rows)
  }
}

expect_cell <- function(rule, data, rows) {
  info <- paste(rule$source, rule$column, rule$declaration, rule$reading)
  session <- dp_session(dp_epsilon(1e15))
  if (rule$reading == "refused") {
    error <- tryCatch(query_of_cell(data, rule$column, rule$declaration, session),
      error = identity
    )
    expect_s3_class(error, "dp_error_source")
    expect_match(conditionMessage(error), "x", fixed = TRUE, info = info)
  } else {
    found <- tryCatch(
      release(query_of_cell(data, rule$column, rule$declaration, session), epsilon = 1e12),
      error = identity
    )
    expect_s3_class(found, "dp_released")
    if (!inherits(found, "error")) expect_equal(round(found$n), rows, info = info)
    if (inherits(found, "error")) cat(info, conditionMessage(found), "\n")
  }
  if (rule$reading == "refused") expect_equal(dp_spent(session)[["epsilon"]], 0, info = info)
  if (rule$reading == "refused" && !inherits(error, "dp_error_source")) {
    cat(info, if (inherits(error, "error")) conditionMessage(error) else "taken", "\n")
  }
}

# Section of the help page `?dp_columns` that lists R classes, as roxygen reads it.
column_rules_section <- function() {
  rules <- dp_columns()
  rules <- rules[rules$source == "data frame" & rules$column != "other", ]
  code <- function(text) paste0("`", text, "`")
  outcome <- ifelse(rules$reading == "as it is", "read as it is",
    ifelse(rules$reading == "by a rule", rules$how,
      ifelse(nzchar(rules$how), paste("convert it with", code(rules$how)), "refused")
    )
  )
  items <- lapply(unique(rules$column), function(column) {
    of <- rules$column == column
    declarations <- split(code(rules$declaration[of]), factor(outcome[of], unique(outcome[of])))
    read <- vapply(declarations, paste, "", collapse = ", ")
    c(paste0("#' * ", column), paste0("#'     * ", read, ": ", names(read)))
  })
  c("#' @section Columns of data frames:", unlist(items))
}
