test_that("a table holds its entries under identical keys", {
  table <- new_hashtab(list("a", 1L, 1), list(1L, "one", NULL))
  expect_s3_class(table, "hashtab")
  expect_identical(utils::numhash(table), 3L)
  expect_identical(utils::gethash(table, "a"), 1L)
  expect_identical(utils::gethash(table, 1L), "one")
  expect_null(utils::gethash(table, 1, "absent"))
  expect_identical(utils::gethash(table, 2, "absent"), "absent")
  expect_identical(utils::numhash(new_hashtab(NULL, NULL)), 0L)
})

test_that("keys and values must pair up", {
  for (vals in list(1, 1:3, list())) {
    expect_error(new_hashtab(c("a", "b"), vals), "^keys and vals must have the same length$",
      class = "dp_error_invalid_argument"
    )
  }
})

test_that("items come back sorted by key, scalars as vectors, the rest as lists", {
  items <- function(keys, vals, type) hashitems(new_hashtab(keys, vals), type)
  expect_identical(
    items(c("b", "a", "C"), 1:3, "HashMap<String, i32>"),
    list(c("C", "a", "b"), c(3L, 2L, 1L))
  )
  expect_identical(
    items(c(10L, 9L), list(c(1, 2), 3), "HashMap<i32, Vec<f64>>"),
    list(c(9L, 10L), list(3, c(1, 2)))
  )
  expect_identical(
    items(list("a", "b"), list(NULL, sum), "HashMap<String, ExtrinsicObject>"),
    list(c("a", "b"), list(NULL, sum))
  )
  expect_identical(
    items(c(TRUE, FALSE), c(0.5, 1), rt_parse("HashMap<bool, f64>")),
    list(c(FALSE, TRUE), c(1, 0.5))
  )
  expect_identical(items(NULL, NULL, "HashMap<String, f64>"), list(character(), double()))
  expect_identical(items(NULL, NULL, "HashMap<u32, bool>"), list(integer(), logical()))
})

test_that("the order of insertion leaves no trace", {
  keys <- c("kappa", "alpha", "omega", "beta", "zeta")
  one_way <- new_hashtab(keys, 1:5)
  other_way <- new_hashtab(rev(keys), 5:1)
  type <- "HashMap<String, i32>"
  expect_identical(hashitems(one_way, type), hashitems(other_way, type))
  expect_identical(to_str(one_way), to_str(other_way))
})

test_that("what is not a table, or not the type of one, is refused with the published text", {
  expect_error(hashitems(list(a = 1), "HashMap<String, f64>"), "^Expected hashtab data, got list$",
    class = "dp_error_invalid_argument"
  )
  expect_error(hashitems(new_hashtab("a", 1), "Vec<f64>"), "^Expected HashMap type_name, got Vec$",
    class = "dp_error_invalid_argument"
  )
})

test_that("tables are shown entry by entry, nested ones indented", {
  expect_identical(to_str(new_hashtab(NULL, NULL)), "hashtab()")
  table <- new_hashtab(c("b", "a"), list(2L, new_hashtab(1L, list(c(0.5, 1)))))
  shown <- c(
    "hashtab(",
    '  "a" = hashtab(',
    "    1L = c(0.5, 1)",
    "  ),",
    '  "b" = 2L',
    ")"
  )
  expect_identical(to_str(table), paste(shown, collapse = "\n"))
})

test_that("other values are shown as R code, objects by their own text", {
  expect_identical(to_str("a\"b"), '"a\\"b"')
  expect_identical(to_str(NULL), "NULL")
  expect_identical(to_str(f64), "f64")
  expect_identical(to_str.default(1:3, 0L), "1:3")
})

test_that("the functions have the published formals", {
  for (name in c("new_hashtab", "hashitems", "to_str.default", "to_str.hashtab")) {
    expect_identical(formals(get(name)), published_formals(name))
  }
})
