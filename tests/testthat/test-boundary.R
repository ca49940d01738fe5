# Values between R and the core: types, missing values and storage forms. Errors never contain data.

identity_on <- function(type, ...) rows_of(type, ...) |> then_identity()

optional <- function(type) {
  c(vector_domain(option_domain(atom_domain(.T = type))), symmetric_distance()) |> then_identity()
}

test_that("every carrier type survives the round trip", {
  expect_identical(identity_on("i32")(arg = c(1L, -5L)), c(1L, -5L))
  expect_identical(identity_on("f64")(arg = c(1.5, -Inf, 5e-324)), c(1.5, -Inf, 5e-324))
  expect_identical(identity_on("bool")(arg = c(TRUE, FALSE)), c(TRUE, FALSE))
  expect_identical(
    identity_on("String")(arg = c("a", "", "\u00e9\u4e16")), c("a", "", "\u00e9\u4e16")
  )
  for (type in c("i8", "i16", "u8", "u16")) {
    expect_identical(identity_on(type)(arg = c(0L, 127L)), c(0L, 127L))
  }
  for (type in c("u32", "usize")) {
    expect_identical(identity_on(type)(arg = c(0L, 127L)), c(0, 127))
  }
  for (type in c("i64", "u64")) {
    expect_identical(identity_on(type)(arg = c(0L, 127L)), integer64_of(c(0, 127)))
  }
  expect_identical(identity_on("f32")(arg = c(0.5, 0.1)), c(0.5, 13421773 / 2^27))
  for (type in c("i32", "f64", "bool", "String")) {
    empty <- vector(
      c(i32 = "integer", f64 = "double", bool = "logical", String = "character")[[type]], 0
    )
    expect_identical(identity_on(type)(arg = empty), empty)
  }
})

test_that("texts in other encodings are converted", {
  latin <- "caf\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(identity_on("String")(arg = c(latin, "x")), c("caf\u00e9", "x"))
  same <- rows_of("String") |> then_is_equal("caf\u00e9")
  expect_identical(same(arg = c(latin, "caf\u00e9", "cafe")), c(TRUE, TRUE, FALSE))
})

test_that("missing values become nulls in option domains, and nulls missing values", {
  expect_identical(optional("i32")(arg = c(1L, NA)), c(1L, NA))
  expect_identical(optional("bool")(arg = c(TRUE, NA)), c(TRUE, NA))
  expect_identical(optional("String")(arg = c("NA", NA)), c("NA", NA))
  expect_identical(optional("f64")(arg = c(1, NA)), c(1, NA))
  cast <- rows_of("String") |> then_cast("i32")
  expect_identical(cast(arg = c("3", "x")), c(3L, NA))
})

test_that("missing values are NaN in floats, and raise one fixed error for other types", {
  nan <- identity_on("f64")(arg = c(1, NA, NaN))
  expect_identical(is.nan(nan) | is.na(nan), c(FALSE, TRUE, TRUE))
  refusals <- lapply(list(
    identity_on("i32"), identity_on("bool"), identity_on("String"), identity_on("u8"),
    bounded_rows(c(0L, 9L)) |> then_sum()
  ), function(object) {
    missing <- switch(object("input_domain")$carrier_type,
      `Vec<bool>` = c(TRUE, NA),
      `Vec<String>` = c("a", NA),
      c(1L, NA)
    )
    condition_of(object(arg = missing))
  })
  for (error in refusals) expect_s3_class(error, "dp_error_failed_function")
  expect_length(unique(vapply(refusals, conditionMessage, "")), 1)
})

test_that("a missing value among many is found at any position", {
  sum_rows <- bounded_rows(c(0L, 9L)) |> then_sum()
  for (at in c(1, 1023, 1024, 1025, 4999, 5000)) {
    data <- rep(1L, 5000)
    data[[at]] <- NA
    expect_error(sum_rows(arg = data), class = "dp_error_failed_function")
  }
})

