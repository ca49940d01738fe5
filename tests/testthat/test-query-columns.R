# The table of column rules: each of its cells, in memory and in each engine.

test_that("the table has each declaration of each class and type once", {
  rules <- dp_columns()
  expect_identical(anyDuplicated(rules[c("source", "column", "declaration")]), 0L)
  expect_setequal(rules$source,
    c("data frame", "Arrow", "SQLite", "DuckDB", "PostgreSQL", "Spark")
  )
  expect_setequal(rules$reading, c("as it is", "by a rule", "refused"))
  expect_true(all(nzchar(rules$how[rules$reading == "by a rule"])))
  expect_false(any(nzchar(rules$how[rules$reading == "as it is"])))
  # No code makes a date of these.
  not_dates <- rules$column %in% c("logical", "difftime", "hms") & rules$declaration == "dp_date()"
  known <- rules$source != "data frame" | rules$column != "other" & !not_dates
  refused <- rules$reading == "refused" & known & rules$declaration != "dp_unit(id = )"
  expect_true(all(nzchar(rules$how[refused])))
})

test_that("each class of R is read, or refused, as the table says", {
  local_verbs()
  columns <- columns_of_table()
  expect_column_rules("data frame", function(column) {
    data <- data.frame(y = 1:2)
    data$x <- columns[[column]]
    expect_identical(class_of_column(data$x), column)
    data
  }, rows = 2)
})

test_that("the code for a refused class makes a column that the declaration reads", {
  local_verbs()
  rules <- dp_columns()
  rules <- rules[rules$source == "data frame" & rules$reading == "refused" & nzchar(rules$how), ]
  columns <- columns_of_table()
  for (i in seq_len(nrow(rules))) {
    rule <- rules[i, ]
    if (startsWith(rule$how, "dp_")) next
    x <- columns[[rule$column]]
    if (rule$column == "character") x <- c("1", "2")
    if (rule$column == "factor") x <- factor(c("1", "2"))
    if (rule$column == "haven_labelled text") x <- haven::labelled(c("1", "2"))
    converted <- tryCatch(eval(str2lang(rule$how)), error = function(error) NULL)
    # Some make a class that the declaration may have code for, too.
    if (rule$column %in% c("AsIs", "matrix", "data.frame", "list", "POSIXlt")) {
      expect_false(class_of_column(converted) == rule$column)
      next
    }
    data <- data.frame(y = 1:2)
    data$x <- converted
    found <- exact_release(query_of_cell(data, "", rule$declaration, plenty()))
    expect_equal(round(found$n), 2, info = paste(rule$column, rule$declaration))
  }
})

test_that("the code for an instant has the declared time zone, in every source that has instants", {
  instants <- c(
    Arrow = "timestamp with time zone", DuckDB = "timestamp with time zone",
    PostgreSQL = "timestamp with time zone", Spark = "timestamp"
  )
  rules <- dp_columns()
  for (source in names(instants)) {
    of <- rules$source == source & rules$column == instants[[source]]
    expect_setequal(rules$reading[of], "refused")
    said <- function(declared) {
      conditionMessage(expect_error(
        check_column(source, instants[[source]], declared, "seen", NULL),
        class = "dp_error_source", info = source
      ))
    }
    expect_match(said(dp_date(tz = "Asia/Tokyo")), "['\"]Asia/Tokyo['\"]", info = source)
    expect_match(said(dp_date(tz = "Asia/Tokyo")), "seen", fixed = TRUE, info = source)
    expect_match(said(dp_date()), "['\"]UTC['\"]", info = source)
  }
})

test_that("numbers that are no dates are offered both days that can be 0", {
  local_verbs()
  session <- dp_session(dp_epsilon(1e12))
  of <- function(day) {
    data <- data.frame(day = day)
    dp_tbl(session, data, dp_unit(rows = 1), dp_domain(day = dp_date("2020-01-01", "2020-12-31")))
  }
  said <- tryCatch(of(18300), dp_error_source = conditionMessage)
  lines <- regmatches(said, gregexpr("(?<=`)data[$]day <- [^`]*", said, perl = TRUE))[[1]]
  expect_length(lines, 2)
  expect_match(said, "1970-01-01, as R and SQLite count them.*1899-12-30, as Excel")
  # The same day, in days since 1970 and since 1899.
  days <- c(18300, 43869)
  for (i in 1:2) {
    data <- data.frame(day = days[[i]])
    eval(str2lang(lines[[i]]))
    expect_identical(data$day, as.Date("2020-02-08"))
    expect_s3_class(of(data$day), "dp_tbl")
  }
})

