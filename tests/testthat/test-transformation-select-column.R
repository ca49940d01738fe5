select <- function(data, type, key = "x") make_select_column(key, .TOA = type)(arg = data)

people <- data.frame(
  age = c(30L, 41L), cost = c(1.5, NA), member = c(TRUE, FALSE), name = c("ann", "bob"),
  clinic = factor(c("south", "north")), day = as.Date("2026-01-05") + 0:1,
  id = bit64::as.integer64(c("9007199254740993", "-4"))
)

test_that("every class of column is read in its types", {
  on <- function(key, type) select(people, type, key)
  expect_identical(on("age", "i32"), c(30L, 41L))
  for (type in c("u32", "usize")) expect_identical(on("age", type), c(30, 41))
  for (type in c("i64", "u64")) expect_identical(on("age", type), integer64_of(c(30, 41)))
  for (type in c("i8", "i16", "u8", "u16")) expect_identical(on("age", type), c(30L, 41L))
  expect_identical(on("cost", "f64"), c(1.5, NA))
  expect_identical(on("cost", "f32"), c(1.5, NA))
  expect_identical(on("member", "bool"), c(TRUE, FALSE))
  expect_identical(on("name", "String"), c("ann", "bob"))
  expect_identical(on("clinic", "String"), c("south", "north"))
  expect_identical(on("clinic", "usize"), c(1, 0))
  expect_identical(on("day", "f64"), c(20458, 20459))
  expect_identical(on("day", "i32"), c(20458L, 20459L))
  is_first <- make_select_column("id", "i64") |> then_is_equal(bit64::as.integer64(people$id[[1]]))
  expect_identical(is_first(arg = people), c(TRUE, FALSE))
})

test_that("D-R-2: no class is mistaken for another", {
  ok <- list(
    age = c("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"),
    cost = c("f32", "f64", "i64", "u32", "u64", "usize"), member = "bool", name = "String",
    clinic = c("String", "usize"), day = c("i32", "f64"),
    id = c("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize")
  )
  types <- unique(unlist(ok))
  for (key in names(people)) {
    for (type in setdiff(types, ok[[key]])) {
      expect_error(select(people, type, key), class = "dp_error_failed_cast", info = c(key, type))
    }
  }
  odd <- list(
    list = list(1, 2), frame = data.frame(a = 1:2), matrix = matrix(1:4, 2),
    column = matrix(1:2, 2),
    time = as.POSIXct(0:1, "UTC", "1970-01-01"), hours = as.difftime(1:2, units = "hours"),
    complex = c(1i, 2i), raw = as.raw(1:2), mine = structure(1:2, class = "mine"),
    bits = structure(1:2, class = "integer64"),
    days = structure(c("1", "2"), class = "Date")
  )
  data <- people
  for (name in names(odd)) data[[name]] <- odd[[name]]
  for (name in names(odd)) {
    for (type in types) {
      expect_error(select(data, type, name), class = "dp_error_failed_cast", info = c(name, type))
    }
  }
  expect_identical(select(data, "i32", "age"), people$age)
})

test_that("D-R-2: every container follows the same column rules", {
  table <- data.frame(x = c(2.5, 4), age = 1:2, age2 = 3:4)
  same <- list(
    table, structure(table, class = c("tbl_df", "tbl", "data.frame")),
    structure(table, class = c("data.table", "data.frame")), table[2:1, ][2:1, ],
    structure(table, row.names = c("one", "two"))
  )
  for (data in same) expect_identical(select(data, "f64"), c(2.5, 4))
  expect_error(select(table, "i32", "ag"), class = "dp_error_failed_function")
  twice <- stats::setNames(table, c("x", "age", "age"))
  expect_error(select(twice, "i32", "x"), class = "dp_error_failed_cast")
  refused <- list(
    as.list(table), as.matrix(table), table$x, "x", NULL, mean, unclass(table),
    structure(list(x = 1:2, y = 1:3), class = "data.frame", row.names = 1:2),
    structure(list(1:2), class = "data.frame", row.names = 1:2),
    structure(1:2, class = "data.frame", names = c("x", "y"))
  )
  # An object that is not a data frame has the wrong type. Unequal columns are outside the domain.
  refusal_of <- function(data) {
    uneven <- is.data.frame(data) && length(unclass(data)) == 2 && is.list(unclass(data))
    if (uneven) "dp_error_failed_function" else "dp_error_failed_cast"
  }
  for (data in refused) expect_error(select(data, "i32", "x"), class = refusal_of(data))
  expect_identical(select(table[0, ], "f64"), numeric())
  expect_error(select(data.frame(), "f64"), class = "dp_error_failed_function")
})

test_that("methods of a class are never called", {
  data <- structure(data.frame(x = c(1, 2)), class = c("dp_test_frame", "data.frame"))
  refuse <- function(...) stop("a method was asked")
  for (generic in c("$", "[[", "[", "length", "names", "dim", "is.na", "as.double")) {
    registerS3method(generic, "dp_test_frame", refuse, envir = environment())
  }
  expect_error(data$x, "a method was asked")
  expect_identical(select(data, "f64"), c(1, 2))
})