test_that("data of the wrong type raise an error; nothing is silently converted", {
  for (data in list(c(1, 2), TRUE, "1", NULL, list(1L), mean, quote(x), 1i, as.raw(1))) {
    expect_error(identity_on("i32")(arg = data), class = "dp_error_failed_cast")
  }
  for (data in list(1L, TRUE, "1")) {
    expect_error(identity_on("f64")(arg = data), class = "dp_error_failed_cast")
  }
  expect_error(identity_on("bool")(arg = c(0L, 1L)), class = "dp_error_failed_cast")
})

test_that("D-DOM-4: numbers outside the range of their type raise one fixed error", {
  outside <- list(u32 = -1L, u8 = 256L, u8 = -1L, i8 = 128L, i16 = -32769L)
  for (i in seq_along(outside)) {
    data <- c(1L, outside[[i]])
    expect_error(identity_on(names(outside)[[i]])(arg = data),
      "[FailedFunction] : arg must be a member of the input domain.",
      fixed = TRUE, class = "dp_error_failed_function"
    )
  }
})

test_that("D-R-2: classed vectors raise an error, because a class can redefine the bits", {
  classed <- list(
    i32 = factor(c("10", "20")), f64 = factor(c("10", "20")),
    f64 = as.POSIXct(0:1, "UTC", "1970-01-01"),
    f64 = as.difftime(c(1, 2), units = "hours"), f64 = bit64::as.integer64(1:2),
    i32 = structure(1:2, class = "mine"), String = structure("a", class = "mine"),
    f64 = data.frame(x = c(1, 2))
  )
  for (i in seq_along(classed)) {
    expect_error(
      identity_on(names(classed)[[i]])(arg = classed[[i]]), class = "dp_error_failed_cast"
    )
  }
})

test_that("ALTREP sequences are summed like stored ones", {
  n <- 1e6L
  sum_rows <- c(vector_domain(atom_domain(bounds = c(1, n), .T = "i64")), symmetric_distance()) |>
    then_sum()
  expect_identical(sum_rows(arg = seq_len(n)), integer64_of("500000500000"))
  expect_identical(sum_rows(arg = c(seq_len(n))), integer64_of("500000500000"))
  counted <- rows_of("i32") |> then_count()
  expect_identical(counted(arg = 1:1000000), 1000000L)
  floats <- bounded_rows(c(0, 1)) |> then_lattice_sum()
  expect_identical(floats(arg = rep(0.5, n)), n * floats(arg = 0.5))
  clamped <- rows_of("i32") |> then_clamp(c(0L, 10L))
  expect_identical(clamped(arg = 1:100000), pmin(1:100000, 10L))
  words <- rows_of("String") |> then_cast_default("i32")
  expect_identical(words(arg = as.character(1:5000)), 1:5000)
})

test_that("data are not modified in place", {
  data <- c(-5L, 50L)
  (rows_of("i32") |> then_clamp(c(0L, 10L)))(arg = data)
  (rows_of("i32") |> then_ordered_random())(arg = data)
  expect_identical(data, c(-5L, 50L))
})

test_that("D-INT-1: the smallest integer never appears as NA", {
  # R cannot represent the smallest integer, so vectors with it are doubles.
  lowest <- -.Machine$integer.max
  saturated <- make_bounded_int_split_sum(c(lowest, 0L))
  expect_identical(saturated(arg = lowest), lowest)
  expect_identical(saturated(arg = c(lowest, lowest)), -2^31)
  noisy <- number_of("i32") |> then_laplace(scale = 1000)
  low <- replicate(5000, noisy(arg = lowest))
  high <- replicate(5000, noisy(arg = .Machine$integer.max))
  expect_false(anyNA(c(low, high)))
  expect_true(all(low < 0))
  expect_true(all(high > 0))
  expect_identical(min(low), -2^31)
  expect_identical(max(high), .Machine$integer.max)
  cast <- rows_of("f64") |> then_cast_default("i32")
  expect_identical(cast(arg = c(-2^31, 2^31)), c(-2^31, 0))
  expect_identical(cast(arg = c(-2^31 + 1, 2^31)), c(lowest, 0L))
  many <- replace(rep(7, 5000), 4321, -2^31)
  expect_identical(cast(arg = many), many)
  nullable <- rows_of("f64") |> then_cast("i32")
  expect_identical(nullable(arg = c(-2^31, NA, 5)), c(-2^31, NA, 5))
  expect_identical(nullable(arg = c(NA, 5)), c(NA, 5L))
  counted <- rows_of("f64") |> then_cast_default("i32") |> then_count_by()
  expect_setequal(as.data.frame(counted(arg = c(-2^31, 3, 3)))[[1]], c(-2^31, 3))
})

