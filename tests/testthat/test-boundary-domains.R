# D-DOM-1 at the boundary: whatever R keeps in a column or a string, the result of a chain is in its
# declared domain and has the same number of rows.

latin <- "caf\xe9"
Encoding(latin) <- "latin1"

# Usual and unusual contents of columns of each class.
kept <- list(
  int = c(NA, 0:9, -1L, .Machine$integer.max, -.Machine$integer.max),
  real = c(NA, NaN, Inf, -Inf, 0, -0, 0.5, 3, -7, 5e-324, 1e308, -1e308, 2^53 + 2, 2^31),
  flag = c(NA, TRUE, FALSE),
  text = c(
    NA, "", " ", "3", " -7.5 ", "1e999", "nan", "inf", "TRUE", "true", "0x10", "2147483648", "1,5",
    latin, "\u4e16\u754c", "\"q\"", strrep("9", 400)
  ),
  label = factor(c(NA, "south", "north", "", latin), c("south", "unused", "north", "", latin)),
  day = structure(c(NA, NaN, Inf, -Inf, 0, 0.9, -0.1, 20458, 1e300), class = "Date"),
  whole_day = structure(c(NA, 0L, -3L, 20458L), class = "Date"),
  big = bit64::as.integer64(c(NA, "0", "-4", "9007199254740993", "-9223372036854775807"))
)

draw_frame <- function(rows, holes) {
  list2DF(lapply(kept, function(values) {
    # A double can always be missing, because NaN counts as missing.
    may_miss <- holes || is.double(unclass(values)) && !inherits(values, "integer64")
    values <- if (may_miss) values else values[!is.na(values)]
    values[sample.int(length(values), rows, replace = TRUE)]
  }), rows)
}

column <- function(key, type) make_select_column(key, .TOA = type)
no_nan <- function(chain) chain |> then_impute_constant(0)

chains <- list(
  column("int", "i32") |> then_clamp(c(-3L, 3L)),
  column("int", "i32") |> then_cast_default("f64"),
  column("int", "i32") |> then_cast_default("String"),
  column("int", "i32") |> then_cast("u8") |> then_impute_constant(7L),
  column("int", "i64") |> then_cast_default("i32") |> then_clamp(c(0L, 5L)),
  column("real", "f64"),
  column("real", "f64") |> no_nan() |> then_clamp(c(-5, 5)),
  column("real", "f64") |> then_cast("i32"),
  column("real", "f64") |> then_cast_default("bool"),
  column("real", "f64") |> then_is_equal(0.5),
  column("real", "f32") |> then_cast_default("i32"),
  column("flag", "bool") |> then_cast_default("i32") |> then_clamp(c(0L, 1L)),
  column("flag", "bool") |> then_is_equal(TRUE),
  column("text", "String") |> then_cast("f64") |> no_nan() |> then_clamp(c(-1e6, 1e6)),
  column("text", "String") |> then_cast("i32"),
  column("text", "String") |> then_cast_default("bool"),
  column("text", "String") |> then_cast("f64") |> then_drop_null(),
  column("text", "String") |> then_find(c("3", "TRUE")) |> then_is_null(),
  column("label", "String") |> then_is_equal("north"),
  column("label", "usize") |> then_index(c("a", "b", "c"), "none"),
  column("day", "f64") |> no_nan() |> then_clamp(c(0, 20500)),
  column("whole_day", "f64") |> then_cast_default("i32"),
  column("whole_day", "i32") |> then_clamp(c(0L, 20500L)),
  column("big", "i64") |> then_cast_default("f64"),
  column("big", "i64") |> then_cast_default("i32")
)

names(chains) <- rep(names(kept), c(5, 6, 2, 5, 2, 1, 2, 2)) # the column that each reads

random <- list(real = column("real", "f64") |> then_impute_uniform_float(c(-1, 1)))

# Whether every result is in the declared domain. An error must be the missing-value error for the
# column that is read.
stays_in_domain <- function(chain, frames, key = "real") {
  all(vapply(frames, function(data) {
    result <- condition_of(chain(arg = data))
    if (inherits(result, "error")) {
      return(anyNA(data[[key]]) && grepl("member of the input domain", conditionMessage(result)))
    }
    chain("output_domain")(member = result)
  }, logical(1)))
}

test_that("D-DOM-1: no column class produces results outside the declared domain", {
  withr::local_seed(1)
  sizes <- c(0:3, 17, 1025, rep(40, 20))
  frames <- c(lapply(sizes, draw_frame, holes = FALSE), lapply(sizes, draw_frame, holes = TRUE))
  all_chains <- c(chains, random)
  for (i in seq_along(all_chains)) {
    expect_true(stays_in_domain(all_chains[[i]], frames, names(all_chains)[[i]]),
      info = toString(all_chains[[i]])
    )
  }
  # The check rejects a function that leaves its domain, and an error that depends on values.
  unit <- bounded_rows(c(0, 1))
  clamped <- column("real", "f64") |> no_nan() |> then_clamp(c(0, 1))
  broken <- function(f) {
    clamped |> then_user_transformation(unit[[1]], unit[[2]], unit[[1]], unit[[2]], f, identity)
  }
  expect_true(stays_in_domain(broken(\(x) x), frames))
  expect_false(stays_in_domain(broken(\(x) 2 * x), frames))
  expect_false(stays_in_domain(broken(\(x) replace(x, x == 0.5, -1)), frames))
})

test_that("D-DOM-3: a value changes no other row, whatever its class", {
  withr::local_seed(2)
  data <- draw_frame(30, holes = FALSE)
  compared <- 0
  for (chain in chains) {
    before <- chain(arg = data)
    if (length(before) != nrow(data) || anyNA(before)) next
    compared <- compared + 1
    other <- data
    other[7, ] <- draw_frame(1, holes = FALSE)
    expect_identical(chain(arg = other)[-7], before[-7])
  }
  expect_gt(compared, 15)
})

test_that("D-DOM-1: one step and three steps read any text alike, row by row", {
  withr::local_seed(3)
  pieces <- c(
    "a", "7", "-1.5", ",", ",", "\n", "\n", "\r\n", "\r", "\"", " ", "\t", "nan", "1e999", "\u00e9",
    "\u4e16", ";", ""
  )
  one <- make_split_dataframe(",", c("x", "y"))
  three <- make_split_lines() |> then_split_records(",") |> then_create_dataframe(c("x", "y"))
  numbers <- function(frame) {
    frame |> then_select_column("y", "String") |> then_cast_default("f64") |> no_nan() |>
      then_clamp(c(-9, 9))
  }
  lines <- make_split_lines()
  for (i in 1:200) {
    text <- paste(sample(pieces, sample(0:60, 1), replace = TRUE), collapse = "")
    frame <- one(arg = text)
    expect_identical(three(arg = text), frame)
    expect_identical(nrow(frame), length(lines(arg = text)))
    expect_identical(numbers(one)(arg = text), numbers(three)(arg = text))
    expect_true(numbers(one)("output_domain")(member = numbers(one)(arg = text)))
  }
})