test_that("missing values follow the types", {
  holes <- data.frame(
    int = c(1L, NA), flag = c(NA, TRUE), text = c("a", NA), factor = factor(c("a", NA)),
    day = as.Date(c(NA, "1970-01-03")), big = bit64::as.integer64(c(NA, 1)), real = c(NaN, NA)
  )
  refused <- c(
    int = "i32", flag = "bool", text = "String", factor = "String", factor = "usize", day = "i32",
    big = "i64"
  )
  said <- vapply(seq_along(refused), function(i) {
    error <- condition_of(select(holes, refused[[i]], names(refused)[[i]]))
    expect_s3_class(error, "dp_error_failed_function")
    conditionMessage(error)
  }, "")
  expect_length(unique(said), 1)
  expect_identical(select(holes, "f64", "day"), c(NA, 2))
  expect_identical(is.nan(select(holes, "f64", "real")), c(TRUE, FALSE))
})

test_that("days are integers in i32, and never out of range", {
  days <- function(x) select(data.frame(x = structure(x, class = "Date")), "i32")
  top <- .Machine$integer.max
  expect_identical(days(c(0.9, -0.1, -1)), c(0L, -1L, -1L))
  expect_identical(days(c(Inf, -Inf, 1e300, 2^31)), c(top, -top, top, top))
  expect_identical(days(c(3L, -3L)), c(3L, -3L))
  expect_identical(
    select(data.frame(x = structure(c(3L, NA), class = "Date")), "f64"), c(3, NA)
  )
})

test_that("factors and dates can also be read as plain vectors", {
  counted <- rows_of("String") |> then_is_equal("b")
  expect_identical(counted(arg = factor(c("b", "a"))), c(TRUE, FALSE))
  places <- rows_of("usize") |> then_identity()
  expect_identical(places(arg = factor(c("b", "a"))), c(1, 0))
  optional <- c(vector_domain(option_domain(atom_domain(.T = "String"))), symmetric_distance()) |>
    then_impute_constant("none")
  expect_identical(optional(arg = factor(c("b", NA))), c("b", "none"))
  days <- rows_of("i32") |> then_clamp(c(0L, 10L))
  expect_identical(days(arg = as.Date("1970-01-05")), 4L)
  expect_error(days(arg = factor(c("10", "20"))), class = "dp_error_failed_cast")
})

test_that("labels in other encodings, and codes without a label, are distinguished", {
  latin <- c("caf\xe9", "th\xe9")
  Encoding(latin) <- "latin1"
  expect_identical(
    select(data.frame(x = factor(latin, latin)), "String"), c("caf\u00e9", "th\u00e9")
  )
  wild <- structure(c(1L, 7L), levels = "a", class = "factor")
  expect_error(select(data.frame(x = wild), "String"), class = "dp_error_failed_function")
})

test_that("columns of many rows are read alike on any number of threads", {
  withr::defer(set_threads(NULL))
  n <- 6e5
  data <- data.frame(
    x = rep(c(1.5, -2, NA), n / 3), f = factor(rep(c("u", "v"), n / 2)),
    keep = rep(c(TRUE, FALSE), n / 2)
  )
  total <- make_subset_by("keep", c("x", "f")) |>
    then_select_column("x", "f64") |>
    then_impute_constant(0) |>
    then_clamp(c(0, 1)) |>
    then_sum()
  hits <- make_select_column("f", "String") |>
    then_is_equal("v") |>
    then_cast_default("i32") |>
    then_clamp(c(0L, 1L)) |>
    then_sum()
  for (threads in c(1L, 4L)) {
    set_threads(threads)
    expect_identical(total(arg = data), as.numeric(sum(data$x[data$keep] > 0, na.rm = TRUE)))
    expect_identical(hits(arg = data), as.integer(n / 2))
  }
})

test_that("types of names and rows are checked before data are read", {
  expect_error(make_select_column("x", "f64", .K = "i32"), class = "dp_error_failed_cast")
  expect_error(make_select_column(1.5, "f64"), class = "dp_error_type")
  expect_error(make_select_column("x", "i128"), class = "dp_error_type")
  expect_error(make_select_column("x", "Vec<f64>"), class = "dp_error_type_parse")
  expect_error(make_select_column(NULL, "f64"), class = "dp_error_type_parse")
  numbered <- stats::setNames(data.frame(1:2, 3:4), c("7", "x"))
  expect_identical(make_select_column(7L, "i32")(arg = numbered), 1:2)
  expect_error(make_select_column(8L, "i32")(arg = numbered), class = "dp_error_failed_function")
})

test_that("D-R-3: errors about a frame do not contain its data", {
  data <- data.frame(x = c(7417.3391, 1), y = c("zq9_canary", "b"))
  for (error in list(
    condition_of(select(data, "i32")), condition_of(select(data, "f64", "z")),
    condition_of(select(data, "f64", "y")), condition_of(select(list(data), "f64"))
  )) {
    expect_s3_class(error, "dp_error")
    said <- paste(utils::capture.output(utils::str(unclass(error))), collapse = "")
    expect_no_match(said, "7417|canary")
  }
})