test_that("scalars must be scalars", {
  noisy <- number_of("i32") |> then_laplace(scale = 1)
  for (data in list(NULL, 1, "1", c("1", "2"), factor(1), list(1L), mean)) {
    expect_error(noisy(arg = data), "expected i32", class = "dp_error_failed_cast")
  }
})

test_that("D-DOM-4: a single value outside its domain raises one fixed error", {
  bytes <- "caf\xe9"
  Encoding(bytes) <- "bytes"
  whole <- function(type) number_of(type) |> then_laplace(scale = 1)
  unit <- c(atom_domain(bounds = c(0, 1)), absolute_distance("f64")) |> then_laplace(scale = 1)
  small <- c(atom_domain(bounds = c(0L, 9L)), absolute_distance("i32")) |> then_laplace(scale = 1)
  same <- function(type) make_identity(atom_domain(.T = type), discrete_distance())
  outside <- list(
    list(whole("i32"), list(1:2, integer(), NA_integer_)),
    list(whole("u32"), list(-1, 0.5, 2^32, NaN, Inf, c(1, 2), -1L, NA_integer_)),
    list(whole("i64"), list(2^63, 1e300, 0.5, bit64::NA_integer64_)),
    list(whole("f64"), list(NaN, NA_real_, numeric(), c(1, 2))),
    list(unit, list(-0.1, 1.1, Inf, NaN)),
    list(small, list(-1L, 10L, NA_integer_)),
    list(same("bool"), list(NA, c(TRUE, FALSE))),
    list(same("String"), list(NA_character_, c("a", "b"), bytes))
  )
  for (case in outside) {
    errors <- lapply(case[[2]], function(data) condition_of(case[[1]](arg = data)))
    said <- unique(lapply(errors, function(error) list(class(error), conditionMessage(error))))
    expect_length(said, 1)
    expect_s3_class(errors[[1]], "dp_error_failed_function")
    expect_identical(
      said[[1]][[2]], "[FailedFunction] : arg must be a member of the input domain."
    )
  }
})

test_that("only whole doubles are accepted as integer distances", {
  counted <- rows_of("i32") |> then_count()
  expect_identical(counted(d_in = 2), counted(d_in = 2L))
  expect_identical(counted(d_in = bit64::as.integer64(2)), 2L)
  for (d_in in list(
    -1, -1L, 1.5, NA, NA_real_, NaN, Inf, 2^32, "1", NULL, 1:2, list(1L), factor(1)
  )) {
    expect_error(counted(d_in = d_in), class = "dp_error_failed_cast")
  }
  big <- rows_of("i32") |> then_count("f64")
  expect_identical(big(d_in = 2^32 - 1), 2^32 - 1)
})

test_that("D-R-9: any argument of any constructor gives an object or a documented error", {
  odd <- list(
    NULL, NA, NaN, Inf, -Inf, 0, -0, -1, 1e-320, 1e308, 2^53 + 2, "a", "", list(), integer(), 1:2,
    c(1, 2), c(2, 1), c(NaN, 1), c(0, Inf), c(-1e308, 1e308), c("a", "b"), list(1, "a"), 1:3,
    factor("a"), factor(c("a", "b")), mean, quote(x + y), as.environment(list(a = 1, b = 2)),
    symmetric_distance(), as.Date("2020-01-01"), bit64::as.integer64(1:2), TRUE, "i32", "f32",
    "Sequential<f64>", "Pairwise<>", "SymmetricDistance", "<"
  )
  kinds <- c("transformation", "measurement", "odometer", "opendp_function", "dp_error")
  examples <- all_examples()
  for (name in names(examples)) {
    arguments <- c(examples[[name]]$space, examples[[name]]$args)
    names(arguments) <- names(formals(name))[seq_along(arguments)]
    for (arg in names(formals(name))) {
      results <- lapply(odd, function(value) {
        given <- replace(arguments, arg, list(value))
        suppressWarnings(
          condition_of(do.call(name, given, quote = TRUE)), classes = "deprecatedWarning"
        )
      })
      neither <- !vapply(results, inherits, logical(1), kinds)
      expect_identical(odd[neither], list(), info = paste(name, arg))
    }
  }
})