test_that("the code for a refused column of SQLite makes a table that is read", {
  skip_if_not_installed("RSQLite")
  local_verbs()
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection))
  run <- function(...) DBI::dbExecute(connection, paste0(...))
  declarations <- list(
    `dp_flag()` = dp_flag(), `dp_int()` = dp_int(0, 9), `dp_num()` = dp_num(0, 9),
    `dp_levels("a")` = dp_levels("1", "2"), `dp_text()` = dp_text()
  )
  open <- function(name, declared) {
    dp_tbl(plenty(), dplyr::tbl(connection, name), dp_unit(rows = 1),
      dp_domain(x = declared)
    )
  }
  rules <- dp_columns()
  rules <- rules[rules$source == "SQLite" & rules$reading == "refused", ]
  expect_true(all(rules$declaration %in% names(declarations)))
  for (i in seq_len(nrow(rules))) {
    declared <- declarations[[rules$declaration[[i]]]]
    run("CREATE TABLE given (x ", rules$column[[i]], ", y INTEGER)")
    run("INSERT INTO given VALUES (1, 1), (2, 2)")
    said <- tryCatch(open("given", declared), dp_error_source = conditionMessage)
    code <- sub(".*`(CREATE TABLE [^`]*)`.*", "\\1", said)
    run("CREATE VIEW made AS ", sub(", ... ", ", y FROM given", sub(".* AS SELECT", "SELECT", code),
      fixed = TRUE))
    # A view is refused, so no advice names one.
    refused <- tryCatch(open("made", declared), dp_error_source = conditionMessage)
    expect_match(refused, "CREATE TABLE ... AS SELECT", fixed = TRUE)
    expect_no_match(said, "view")
    run("DROP VIEW made")
    run(sub(", ... ", ", y FROM given", sub("...", "made", code, fixed = TRUE), fixed = TRUE))
    found <- exact_release(summarise(open("made", declared), n = dp_count()))
    expect_equal(round(found$n), 2, info = code)
    run("DROP TABLE made")
    run("DROP TABLE given")
  }
})

test_that("malformed data frames are refused by name", {
  short <- structure(list(x = 1:2, y = 1), class = "data.frame", row.names = 1:3)
  wrong <- structure(list(x = structure(1:3, class = "factor"), y = 1:3),
    class = "data.frame", row.names = 1:3
  )
  read <- function(data) {
    dp_tbl(dp_session(dp_epsilon(1)), data, dp_unit(rows = 1), dp_domain(x = dp_text()))
  }
  expect_error(read(short), "`x`", class = "dp_error_source")
  expect_error(read(wrong), "`x`", class = "dp_error_source")
})

test_that("each type of Arrow is read, or refused, as the table says", {
  local_verbs()
  types <- c(
    bool = "na_bool", int8 = "na_int8", int16 = "na_int16", int32 = "na_int32", int64 = "na_int64",
    uint8 = "na_uint8", uint16 = "na_uint16", uint32 = "na_uint32", uint64 = "na_uint64",
    halffloat = "na_half_float", float = "na_float", double = "na_double", string = "na_string",
    large_string = "na_large_string", date32 = "na_date32", date64 = "na_date64",
    binary = "na_binary"
  )
  expect_column_rules("Arrow", function(column) {
    schema <- if (column %in% names(types)) {
      getExportedValue("nanoarrow", types[[column]])()
    } else {
      switch(column,
        timestamp = nanoarrow::na_timestamp("us", ""),
        `timestamp with time zone` = nanoarrow::na_timestamp("us", "UTC"),
        time64 = nanoarrow::na_time64("us"),
        duration = nanoarrow::na_duration("us"), decimal128 = nanoarrow::na_decimal128(10, 2),
        list = nanoarrow::na_list(nanoarrow::na_int32()),
        struct = nanoarrow::na_struct(list(a = nanoarrow::na_int32())),
        dictionary = nanoarrow::na_dictionary(nanoarrow::na_string()),
        other = nanoarrow::na_interval_months()
      )
    }
    whole <- nanoarrow::na_struct(list(x = schema, y = nanoarrow::na_int32()))
    nanoarrow::basic_array_stream(list(), schema = whole)
  }, rows = 0)
})

test_that("only advice for PostgreSQL names a view", {
  advice <- function(source) {
    rule <- column_reading(source, "other", list(type = "date"))
    rule$reading <- "refused"
    rule$how <- "CAST(x AS date)"
    conversion_of(source, rule, "text", "day")
  }
  code <- "SELECT CAST(day AS date) AS day, ... `"
  for (source in c("SQLite", "DuckDB")) {
    expect_match(advice(source), paste0("new table: `CREATE TABLE ... AS ", code), fixed = TRUE)
  }
  expect_match(advice("Spark"), paste("`CREATE TABLE ... USING parquet AS", code), fixed = TRUE)
  expect_match(advice("PostgreSQL"), paste0("in a view or a new table: `", code), fixed = TRUE)
})
