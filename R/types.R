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

# Parses descriptors of types ----------------------------------------------------------------------

# Parses a descriptor. A name that is not compound stays opaque: the core knows which ones exist.
# Names in `generics` are placeholders, and so are all names that start with a dot.
rt_parse <- function(type_name, generics = list()) {
  if (inherits(type_name, "runtime_type")) {
    return(type_name)
  }
  if (!is_string(type_name)) {
    stop_dp("type_name must be a character string", "invalid_argument", argument = "type_name")
  }
  text <- trimws(type_name)
  parse_args <- function(inner) lapply(split_args(inner), rt_parse, generics = generics)
  if (text == "" || !is_balanced(text)) {
    stop_dp("failed to parse type: {text}", "type_parse")
  }
  if (text == "()") {
    return(new_runtime_type("Tuple"))
  }
  if (grepl("^\\(.*\\)$", text)) {
    return(new_runtime_type("Tuple", parse_args(substr(text, 2, nchar(text) - 1))))
  }
  if (grepl("^[^<]+<.*>$", text)) {
    origin <- trimws(sub("<.*$", "", text))
    inner <- sub("^[^<]+<(.*)>$", "\\1", text)
    return(new_runtime_type(origin, parse_args(inner)))
  }
  type <- new_runtime_type(switch(text, int = "i32", float = "f64", text))
  type$is_generic <- type$is_generic || text %in% generics
  type
}

is_balanced <- function(text) {
  open <- character()
  closes <- c(">" = "<", ")" = "(")
  for (char in strsplit(text, "")[[1]]) {
    if (char %in% closes) {
      open <- c(open, char)
    } else if (char %in% names(closes)) {
      if (!identical(open[length(open)], closes[[char]])) {
        return(FALSE)
      }
      open <- open[-length(open)]
    }
  }
  length(open) == 0
}

# Splits at commas outside brackets.
split_args <- function(text) {
  chars <- strsplit(text, "")[[1]]
  depth <- cumsum(chars %in% c("<", "(")) - cumsum(chars %in% c(">", ")"))
  ends <- c(which(chars == "," & depth == 0), length(chars) + 1)
  starts <- c(1, ends[-length(ends)] + 1)
  trimws(substring(text, starts, ends - 1))
}

# Replaces placeholders: rt_substitute("Pairwise<.T>", .T = f64) is Pairwise<f64>. A placeholder
# without a value stays.
rt_substitute <- function(type, ...) {
  values <- list(...)
  type <- rt_parse(type, generics = names(values))
  if (type$is_generic && !is.null(values[[type$origin]])) {
    return(rt_parse(values[[type$origin]]))
  }
  type$args <- lapply(type$args, rt_substitute, ...)
  type
}

parse_or_infer <- function(type_name, public_example, generics = list()) {
  if (!is.null(type_name)) {
    return(rt_parse(type_name, generics))
  }
  if (is.null(public_example)) {
    stop_dp(
      "either type_name or public_example must be passed", "invalid_argument",
      argument = "type_name"
    )
  }
  rt_infer(public_example)
}
