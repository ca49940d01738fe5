#' 64-bit integers
#'
#' How the carrier types `i64`, `u64` and `usize` travel between R and the core, exactly.
#'
#' R has no type for integers of 64 bits; a double is exact up to \eqn{2^{53}}. The class
#' `integer64` of the package bit64 holds them all but \eqn{-2^{63}}, which is its `NA`, and
#' unsigned numbers from \eqn{2^{63}}.
#'
#' **Data, bounds and constants.** Integers and `integer64` enter every integer type that holds
#' their values; whole doubles enter `u32`, `i64`, `u64` and `usize`.
#'
#' **Results.** The type of a result is known before any data are read:
#'
#' * A double vector, if no member of the output domain lies beyond \eqn{2^{53}} and the data were
#'   not `integer64`. So bounds given as doubles give doubles. What a user's own function gets
#'   follows from its input domain in the same way.
#' * `usize` holds places and sizes and comes as doubles. Where one of them is beyond
#'   \eqn{2^{53}}, all of them come as `integer64`.
#' * `integer64` otherwise: also every release, of which no domain is known.
#' * Text, in decimal digits, where a number is among them that `integer64` cannot hold.
#'
#' Functions that put results together, such as `unlist()`, `sapply()` and `replicate()`, drop the
#' class: convert each with [as.double()] or [as.character()] first. Sums in `i128` come as the
#' nearest doubles. Distances are doubles, rounded up beyond \eqn{2^{53}}.
#'
#' **Keys of hash tables** follow the same rule, but what would be `integer64` is text, in decimal
#' digits, `counts[["9007199254740993"]]`: R compares keys as numbers, and takes many an `integer64`
#' for the same `NaN`. [as.data.frame()] of such a table has a key column of class `integer64`,
#' sorted as numbers, and [hashitems()] does so, too. Such text is taken as a key in data, too.
#'
#' **Without bit64.** Results need no package. If bit64 is installed, it is loaded with the first
#' `integer64`, since it brings all functions of the class. If not, such vectors can be printed,
#' taken apart, put together, and converted with [as.character()], [as.double()] (to the nearest
#' double) and [as.integer()]; arithmetic, comparisons and summaries are refused, for R would
#' compute with the bits.
#'
#' @section Errors: `dp_error_missing_package` for arithmetic without bit64.
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

# Called by the core before the first integer64 goes to R.
prepare_integer64 <- function() {
  if (!requireNamespace("bit64", quietly = TRUE)) register_integer64()
}

# Methods for the class of a package that is not there; with the package these would be in its way.
register_integer64 <- function() {
  for (generic in names(integer64_methods)) {
    registerS3method(generic, "integer64", integer64_methods[[generic]], asNamespace("PSIlence"))
  }
}

as_integer64 <- function(bits) {
  prepare_integer64()
  structure(bits, class = "integer64")
}

# The bits of each, with names and dimensions.
integer64_bits <- function(x) {
  if (inherits(x, "integer64")) return(unclass(x))
  if (is.character(x)) return(unclass(core_integer64_from_text(x)))
  if (is.logical(x) || is.integer(x)) return(unclass(core_integer64_from_text(as.character(x))))
  stop_dp("`c()` of integer64 takes integers and text.", "invalid_argument")
}

no_arithmetic <- function(...) {
  stop_dp(
    paste(
      "computing with integer64 needs the package bit64; `as.double()` gives the nearest doubles,",
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

# Decimal digits in the order of the numbers, NA last.
order_decimals <- function(x) {
  minus <- startsWith(x, "-")
  sign <- ifelse(minus, -1, 1)
  order(sign, sign * nchar(x), sign * match(x, sort(unique(x), method = "radix")))
}

# Decimal digits as integer64, or as they are if it has no room for one of them.
integer64_or_text <- function(digits) {
  tryCatch(core_integer64_from_text(digits), dp_error_failed_cast = function(error) digits)
}

# A release, or a list of several, without integer64: statistics compute in doubles, each of them
# the nearest.
in_doubles <- function(x) {
  if (inherits(x, "integer64")) {
    core_doubles_of_integer64(x)
  } else if (is.list(x) && !is.object(x)) {
    rapply(x, core_doubles_of_integer64, "integer64", how = "replace")
  } else {
    x
  }
}
