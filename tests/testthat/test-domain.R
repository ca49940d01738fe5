test_that("domains print as published", {
  shown <- list(
    "AtomDomain(T=i32)" = atom_domain(.T = "i32"),
    "AtomDomain(nan=true, T=f64)" = atom_domain(.T = "f64"),
    "AtomDomain(T=f64)" = atom_domain(.T = f64, nan = FALSE),
    "AtomDomain(bounds=[1, 2], T=i32)" = atom_domain(bounds = c(1L, 2L)),
    "AtomDomain(bounds=[0.0, 10.0], nan=true, T=f64)" = atom_domain(bounds = c(0, 10), nan = TRUE),
    "OptionDomain(AtomDomain(T=i32))" = option_domain(atom_domain(.T = "i32")),
    "VectorDomain(AtomDomain(T=i32))" = vector_domain(atom_domain(.T = "i32")),
    "VectorDomain(AtomDomain(T=i32), size=12)" = vector_domain(atom_domain(.T = "i32"), size = 12L),
    "MapDomain { key_domain: AtomDomain(T=String), value_domain: AtomDomain(nan=true, T=f64) }" =
      map_domain(atom_domain(.T = String), atom_domain(.T = f64)),
    "BitVectorDomain()" = bitvector_domain(),
    "BitVectorDomain(weight=4)" = bitvector_domain(max_weight = 4L),
    "BitVectorDomain(weight=4, size=16)" = bitvector_domain(max_weight = 4L, size = 16L),
    "BitVectorDomain(size=0)" = bitvector_domain(size = 0),
    "Name" = user_domain("Name", \(x) TRUE)
  )
  for (text in names(shown)) {
    expect_identical(toString(shown[[text]]), text)
    expect_identical(format(shown[[text]]), text)
    expect_output(print(shown[[text]]), text, fixed = TRUE)
    expect_identical(shown[[text]]("debug"), text)
    expect_identical(domain_debug(shown[[text]]), text)
  }
})

test_that("domains with bounds exclude NaN, unlike in the published bindings", {
  expect_identical(
    toString(atom_domain(bounds = c(0, 10))), "AtomDomain(bounds=[0.0, 10.0], T=f64)"
  )
})

test_that("types and carriers have the published names", {
  vec <- vector_domain(atom_domain(.T = "i32"))
  expect_identical(domain_type(vec), "VectorDomain<AtomDomain<i32>>")
  expect_identical(domain_carrier_type(vec), "Vec<i32>")
  expect_identical(vec$type, vec("type"))
  expect_identical(vec$carrier_type, vec("carrier_type"))
  table <- map_domain(atom_domain(.T = String), atom_domain(.T = f64))
  expect_identical(domain_carrier_type(table), "HashMap<String, f64>")
  expect_identical(domain_carrier_type(bitvector_domain()), "BitVector")
  expect_identical(domain_type(user_domain("Name", \(x) TRUE)), "ExtrinsicDomain")
  types <- c(
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "usize", "f32", "f64", "bool", "String"
  )
  for (type in types) {
    expect_identical(domain_carrier_type(atom_domain(.T = type)), type)
  }
})

test_that("a domain tests membership", {
  expect_true(bitvector_domain(max_weight = 2L)(member = as.raw(c(1, 128))))
  expect_false(bitvector_domain(max_weight = 2L)(member = as.raw(c(1, 129))))
  expect_false(bitvector_domain(size = 8)(member = as.raw(c(1, 128))))
  bounded <- atom_domain(bounds = c(0L, 10L))
  expect_true(bounded(member = 10L))
  expect_false(bounded(member = 11L))
  expect_true(bounded$member(0L))
  expect_error(bounded(member = 1), class = "dp_error_failed_cast")
  expect_true(atom_domain(.T = "f64")(member = NaN))
  expect_false(atom_domain(.T = "f64", nan = FALSE)(member = NaN))
  sized <- vector_domain(bounded, size = 3)
  expect_true(sized(member = c(1L, 2L, 3L)))
  expect_false(sized(member = c(1L, 2L)))
  expect_false(sized(member = c(1L, 2L, 11L)))
  optional <- vector_domain(option_domain(bounded))
  expect_true(optional(member = c(1L, NA)))
  even <- user_domain("even", \(x) x %% 2 == 0)
  expect_true(even(member = 4))
  expect_false(even(member = 5))
})

