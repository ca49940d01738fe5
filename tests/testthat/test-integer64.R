# 64-bit integers cross the boundary exactly in both directions, in forms that do not depend on the
# data.

# Random bits, and numbers at the limits of types and formats.
random_integers <- function(n, unsigned = FALSE) {
  ends <- c(
    0, 1, 2^31 - 1, 2^31, 2^32 - 1, 2^32, 2^53 - 1, 2^53
  )
  ends <- c(
    sprintf("%.0f", ends), "9007199254740993", "4503599627370496", "9218868437227405312",
    "9218868437227405313", "9223372036854775806", "9223372036854775807"
  )
  if (!unsigned) {
    ends <- c(ends, paste0("-", setdiff(ends, "0")), "-2", "-4503599627370495")
  }
  words <- bit64::runif64(n - length(ends))
  if (unsigned) words <- abs(words)
  sample(c(as.character(words), ends))
}

space_of <- function(type, ...) c(vector_domain(atom_domain(.T = type, ...)), symmetric_distance())

digits_of <- function(x) {
  if (inherits(x, "integer64")) {
    core_text_of_integer64(x)
  } else if (is.double(x)) {
    sprintf("%.0f", x)
  } else {
    as.character(x)
  }
}

# Rows of `type` as the core writes them.
digits_as_text <- function(type, data) {
  (space_of(type) |> then_cast_default("String"))(arg = data)
}

test_that("1e5 random integers survive every constructor whose output holds integers", {
  withr::local_seed(1)
  n <- 1e5
  signed <- random_integers(n)
  for (type in c("i64", "u64")) {
    digits <- if (type == "i64") signed else random_integers(n, unsigned = TRUE)
    data <- integer64_of(digits)
    expect_s3_class(data, "integer64")
    expect_identical(digits_of(data), digits)
    rows <- space_of(type)
    ends <- integer64_of(c(if (type == "i64") "-9223372036854775807" else "0",
      "9223372036854775807"))
    optional <- c(vector_domain(option_domain(atom_domain(.T = type))), symmetric_distance())
    filler <- if (type == "i64") "-3" else "3"
    place <- seq(7, n, by = 100)
    holes <- data
    holes[place] <- bit64::NA_integer64_
    holed <- replace(digits, place, NA)
    frame <- data.frame(id = seq_len(n))
    frame$wide <- data
    same_rows <- list(
      identity = rows |> then_identity(),
      clamp = rows |> then_clamp(ends),
      cast = rows |> then_cast(type),
      cast_default = rows |> then_cast_default(type),
      through_text = rows |> then_cast_default("String") |> then_cast_default(type),
      resize = rows |> then_resize(n, integer64_of("3")),
      column = make_select_column("wide", .TOA = type)
    )
    for (name in names(same_rows)) {
      argument <- if (name == "column") frame else data
      result <- same_rows[[name]](arg = argument)
      expect_s3_class(result, "integer64")
      if (name == "resize") {
        expect_setequal(digits_of(result), digits)
      } else {
        expect_identical(digits_of(result), digits, info = paste(type, name))
      }
    }
    expect_identical(digits_of((optional |> then_identity())(arg = holes)), holed)
    expect_identical(
      digits_of((optional |> then_impute_constant(integer64_of(filler)))(
        arg = holes
      )),
      replace(holed, place, filler)
    )
    expect_identical(
      digits_of((optional |> then_drop_null())(arg = holes)), holed[!is.na(holed)]
    )
    ordered <- rows |> then_ordered_random()
    expect_setequal(digits_of(ordered(arg = data)), digits)
    text <- space_of("String") |> then_cast_default(type)
    expect_identical(digits_of(text(arg = digits)), digits)
    index <- space_of("usize") |> then_index(data[1:1000], data[[1]])
    expect_identical(digits_of(index(arg = 999:0)), rev(digits[1:1000]))
    split <- make_split_dataframe(",", c("a", "b")) |>
      then_df_cast_default("a", "String", type) |>
      then_select_column("a", type)
    lines <- paste(paste0(digits[1:1e4], ",x"), collapse = "\n")
    expect_identical(digits_of(split(arg = lines)), digits[1:1e4])
    own <- rows |> then_user_transformation(
      rows[[1]], rows[[2]], rows[[1]], rows[[2]], identity, identity
    )
    expect_identical(digits_of(own(arg = data)), digits)
    # Noise of scale zero changes nothing.
    released <- c(vector_domain(atom_domain(.T = type)), l1_distance(type)) |> then_laplace(0)
    expect_identical(digits_of(released(arg = data)), digits)
  }
})

