#' Type descriptors
#'
#' The core stores values in types that R lacks, such as 8-bit or unsigned integers. A descriptor
#' names such a type. Wherever an argument asks for one (`.T`, `.TOA`, `.MO`, ...), the objects
#' below and their names as strings are interchangeable: `f64` is the same as `"f64"`.
#'
#' * `i8`, `i16`, `i32`, `i64`, `i128`: signed integers. `i32` is R's integer, and `"int"`
#'   another name for it.
#' * `u8`, `u16`, `u32`, `u64`, `u128`, `usize`: unsigned integers, and `usize` has 64 bits. Data
#'   cannot have 128-bit types: `i128` holds sums such as those from [make_lattice_sum()], and no
#'   function takes `u128` yet. [integers64] describes how 64-bit numbers are converted to R and
#'   back.
#' * `f32`, `f64`: floats. `f64` is R's double, and `"float"` another name for it.
#' * `bool`, `String`, `BitVector`: R's logical, character and raw.
#' * `ExtrinsicObject`: any R object, which the core passes on without reading it.
#'
#' Write compound types as strings: `"Vec<i32>"`, `"(f64, f64)"`,
#' `"HashMap<String, Vec<f64>>"`.
#'
#' @format A list of class `runtime_type` with the elements
#' * `origin` (`character(1)`): the type without its arguments. `"Tuple"` for `(A, B)`.
#' * `args` (`list` of `runtime_type`): the types in the angle brackets.
#' * `is_generic` (`logical(1)`): whether it is a placeholder, like `.T` in `"Pairwise<.T>"`.
#' * `is_unknown` (`logical(1)`): whether it is the open type `?`.
#' @param x (`runtime_type`) A descriptor.
#' @param ... Ignored.
#' @returns `format()`, `toString()` and `as.character()` return the descriptor as a string.
#'   `print()` writes it and returns `x` invisibly.
#' @examples
#' i32
#' toString(f64)
#' @name type_descriptors
NULL

new_runtime_type <- function(origin, args = list()) {
  structure(
    list(
      origin = origin,
      args = args,
      is_generic = startsWith(origin, "."),
      is_unknown = origin == "?"
    ),
    class = "runtime_type"
  )
}

# nolint start: object_name_linter. The framework defines these names.
#' @rdname type_descriptors
#' @format NULL
#' @export
i8 <- new_runtime_type("i8")

#' @rdname type_descriptors
#' @format NULL
#' @export
i16 <- new_runtime_type("i16")

#' @rdname type_descriptors
#' @format NULL
#' @export
i32 <- new_runtime_type("i32")

#' @rdname type_descriptors
#' @format NULL
#' @export
i64 <- new_runtime_type("i64")

#' @rdname type_descriptors
#' @format NULL
#' @export
i128 <- new_runtime_type("i128")

#' @rdname type_descriptors
#' @format NULL
#' @export
u8 <- new_runtime_type("u8")

#' @rdname type_descriptors
#' @format NULL
#' @export
u16 <- new_runtime_type("u16")

#' @rdname type_descriptors
#' @format NULL
#' @export
u32 <- new_runtime_type("u32")

#' @rdname type_descriptors
#' @format NULL
#' @export
u64 <- new_runtime_type("u64")

#' @rdname type_descriptors
#' @format NULL
#' @export
u128 <- new_runtime_type("u128")

#' @rdname type_descriptors
#' @format NULL
#' @export
usize <- new_runtime_type("usize")

#' @rdname type_descriptors
#' @format NULL
#' @export
f32 <- new_runtime_type("f32")

#' @rdname type_descriptors
#' @format NULL
#' @export
f64 <- new_runtime_type("f64")

#' @rdname type_descriptors
#' @format NULL
#' @export
bool <- new_runtime_type("bool")

#' @rdname type_descriptors
#' @format NULL
#' @export
String <- new_runtime_type("String")

#' @rdname type_descriptors
#' @format NULL
#' @export
BitVector <- new_runtime_type("BitVector")

#' @rdname type_descriptors
#' @format NULL
#' @export
ExtrinsicObject <- new_runtime_type("ExtrinsicObject")
# nolint end

#' @rdname type_descriptors
#' @export
format.runtime_type <- function(x, ...) rt_to_string(x)

#' @rdname type_descriptors
#' @export
toString.runtime_type <- function(x, ...) rt_to_string(x)

#' @rdname type_descriptors
#' @export
as.character.runtime_type <- function(x, ...) rt_to_string(x)

#' @rdname type_descriptors
#' @export
print.runtime_type <- function(x, ...) {
  cat(rt_to_string(x), "\n", sep = "")
  invisible(x)
}

rt_to_string <- function(type) {
  args <- paste(vapply(type$args, rt_to_string, character(1)), collapse = ", ")
  if (type$origin == "Tuple") {
    paste0("(", args, ")")
  } else if (length(type$args)) {
    paste0(type$origin, "<", args, ">")
  } else {
    type$origin
  }
}
