constants <- list(
  i8 = i8, i16 = i16, i32 = i32, i64 = i64, i128 = i128,
  u8 = u8, u16 = u16, u32 = u32, u64 = u64, u128 = u128, usize = usize,
  f32 = f32, f64 = f64, bool = bool, String = String, BitVector = BitVector,
  ExtrinsicObject = ExtrinsicObject
)

test_that("the published constants exist and are named after their type", {
  rows <- read_fixture("r_api.csv")
  published <- rows$name[rows$args == "(constant: runtime_type object)"]
  expect_setequal(names(constants), published)
  for (name in names(constants)) {
    expect_s3_class(constants[[name]], "runtime_type", exact = TRUE)
    expect_identical(toString(constants[[name]]), name)
  }
})

test_that("descriptors print, format and convert as their string", {
  type <- rt_parse("HashMap<String, Vec<f64>>")
  text <- "HashMap<String, Vec<f64>>"
  expect_identical(toString(type), text)
  expect_identical(format(type), text)
  expect_identical(as.character(type), text)
  expect_output(print(type), text, fixed = TRUE)
  expect_identical(withVisible(print_silently(type)), list(value = type, visible = FALSE))
})

test_that("a descriptor and its name are interchangeable", {
  for (name in names(constants)) {
    expect_identical(rt_parse(name), constants[[name]])
    expect_identical(rt_parse(constants[[name]]), constants[[name]])
  }
  expect_identical(rt_parse("int"), i32)
  expect_identical(rt_parse("float"), f64)
  expect_identical(rt_parse(" f64 "), f64)
})

test_that("compound descriptors are read into their parts and written back", {
  written <- c(
    "Vec<i32>", "(f64, f64)", "()", "HashMap<String, i32>", "HashMap<String, Vec<f64>>",
    "Option<HashMap<(i32, bool), Vec<(u8, f32)>>>", "L01InfDistance<AbsoluteDistance<i32>>",
    "(u32, HashMap<String, i32>, i32)", "Pairwise<.T>", "Approximate<MaxDivergence>"
  )
  for (text in written) {
    expect_identical(rt_to_string(rt_parse(text)), text)
    expect_identical(rt_to_string(rt_parse(gsub(", ", ",", text))), text)
  }
  type <- rt_parse("HashMap<String, (i32, Vec<f64>)>")
  expect_identical(type$origin, "HashMap")
  expect_identical(type$args[[1]], String)
  expect_identical(type$args[[2]]$origin, "Tuple")
  expect_identical(type$args[[2]]$args, list(i32, rt_parse("Vec<f64>")))
  expect_identical(rt_parse("Vec<int>"), rt_parse("Vec<i32>"))
})

test_that("unknown names are left for the core to check", {
  type <- rt_parse("Whatever")
  expect_identical(unclass(type), list(
    origin = "Whatever", args = list(), is_generic = FALSE, is_unknown = FALSE
  ))
})

test_that("invalid descriptors raise errors", {
  for (x in list(NULL, 1, TRUE, NA_character_, c("i32", "f64"), character(), sum)) {
    expect_error(rt_parse(x), "^type_name must be a character string$",
      class = "dp_error_invalid_argument"
    )
  }
  broken <- c("Vec<i32", "Vec i32>", "(i32, f64", "Vec<(i32>)", "", "Vec<>", "(i32,)", "(A)(B)")
  for (text in broken) {
    error <- tryCatch(rt_parse(text), error = identity)
    expect_s3_class(error, "dp_error_type_parse")
    expect_match(conditionMessage(error), "[TypeParse] : failed to parse type: ", fixed = TRUE)
  }
})

test_that("placeholders are marked and replaced at any position", {
  expect_true(rt_parse("Pairwise<.T>")$args[[1]]$is_generic)
  expect_true(rt_parse("T", generics = list("T"))$is_generic)
  expect_false(rt_parse("T")$is_generic)
  expect_true(rt_parse("Option<?>")$args[[1]]$is_unknown)
  substituted <- function(...) rt_to_string(rt_substitute(...))
  expect_identical(substituted("Pairwise<.T>", .T = f64), "Pairwise<f64>")
  expect_identical(substituted("Pairwise<.T>", .T = "float"), "Pairwise<f64>")
  expect_identical(substituted("(.K, Vec<.V>)", .K = "String", .V = "Vec<i32>"),
    "(String, Vec<Vec<i32>>)"
  )
  expect_identical(substituted("Vec<T>", T = "i64"), "Vec<i64>")
  expect_identical(substituted("Vec<.T>", .S = "i64"), "Vec<.T>")
  expect_identical(substituted(".T", .T = "i64"), "i64")
})

test_that("a given type overrides an example, and one of the two is required", {
  expect_identical(parse_or_infer("u8", 1.5), u8)
  expect_identical(parse_or_infer(NULL, 1.5), f64)
  expect_error(
    parse_or_infer(NULL, NULL), "^either type_name or public_example must be passed$",
    class = "dp_error_invalid_argument"
  )
})