test_that("each single integer survives, whatever its bits mean as a double", {
  withr::local_seed(2)
  same <- make_identity(atom_domain(.T = "i64"), absolute_distance("i64"))
  released <- c(atom_domain(.T = "i64"), absolute_distance("i64")) |> then_laplace(0)
  positive <- make_identity(atom_domain(.T = "u64"), absolute_distance("u64"))
  for (digits in random_integers(1000)) {
    x <- integer64_of(digits)
    expect_identical(digits_of(same(arg = x)), digits)
    expect_identical(digits_of(released(arg = x)), digits)
    if (!startsWith(digits, "-")) expect_identical(digits_of(positive(arg = x)), digits)
  }
})

test_that("keys of maps never pass through doubles, nor collide as NaN", {
  withr::local_seed(3)
  digits <- unique(random_integers(1e5))
  count <- space_of("i64") |> then_count_by()
  counts <- count(arg = integer64_of(c(digits, digits[1:50])))
  expect_length(counts, length(digits))
  items <- hashitems(counts, "HashMap<i64, i32>")
  expect_s3_class(items[[1]], "integer64")
  expect_identical(digits_of(items[[1]]), digits[order_decimals(digits)])
  expect_identical(sum(items[[2]]), length(digits) + 50L)
  expect_identical(counts[[digits[[1]]]], 2L)
  expect_identical(counts[[digits[[51]]]], 1L)
  # The frame is sorted numerically, and the table survives a second pass.
  frame <- as.data.frame(counts)
  expect_true(all(diff(in_doubles(frame$key)) >= 0))
  map <- map_domain(atom_domain(.T = "i64"), atom_domain(.T = "i32"))
  again <- make_identity(map, l1_distance("i32"))(arg = counts)
  expect_identical(as.data.frame(again), frame)
})

test_that("an empty map has keys of the same class", {
  empty <- (space_of("i64") |> then_count_by())(arg = integer())
  expect_identical(as.data.frame(empty)$key, integer64_of(character()))
  expect_identical(nrow(as.data.frame(empty)), 0L)
})

test_that("neighbours of 2^53 stay two keys in a release", {
  ids <- rep(integer64_of(c("9007199254740992", "9007199254740993")), c(300, 200))
  counts <- space_of("i64") |> then_count_by()
  for (data in list(ids, rev(ids))) {
    released <- (counts |> then_laplace_threshold(scale = 0, threshold = 5L))(arg = data)
    frame <- as.data.frame(released)
    expect_identical(digits_of(frame$key), c("9007199254740992", "9007199254740993"))
    expect_identical(as.double(frame$value), c(300, 200))
  }
})