test_that("a map is a member if all of its keys and values are members", {
  costs <- map_domain(atom_domain(.T = "String"), atom_domain(.T = "f64"))
  expect_true(costs(member = new_hashtab(c("A", "B"), c(3, 4))))
  expect_true(costs(member = c(A = 3, B = NaN)))
  expect_error(costs(member = new_hashtab("A", 3L)), class = "dp_error_failed_cast")
  expect_error(costs(member = new_hashtab(1L, 3)), class = "dp_error_failed_cast")
  bounded <- map_domain(atom_domain(bounds = c(1L, 2L)), atom_domain(bounds = c(0, 10)))
  expect_true(bounded(member = new_hashtab(1:2, c(0, 10))))
  expect_true(bounded(member = new_hashtab(list(), list())))
  expect_false(bounded(member = new_hashtab(c(1L, 3L), c(0, 10))))
  expect_false(bounded(member = new_hashtab(1:2, c(0, 11))))
})

test_that("a user's member function must answer TRUE or FALSE", {
  expect_error(user_domain("odd", \(x) "yes")(member = 1), class = "dp_error_failed_function")
  expect_error(user_domain("odd", \(x) stop("no"))(member = 1), class = "dp_error_failed_function")
})

test_that("a descriptor is returned unchanged", {
  descriptor <- list(a = 1, b = mean)
  expect_identical(user_domain("Name", \(x) TRUE, descriptor)("descriptor"), descriptor)
  expect_identical(user_domain("Name", \(x) TRUE, descriptor)$descriptor, descriptor)
})

test_that("invalid domains raise errors", {
  expect_snapshot(error = TRUE, {
    atom_domain(bounds = c(5L, 1L))
    atom_domain(bounds = c(NaN, 1))
    atom_domain(bounds = c(0, NaN))
    atom_domain(.T = "i32", nan = TRUE)
    atom_domain(.T = "bool", nan = TRUE)
    atom_domain(bounds = c("a", "b"))
    atom_domain()
    atom_domain(.T = "i31")
    vector_domain(bitvector_domain())
  })
  for (expr in expression(
    atom_domain(bounds = c(5L, 1L)), atom_domain(bounds = c(NaN, 1)),
    atom_domain(.T = "i32", nan = TRUE), atom_domain(bounds = c("a", "b")),
    vector_domain(bitvector_domain())
  )) {
    expect_error(eval(expr), class = "dp_error_make_domain")
  }
  expect_error(atom_domain(.T = "i31"), class = "dp_error_type_parse")
  expect_error(atom_domain(bounds = c(0, 1), .T = "i32"), class = "dp_error_failed_cast")
  expect_error(atom_domain(bounds = 1:3), class = "dp_error_invalid_argument")
  expect_error(atom_domain(bounds = c(NA, 1L)), class = "dp_error_failed_cast")
  for (size in list(-1, 1.5, NA, "3", 1:2, Inf, NaN, list())) {
    expect_error(
      vector_domain(atom_domain(.T = "i32"), size = size), class = "dp_error_failed_cast"
    )
  }
  expect_error(map_domain(atom_domain(.T = f64), atom_domain(.T = f64)), class = "dp_error_type")
  expect_error(bitvector_domain(max_weight = -1), class = "dp_error_failed_cast")
  expect_error(bitvector_domain(size = 12), class = "dp_error_make_domain")
  expect_error(bitvector_domain(size = -8), class = "dp_error_failed_cast")
  expect_error(vector_domain(3), class = "dp_error_invalid_argument")
  expect_error(user_domain("x", 3), class = "dp_error_invalid_argument")
})

test_that("equal bounds and infinite bounds are allowed", {
  expect_s3_class(atom_domain(bounds = c(0, 0)), "domain")
  expect_identical(
    toString(atom_domain(bounds = c(-Inf, Inf))), "AtomDomain(bounds=[-inf, inf], T=f64)"
  )
})

test_that("a domain answers exactly one request per call", {
  domain <- atom_domain(.T = "i32")
  expect_error(domain(), "expected exactly one of attr or member",
    class = "dp_error_invalid_argument"
  )
  expect_error(domain("debug", member = 1L), class = "dp_error_invalid_argument")
  expect_error(domain("nothing"), "unrecognized attribute", class = "dp_error_invalid_argument")
  expect_error(domain$nothing, class = "dp_error_invalid_argument")
})

test_that("user domains are gated", {
  withr::local_options(opendp_features = "contrib")
  expect_error(user_domain("x", \(x) TRUE), class = "dp_error_missing_feature")
})
