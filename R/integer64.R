#' Exchange 64-bit integers between R and the core
#'
#' Describes how the carrier types `i64`, `u64` and `usize` are converted between R and the core,
#' exactly.
#'
#' R has no type for integers of 64 bits, and a double is exact up to \eqn{2^{53}}. The class
#' `integer64` of the package bit64 holds them all except \eqn{-2^{63}}, which is its `NA`, and
#' unsigned numbers from \eqn{2^{63}} on.
#'
#' **Data, bounds and constants.** You can give integers and `integer64` for every integer type that
#' holds their values, and whole doubles for `u32`, `i64`, `u64` and `usize`.
#'
#' **Results.** The type of a result is known before any data are read:
#'
#' * A double vector, if no member of the output domain is beyond \eqn{2^{53}} and the data were not
#'   `integer64`. So bounds given as doubles give doubles. The input domain of your own function
#'   determines its argument in the same way.
#' * Doubles for `usize`, which holds positions and sizes. If one of them is beyond \eqn{2^{53}},
#'   all are returned as `integer64`.
#' * `integer64` otherwise. This includes every release, because its domain is not known.
#' * Text, in decimal digits, if `integer64` cannot hold one of the numbers.
#'
#' Functions that combine results, such as `unlist()`, `sapply()` and `replicate()`, drop the class:
#' convert each result with [as.double()] or [as.character()] first. Sums in `i128` are returned as
#' the nearest doubles. Distances are doubles, rounded up beyond \eqn{2^{53}}.
#'
#' **Keys of hash tables** follow the same rule, except that `integer64` keys are text, in decimal
#' digits, `counts[["9007199254740993"]]`. R compares keys as numbers, and would take many
#' `integer64` values for the same `NaN`. [as.data.frame()] of such a table has a key column of
#' class `integer64`, sorted as numbers, and so does [hashitems()]. You can also use such text as a
#' key in data.
#'
#' **Without bit64.** Results need no package. If bit64 is installed, the first `integer64` loads
#' it, because it provides all functions of the class. Otherwise, you can print such vectors, split
#' and combine them, and convert them with [as.character()], [as.double()] (to the nearest double)
#' and [as.integer()]. Arithmetic, comparisons and summaries raise an error, because R would compute
#' with the bits.
#'
#' @section Errors: Raises `dp_error_missing_package` for arithmetic without bit64.
#' @examples
#' enable_features("contrib")
#' wide <- c(vector_domain(atom_domain(.T = "i64")), symmetric_distance()) |>
#'   then_clamp(c(-2^60, 2^60))
#' class(wide(arg = c(2^53, 2^53 + 2)))
#' narrow <- c(vector_domain(atom_domain(.T = "i64")), symmetric_distance()) |>
#'   then_clamp(c(0, 100))
#' class(narrow(arg = c(2^53, 2^53 + 2)))
#' @name integers64
#' @aliases integer64
NULL

# Called by the core before it returns the first integer64 to R.
prepare_integer64 <- function() {
  if (!requireNamespace("bit64", quietly = TRUE)) register_integer64()
}

# Methods that replace missing methods of bit64. If bit64 is loaded, they would interfere.
register_integer64 <- function() {
  for (generic in names(integer64_methods)) {
    registerS3method(generic, "integer64", integer64_methods[[generic]], asNamespace("PSIlence"))
  }
}

as_integer64 <- function(bits) {
  prepare_integer64()
  structure(bits, class = "integer64")
}

# The bits of each number, with names and dimensions.
integer64_bits <- function(x) {
  if (inherits(x, "integer64")) return(unclass(x))
  if (is.character(x)) return(unclass(core_integer64_from_text(x)))
  if (is.logical(x) || is.integer(x)) return(unclass(core_integer64_from_text(as.character(x))))
  stop_dp("`c()` of integer64 takes integers and text.", "invalid_argument")
}

no_arithmetic <- function(...) {
  stop_dp(
    paste(
      "computing with integer64 needs the package bit64. `as.double()` gives the nearest doubles,",
      "and `as.character()` the digits."
    ),
    "missing_package",
    package = "bit64", call = NULL
  )
}

integer64_methods <- list(
  as.character = function(x, ...) core_text_of_integer64(x),
  as.double = function(x, ...) core_doubles_of_integer64(x),
  as.integer = function(x, ...) as.integer(core_doubles_of_integer64(x)),
  is.na = function(x) {
    missing <- is.na(core_text_of_integer64(x))
    names(missing) <- names(x)
    missing
  },
  format = function(x, justify = "right", ...) {
    text <- format(core_text_of_integer64(x), justify = "right", ...)
    names(text) <- names(x)
    text
  },
  print = function(x, ...) {
    cat("integer64\n")
    text <- core_text_of_integer64(x)
    names(text) <- names(x)
    print(text, quote = FALSE, right = TRUE, ...)
    invisible(x)
  },
  `[` = function(x, ...) as_integer64(NextMethod()),
  `[[` = function(x, ...) as_integer64(NextMethod()),
  c = function(...) as_integer64(unlist(lapply(list(...), integer64_bits))),
  rep = function(x, ...) as_integer64(rep(unclass(x), ...)),
  unique = function(x, incomparables = FALSE, ...) {
    x[!duplicated(core_text_of_integer64(x), incomparables, ...)]
  },
  as.data.frame = function(x, ...) as.data.frame.vector(x, ...),
  xtfrm = function(x) {
    digits <- core_text_of_integer64(x)
    rank <- match(digits, digits[order_decimals(digits)])
    rank[is.na(digits)] <- NA
    rank
  },
  Ops = no_arithmetic,
  Math = no_arithmetic,
  Summary = no_arithmetic,
  mean = no_arithmetic,
  `[<-` = function(x, ..., value) {
    value <- integer64_bits(value)
    x <- unclass(x)
    x[...] <- value
    as_integer64(x)
  }
)

# Orders decimal digits as numbers, with NA last.
order_decimals <- function(x) {
  minus <- startsWith(x, "-")
  sign <- ifelse(minus, -1, 1)
  order(sign, sign * nchar(x), sign * match(x, sort(unique(x), method = "radix")))
}

# Converts decimal digits to integer64, or keeps them if one does not fit.
integer64_or_text <- function(digits) {
  tryCatch(core_integer64_from_text(digits), dp_error_failed_cast = function(error) digits)
}

# A release, or a list of several, as the nearest doubles, because statistics compute in doubles.
in_doubles <- function(x) {
  if (inherits(x, "integer64")) {
    core_doubles_of_integer64(x)
  } else if (is.list(x) && !is.object(x)) {
    rapply(x, core_doubles_of_integer64, "integer64", how = "replace")
  } else {
    x
  }
}