test_that("a domain of doubles within 2^53 gives doubles, other domains integer64", {
  last <- 2^53
  type_of <- function(rows, data = 1:2) class(rows(arg = data))
  on <- function(bounds) {
    c(vector_domain(atom_domain(bounds = bounds, .T = "i64")), symmetric_distance()) |>
      then_identity()
  }
  for (bounds in list(c(-last, last), c(0, 5), c(1L, 2L), integer64_of(c(0, 9)))) {
    expect_identical(type_of(on(bounds)), "numeric")
    # Data of class integer64 keep it.
    expect_identical(type_of(on(bounds), integer64_of(1:2)), "integer64")
  }
  beyond <- integer64_of("9007199254740993")
  for (bounds in list(c(bit64::as.integer64(0), beyond), c(-beyond, bit64::as.integer64(9)))) {
    expect_identical(type_of(on(bounds)), "integer64")
  }
  # The values do not affect the class.
  for (data in list(integer(), 1L, c(0, last))) {
    expect_identical(type_of(space_of("i64") |> then_identity(), data), "integer64")
    expect_identical(type_of(on(c(0, last)), data), "numeric")
  }
  # A user function receives the type that its domain declares.
  path <- tempfile()
  bounded <- vector_domain(atom_domain(bounds = c(0, 9), .T = "i64"))
  for (domain in list(bounded, vector_domain(atom_domain(.T = "i64")))) {
    own <- make_user_transformation(
      domain, symmetric_distance(), domain, symmetric_distance(),
      function(x) {
        cat(class(x), "", file = path, append = TRUE)
        x
      }, identity
    )
    own(arg = 1:3)
  }
  expect_identical(scan(path, "", quiet = TRUE), c("numeric", "integer64"))
})

test_that("places and sizes are doubles, or all integer64 if one is not exact as a double", {
  same <- space_of("usize") |> then_identity()
  expect_identical(same(arg = c(0, 2^53)), c(0, 2^53))
  far <- same(arg = integer64_of(c("7", "9007199254740993")))
  expect_identical(digits_of(far), c("7", "9007199254740993"))
  found <- space_of("i64") |> then_find(integer64_of(c("9007199254740993", "2")))
  expect_identical(found(arg = integer64_of(c("2", "9007199254740993", "5"))), c(1, 0, NA))
  scores <- c(vector_domain(atom_domain(.T = "i32"), size = 3), linf_distance("i32"))
  expect_identical((scores |> then_noisy_max(max_divergence(), 0))(arg = c(1L, 9L, 3L)), 1)
})

test_that("numbers that exceed integer64 are returned as decimal digits", {
  text <- c("9223372036854775808", "18446744073709551615", "1")
  unsigned <- space_of("String") |> then_cast_default("u64")
  expect_identical(unsigned(arg = text), text)
  expect_s3_class(unsigned(arg = text[[3]]), "integer64")
  signed <- space_of("String") |> then_cast("i64")
  expect_identical(
    signed(arg = c("-9223372036854775808", "x", "5")), c("-9223372036854775808", NA, "5")
  )
  single <- make_identity(atom_domain(.T = "u64"), absolute_distance("u64"))
  expect_identical(single(arg = 2^63), "9223372036854775808")
  counted <- (space_of("String") |> then_cast_default("u64") |> then_count_by())(arg = text)
  expect_identical(as.data.frame(counted)$key, text[c(3, 1, 2)])
  expect_identical(hashitems(counted, "HashMap<u64, i32>")[[1]], text[c(3, 1, 2)])
})

refused_row <- function(type, row) {
  expect_error((space_of(type) |> then_count_by())(arg = row), class = "dp_error_failed_function")
}

test_that("whole doubles are accepted for every integer type wider than R's integers", {
  big <- list(
    u32 = c(4e9, 2^32 - 1, 0), u64 = c(4e9, 2^63, 2^64 - 2048, 0), usize = c(2^31, 2^53),
    i64 = c(-2^62, -2^31, 2^31, 2^53, 0)
  )
  beyond <- list(u32 = c(2^32, -1), u64 = c(2^64, -1), usize = c(2^64, -1), i64 = c(2^63, -2^64))
  for (type in names(big)) {
    text <- sprintf("%.0f", big[[type]])
    expect_identical(digits_as_text(type, big[[type]]), text)
    expect_identical((space_of(type) |> then_count())(arg = big[[type]]), length(text))
    map <- space_of(type) |> then_count_by()
    expect_setequal(digits_of(as.data.frame(map(arg = big[[type]]))$key), text)
    for (value in c(beyond[[type]], 0.5, NaN, NA, Inf, -Inf, 5e-324)) refused_row(type, c(1, value))
    optional <- c(vector_domain(option_domain(atom_domain(.T = type))), symmetric_distance())
    expect_identical((optional |> then_is_null())(arg = c(1, NA, NaN)), c(FALSE, TRUE, TRUE))
    expect_error((optional |> then_is_null())(arg = c(1, 0.5)), class = "dp_error_failed_function")
  }
  # Types within R's integer are matched as published.
  for (type in c("i8", "i16", "i32", "u8", "u16")) {
    expect_error((space_of(type) |> then_count())(arg = c(1, 2)), class = "dp_error_failed_cast")
  }
})

