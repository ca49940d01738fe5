inferred <- function(...) rt_to_string(rt_infer(...))

test_that("plain R values have the type of their class and length", {
  expect_identical(inferred(1L), "i32")
  expect_identical(inferred(1), "f64")
  expect_identical(inferred(TRUE), "bool")
  expect_identical(inferred("a"), "String")
  expect_identical(inferred(as.raw(1:3)), "BitVector")
  expect_identical(inferred(1:2), "Vec<i32>")
  expect_identical(inferred(c(1, 2)), "Vec<f64>")
  expect_identical(inferred(c(TRUE, NA)), "Vec<bool>")
  expect_identical(inferred(letters), "Vec<String>")
  expect_identical(inferred(numeric()), "f64")
  expect_identical(inferred(character()), "String")
  expect_identical(inferred(NULL), "Option<?>")
  expect_identical(inferred(structure(1, class = "integer64")), "i64")
})

test_that("lists are tuples, and hash tables have the type of an entry", {
  expect_identical(inferred(list(1L, "a", c(1, 2))), "(i32, String, Vec<f64>)")
  expect_identical(inferred(list(a = 1L, list(NULL))), "(i32, (Option<?>))")
  expect_identical(inferred(list()), "()")
  expect_identical(inferred(new_hashtab("a", 1L)), "HashMap<String, i32>")
  expect_identical(inferred(new_hashtab(1:2, list(c(1, 2), c(3, 4)))), "HashMap<i32, Vec<f64>>")
  expect_identical(inferred(new_hashtab(1:2, list(NULL, NULL))), "HashMap<i32, Option<?>>")
  expect_identical(inferred(new_hashtab(NULL, NULL)), "HashMap<?, ?>")
})

test_that("framework objects have internal names, whatever their contents", {
  for (class in names(framework_types)) {
    object <- if (class == "function") sum else structure(function() NULL, class = class)
    expect_identical(inferred(object), framework_types[[class]])
  }
})

test_that("a class that may redefine the bits has no type", {
  objects <- list(
    environment = globalenv(), factor = factor("a"), Date = Sys.Date(), data.frame = data.frame(),
    difftime = as.difftime(1, units = "mins"), matrix = matrix(1:4, 2), complex = 1i
  )
  for (class in names(objects)) {
    expect_error(
      rt_infer(objects[[class]]), paste("unable to infer type from object of class", class),
      class = "dp_error_type"
    )
    expect_identical(inferred(objects[[class]], allow_extrinsic = TRUE), "ExtrinsicObject")
  }
  expect_identical(inferred(list(1, globalenv()), allow_extrinsic = TRUE), "(f64, ExtrinsicObject)")
})

# Types of G.3: accepted substitutions.
accepted <- function(expected, value) {
  tryCatch(
    identical(rt_assert(expected, rt_infer(value), value), rt_parse(expected)),
    dp_error_type = function(error) FALSE
  )
}

test_that("numbers are accepted for all types without an R counterpart", {
  integers <- c(signed_types, unsigned_types)
  for (type in c(integers, float_types, "bool", "String", "BitVector")) {
    expect_identical(accepted(type, 1L), type %in% integers)
    expect_identical(accepted(type, 1.5), type %in% float_types)
    expect_identical(accepted(type, 2), type %in% c(float_types, count_types))
    expect_identical(accepted(type, TRUE), type == "bool")
    expect_identical(accepted(type, "a"), type == "String")
    expect_identical(accepted(type, as.raw(1)), type == "BitVector")
    expect_true(accepted(paste0("Option<", type, ">"), NULL))
  }
})

test_that("scalars, vectors and tuples convert to each other without loss", {
  expect_true(accepted("Vec<f64>", 1.5))
  expect_true(accepted("Vec<f64>", c(1.5, 2)))
  expect_true(accepted("Vec<f64>", list(1.5, 2)))
  expect_true(accepted("(f64, f64)", c(1, 1e-5)))
  expect_true(accepted("(f64, f64)", list(1, 1e-5)))
  expect_true(accepted("(u32, f64, f64)", list(1L, 1.5, 2)))
  expect_true(accepted("(u32, f64, f64)", c(1, 1.5, 2)))
  expect_true(accepted("Vec<u32>", c(1, 2)))
  expect_true(accepted("Option<(f64, f64)>", c(0, 1)))
  expect_true(accepted("HashMap<String, u32>", new_hashtab("a", 1L)))
  expect_true(accepted("ExtrinsicObject", sum))
  expect_true(accepted("Vec<i64>", structure(1:2 + 0, class = "integer64")))

  expect_false(accepted("f64", c(1, 2)))
  expect_false(accepted("Vec<i32>", c(1.5, 2)))
  expect_false(accepted("Vec<u32>", c(1, 1.5)))
  expect_false(accepted("Vec<f64>", list(1, "a")))
  expect_false(accepted("(f64, f64)", c(1, 2, 3)))
  expect_false(accepted("(f64, f64)", list(1)))
  expect_false(accepted("(u32, f64)", c(1.5, 1.5)))
  expect_false(accepted("(f64, f64)", 1))
  expect_false(accepted("HashMap<String, u32>", new_hashtab("a", 1.5)))
})

test_that("mismatches name the inferred and the expected type", {
  message_of <- function(expected, value) {
    tryCatch(rt_assert(expected, rt_infer(value), value), error = conditionMessage)
  }
  expect_identical(message_of("u32", 1.5), "[Type] : inferred type is f64, expected u32.")
  expect_identical(
    message_of("(f64, f64, f64)", list(1, 2)),
    "[Type] : inferred type has 2 arg(s), expected 3 arg(s)."
  )
  expect_identical(
    message_of("(f64, f64, f64)", c(1, 2)),
    "[Type] : inferred type has 2 arg(s), expected 3 arg(s)."
  )
  expect_identical(
    message_of("Vec<String>", 1:2), "[Type] : inferred type is i32, expected String."
  )
})

test_that("a whole double passes as a count only if its value is a valid count", {
  expect_error(rt_assert("u32", "f64"), class = "dp_error_type")
  for (type in count_types) {
    for (value in list(NA_real_, NaN, -1, Inf)) {
      error <- tryCatch(rt_assert(type, "f64", value), error = identity)
      expect_s3_class(error, "dp_error_failed_cast")
      expect_match(conditionMessage(error), paste("[FailedCast] :", type, "cannot be"),
        fixed = TRUE
      )
    }
  }
})
