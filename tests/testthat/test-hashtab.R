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

test_that("keys and values must have the same number", {
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

test_that("the order of insertion has no effect", {
  keys <- c("kappa", "alpha", "omega", "beta", "zeta")
  one_way <- new_hashtab(keys, 1:5)
  other_way <- new_hashtab(rev(keys), 5:1)
  type <- "HashMap<String, i32>"
  expect_identical(hashitems(one_way, type), hashitems(other_way, type))
  expect_identical(to_str(one_way), to_str(other_way))
})

test_that("a table becomes a data frame, sorted by key", {
  expect_identical(
    as.data.frame(new_hashtab(c("b", "a"), 2:1)), data.frame(key = c("a", "b"), value = 1:2)
  )
  lists <- as.data.frame(new_hashtab(c(2, 1), list(1:2, "x")))
  expect_identical(lists$key, c(1, 2))
  expect_identical(unclass(lists$value), list("x", 1:2))
  expect_identical(dim(as.data.frame(new_hashtab(NULL, NULL))), c(0L, 2L))
})

test_that("maps survive the round trip, sorted by key", {
  on_maps <- function(key, value) {
    make_identity(
      map_domain(atom_domain(.T = key), atom_domain(.T = value)),
      l1_distance(.T = if (value %in% c("f64", "i32")) value else "i32")
    )
  }
  back <- function(key, value, table) as.data.frame(on_maps(key, value)(arg = table))
  expect_identical(
    back("String", "f64", new_hashtab(c("b", "a\u00e9"), c(2.5, -1))),
    data.frame(key = c("a\u00e9", "b"), value = c(-1, 2.5))
  )
  expect_identical(
    back("i32", "i32", new_hashtab(c(10L, -9L), 1:2)), data.frame(key = c(-9L, 10L), value = 2:1)
  )
  expect_identical(
    back("bool", "f64", new_hashtab(c(TRUE, FALSE), c(1, 2))),
    data.frame(key = c(FALSE, TRUE), value = c(2, 1))
  )
  # Doubles represent 64-bit integers.
  wide <- back("usize", "u64", new_hashtab(c(5, 3), c(2^40, 1)))
  expect_identical(wide$key, c(3, 5))
  expect_identical(wide$value, integer64_of(c("1", "1099511627776")))
  expect_identical(back("String", "f64", new_hashtab(NULL, NULL)), data.frame(
    key = character(), value = numeric()
  ))
})

test_that("a named vector is also a map", {
  named <- function(key, data) {
    identity_map <- make_identity(
      map_domain(atom_domain(.T = key), atom_domain(.T = "f64")), l1_distance(.T = "f64")
    )
    as.data.frame(identity_map(arg = data))
  }
  expect_identical(named("String", c(b = 1, a = 2)), data.frame(key = c("a", "b"), value = c(2, 1)))
  expect_identical(named("i32", c(`10` = 1, `9` = 2)), data.frame(key = 9:10, value = c(2, 1)))
  expect_identical(
    named("bool", c(`TRUE` = 1, `FALSE` = 2)), data.frame(key = c(FALSE, TRUE), value = c(2, 1))
  )
  expect_identical(named("String", list(a = 1)), data.frame(key = "a", value = 1))
})

test_that("invalid maps of a type raise errors, whatever they are", {
  counts <- make_identity(
    map_domain(atom_domain(.T = "i32"), atom_domain(.T = "f64")), l1_distance(.T = "f64")
  )
  for (data in list(
    1, NULL, list(1), mean, quote(x), new.env(), "a", c(`1` = 1L), c(`1` = NA_character_),
    new_hashtab("a", 1), new_hashtab(1, 1), new_hashtab(1L, 1L), factor("a"),
    structure(list(), class = "dp_map"), structure(1, class = "dp_map"),
    structure(list(key = "a", value = 1), class = "dp_map"),
    structure(list(key = 1L, value = 1L), class = "dp_map")
  )) {
    expect_error(counts(arg = data), class = "dp_error_failed_cast")
  }
  for (data in list(
    c(a = 1), c(`1` = 1, `01` = 2), new_hashtab(NA_integer_, 1), new_hashtab(list(1:2), 1),
    new_hashtab(1L, list(NULL)), new_hashtab(1L, list(c(1, 2))), data.frame(a = 1),
    structure(list(key = c(1L, 1L), value = c(1, 2)), class = "dp_map"),
    structure(list(key = 1:2, value = 1), class = "dp_map")
  )) {
    expect_error(counts(arg = data), class = "dp_error_failed_function")
  }
})

test_that("bits are raw vectors in both directions", {
  bits <- make_identity(bitvector_domain(), discrete_distance())
  for (data in list(as.raw(c(1, 255, 128)), raw())) expect_identical(bits(arg = data), data)
  for (data in list(1L, TRUE, "01", NULL, structure(as.raw(1), class = "mine"))) {
    expect_error(bits(arg = data), class = "dp_error_failed_cast")
  }
})

test_that("an invalid table or type raises the published error", {
  expect_error(hashitems(list(a = 1), "HashMap<String, f64>"), "^Expected hashtab data, got list$",
    class = "dp_error_invalid_argument"
  )
  expect_error(hashitems(new_hashtab("a", 1), "Vec<f64>"), "^Expected HashMap type_name, got Vec$",
    class = "dp_error_invalid_argument"
  )
})

test_that("tables print entry by entry, with nested ones indented", {
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

test_that("other values print as R code, objects with their own text", {
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