test_that("integer64 is accepted for exactly the integer types that can hold it", {
  limits <- list(
    i8 = c(-128, 127), u8 = c(0, 255), i16 = c(-32768, 32767), u16 = c(0, 65535),
    i32 = c(-2^31, 2^31 - 1), u32 = c(0, 2^32 - 1), i64 = c("-9223372036854775807", "5"),
    u64 = c("0", "9223372036854775807"), usize = c("0", "9223372036854775807")
  )
  for (type in names(limits)) {
    ends <- integer64_of(limits[[type]])
    expect_identical(digits_as_text(type, ends), digits_of(ends))
    single <- make_identity(atom_domain(.T = type), absolute_distance(type))
    expect_identical(digits_of(single(arg = ends[2])), digits_of(ends[2]))
    outside <- if (is.numeric(limits[[type]])) ends + c(-1L, 1L)
    if (startsWith(type, "u")) outside <- c(outside, bit64::as.integer64(-1))
    for (place in seq_along(outside)) refused_row(type, outside[place])
    refused_row(type, bit64::NA_integer64_)
  }
  for (type in c("f64", "f32", "bool", "String")) {
    expect_error((space_of(type) |> then_count())(arg = integer64_of(1)),
      class = "dp_error_failed_cast"
    )
  }
})

test_that("postprocessors receive releases as the same integers", {
  double_it <- new_function(function(x) x + x, "Vec<i64>")
  x <- integer64_of(c("4503599627370497", "-2"))
  expect_identical(digits_of(double_it(arg = x)), c("9007199254740994", "-4"))
})

test_that("without bit64, integers print and convert, and R does not compute with their bits", {
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(
    "suppressMessages(library(PSIlence))",
    "unlockBinding('prepare_integer64', asNamespace('PSIlence'))",
    "assign('prepare_integer64', PSIlence:::register_integer64, asNamespace('PSIlence'))",
    "enable_features('contrib', 'honest-but-curious')",
    "rows <- c(vector_domain(atom_domain(.T = 'i64')), symmetric_distance())",
    "same <- rows |> then_identity()",
    "x <- same(arg = c(a = -2, 5, 2^53))",
    "print(x)",
    "print(rev(x)[1:2])",
    "print(x[[2]])",
    "cat(format(x), '\\n')",
    "cat(as.character(x), as.double(x), as.integer(x[1:2]), is.na(x), '\\n')",
    "print(sort(x, decreasing = TRUE))",
    "print(c(x, 7L, '9007199254740993'))",
    "print(data.frame(id = x, y = 1:3))",
    "print(as.data.frame((rows |> then_count_by())(arg = x)))",
    "print(unique(rep(x, 2)))",
    "x[2] <- '9007199254740993'",
    "print(x)",
    "for (f in list(\\(x) x + 1, \\(x) x > 1, sum, abs, mean, max)) {",
    "  cat(inherits(tryCatch(f(x), error = identity), 'dp_error_missing_package'), '')",
    "}",
    "cat('bit64' %in% loadedNamespaces())"
  ), script)
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  shown <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
    stdout = TRUE, stderr = TRUE
  )
  expect_snapshot(writeLines(shown))
})

test_that("decimal digits are sorted as numbers", {
  withr::local_seed(4)
  digits <- unique(random_integers(2000))
  sorted <- digits[order_decimals(digits)]
  expect_identical(sorted, as.character(sort(integer64_of(digits))))
})