# Data in errors and objects ----------------------------------------------------------------------

canary_number <- 7417.3391
canary_text <- "zq9_canary"

# Whether the serialised form of an R object contains the canary: as bits in either byte order, or
# as text.
holds_canary <- function(object) {
  bytes <- serialize(object, NULL)
  bits <- writeBin(canary_number, raw())
  patterns <- list(bits, rev(bits), charToRaw("7417.3"), charToRaw(canary_text))
  any(vapply(patterns, \(pattern) length(grepRaw(pattern, bytes, fixed = TRUE)) > 0, logical(1)))
}

test_that("the search finds planted canaries", {
  expect_true(holds_canary(list(a = canary_number)))
  expect_true(holds_canary(paste("it was", canary_number)))
  expect_true(holds_canary(quote(f("zq9_canary"))))
  expect_false(holds_canary(list(1, "a")))
})

floats <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), symmetric_distance())

# Objects that saw the canary, their errors, and their printed forms.
witnesses <- function() {
  numbers <- c(canary_number, canary_number)
  texts <- c(canary_text, canary_text)
  clamped <- floats |> then_clamp(c(0, 1e4))
  words <- rows_of("String") |> then_cast_default("f64")
  noisy <- clamped |> then_sum() |> then_laplace(1e9)
  fails <- make_user_transformation(
    floats[[1]], floats[[2]], floats[[1]], floats[[2]], \(x) stop("saw ", x[[1]]), identity
  )
  clamped(arg = numbers)
  words(arg = texts)
  noisy(arg = numbers)
  errors <- list(
    condition_of(clamped(arg = texts)),
    condition_of(clamped(arg = c(canary_number, NaN))),
    condition_of(words(arg = numbers)),
    condition_of(do.call(clamped, list(arg = texts))),
    condition_of(do.call("transformation_invoke", list(words, numbers))),
    condition_of(do.call(transformation_invoke, list(words, list(numbers)))),
    condition_of(do.call(measurement_invoke, list(noisy, texts))),
    condition_of(fails(arg = numbers)),
    condition_of(do.call(fails, list(arg = numbers))),
    condition_of((number_of("i32") |> then_laplace(1))(arg = canary_number))
  )
  objects <- list(clamped, words, noisy)
  printed <- utils::capture.output(for (object in objects) {
    print(object)
    utils::str(object)
    cat(format(object), toString(object))
  })
  list(objects = objects, errors = errors, printed = printed)
}

test_that("D-R-3: no object, condition or printed output holds data", {
  seen <- witnesses()
  for (error in seen$errors) expect_s3_class(error, "dp_error")
  for (error in seen$errors) expect_false(holds_canary(error))
  # Searches only the package's part of an object. The rest of its environment belongs to the test.
  for (object in seen$objects) expect_false(holds_canary(as.list(environment(object))))
  expect_false(holds_canary(seen$printed))
  expect_false(holds_canary(as.list(asNamespace("PSIlence"), all.names = TRUE)))
  expect_false(holds_canary(options()[c("opendp_features", "PSIlence.threads")]))
})

test_that("D-DOM-4: an error about data has the same words, whatever the data", {
  clamped <- floats |> then_clamp(c(0, 10))
  said <- function(...) {
    errors <- lapply(list(...), function(data) condition_of(clamped(arg = data)))
    unique(lapply(errors, function(error) list(class(error), conditionMessage(error))))
  }
  expect_length(said(c(1, NaN), c(NaN, 2, 3), rep(NaN, 5000)), 1)
  expect_length(said(c("a", "b"), c("c", "d", "e")), 1)
})
