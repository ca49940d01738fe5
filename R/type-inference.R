# Infers the type of an R object, and checks whether it fits an expected type.

# Names of framework objects when one of them is an argument.
framework_types <- c(
  domain = "AnyDomain",
  metric = "AnyMetric",
  measure = "AnyMeasure",
  transformation = "AnyTransformation",
  measurement = "AnyMeasurement",
  odometer = "AnyOdometer",
  privacy_profile = "PrivacyProfile",
  queryable = "AnyQueryable",
  odometer_queryable = "AnyOdometerQueryable",
  opendp_function = "AnyFunction",
  `function` = "CallbackFunction"
)

atomic_types <- c(
  integer = "i32", numeric = "f64", logical = "bool", character = "String", raw = "BitVector",
  integer64 = "i64"
)

# The type of an R object, from its class. Objects whose class reinterprets the bits (factor, date,
# matrix) have no type. With `allow_extrinsic`, such an object is an ExtrinsicObject.
rt_infer <- function(public_example, allow_extrinsic = FALSE) {
  infer <- function(x) rt_infer(x, allow_extrinsic)
  class <- class(public_example)[[1]]
  if (is.null(public_example)) {
    new_runtime_type("Option", list(new_runtime_type("?")))
  } else if (class %in% names(atomic_types)) {
    infer_atomic(public_example, atomic_types[[class]])
  } else if (class %in% c("hashtab", "dp_map")) {
    new_runtime_type("HashMap", infer_entry(public_example, infer))
  } else if (class == "list") {
    new_runtime_type("Tuple", lapply(unname(public_example), infer))
  } else if (inherits(public_example, names(framework_types))) {
    known <- inherits(public_example, names(framework_types), which = TRUE) > 0
    new_runtime_type(framework_types[[which(known)[[1]]]])
  } else if (allow_extrinsic) {
    ExtrinsicObject
  } else {
    stop_dp("unable to infer type from object of class {class}", "type")
  }
}

# The type that `type` declares, or else the element type of a public vector or list, such as
# categories.
type_of_elements <- function(x, type = NULL) {
  if (!is.null(type)) {
    return(rt_parse(type))
  }
  type <- rt_infer(if (is.list(x) && !is.object(x) && length(x)) x[[1]] else x)
  if (type$origin == "Vec") type$args[[1]] else type
}

# A raw vector is one value: a bit string.
infer_atomic <- function(x, origin) {
  scalar <- new_runtime_type(origin)
  if (length(x) > 1 && !is.raw(x)) new_runtime_type("Vec", list(scalar)) else scalar
}

infer_entry <- function(table, infer) {
  entries <- hash_entries(table)
  if (length(entries[[1]]) == 0) {
    return(list(new_runtime_type("?"), new_runtime_type("?")))
  }
  lapply(entries, function(items) infer(items[[1]]))
}

# Stops unless a value of type `inferred` fits `expected`, and returns `expected`. R has only one
# integer and one double type for all numbers of the core. With `value`, the R object, a whole
# double also passes for a count (u32, u64, usize), because R users write `d_in = 1`. No other type
# is widened, because i32 and f64 data take different paths in the core.
rt_assert <- function(expected, inferred, value = NULL, call = rlang::caller_env()) {
  expected <- rt_parse(expected)
  inferred <- rt_parse(inferred)
  if (is_any(expected) || is_any(inferred)) {
    return(expected)
  }
  if (inferred$origin == expected$origin) {
    assert_args(expected, inferred, value, call)
  } else if (expected$origin == "Option") {
    rt_assert(expected$args[[1]], inferred, value, call)
  } else if (expected$origin == "Vec") {
    assert_vector(expected, inferred, value, call)
  } else if (expected$origin == "Tuple" && inferred$origin == "Vec") {
    assert_tuple(expected, inferred, value, call)
  } else if (!accepts_number(expected$origin, inferred$origin, value, call)) {
    stop_type(expected, inferred, call)
  }
  expected
}

is_any <- function(type) type$origin == "ExtrinsicObject" || type$is_unknown

# A tuple of equal types, or a scalar, for an expected vector.
assert_vector <- function(expected, inferred, value, call) {
  element <- expected$args[[1]]
  if (inferred$origin != "Tuple") {
    return(rt_assert(element, inferred, value, call))
  }
  for (i in seq_along(inferred$args)) {
    rt_assert(element, inferred$args[[i]], part(value, i), call)
  }
}

# A vector for an expected tuple.
assert_tuple <- function(expected, inferred, value, call) {
  assert_count(if (is.null(value)) length(expected$args) else length(value), expected, call)
  for (i in seq_along(expected$args)) {
    rt_assert(expected$args[[i]], inferred$args[[1]], part(value, i), call)
  }
}

signed_types <- c("i8", "i16", "i32", "i64", "i128")
unsigned_types <- c("u8", "u16", "u32", "u64", "u128", "usize")
float_types <- c("f32", "f64")
count_types <- c("u32", "u64", "usize")

accepts_number <- function(expected, inferred, value, call) {
  if (inferred %in% c("i32", "i64")) {
    return(expected %in% c(signed_types, unsigned_types))
  }
  if (inferred != "f64") {
    return(FALSE)
  }
  if (expected %in% count_types && is.double(value)) {
    assert_counts(value, expected, call)
    return(all(value == trunc(value)))
  }
  expected %in% float_types
}

assert_counts <- function(value, expected, call) {
  if (anyNA(value)) {
    stop_dp("{expected} cannot be missing", "failed_cast", call = call)
  }
  if (any(value < 0)) {
    stop_dp("{expected} cannot be negative", "failed_cast", call = call)
  }
  if (any(is.infinite(value))) {
    stop_dp("{expected} cannot be infinite", "failed_cast", call = call)
  }
}

# Types of the same origin: their arguments must agree. The entries of a tuple are checked one by
# one. A vector has one element type, and any element can be a double that must be whole.
assert_args <- function(expected, inferred, value, call) {
  assert_count(length(inferred$args), expected, call)
  for (i in seq_along(expected$args)) {
    entry <- switch(expected$origin,
      Tuple = part(value, i),
      Vec = value
    )
    rt_assert(expected$args[[i]], inferred$args[[i]], entry, call)
  }
}

part <- function(value, i) if (i <= length(value)) value[[i]]

assert_count <- function(count, expected, call) {
  if (count != length(expected$args)) {
    stop_dp(
      "inferred type has {count} arg(s), expected {length(expected$args)} arg(s).",
      "type",
      call = call
    )
  }
}

stop_type <- function(expected, inferred, call) {
  stop_dp("inferred type is {rt_to_string(inferred)}, expected {rt_to_string(expected)}.", "type",
    call = call
  )
}
