new_domain <- function(handle) {
  force(handle)
  self <- function(attr, member) {
    check_exactly_one(c(attr = !missing(attr), member = !missing(member)), environment())
    if (!missing(member)) {
      return(core_member(self, member))
    }
    description <- describe_as_functions(core_describe(self))
    attribute(self, attr, c(description, ptr = function() handle), environment())
  }
  new_callable("domain", self)
}

# Converts the parts of a description to functions without arguments, for attribute().
describe_as_functions <- function(description) {
  lapply(description, function(part) {
    force(part)
    function() part
  })
}

#' Declare the domain of values
#'
#' Declares the set of values that a dataset, a row or a result can take. Domains are public: they
#' hold your declarations, never anything read from data. Two domains are equal if they have the
#' same kind, carrier type, bounds and size.
#'
#' * `atom_domain()`: single elements, optionally between closed `bounds`, with or without NaN.
#' * `option_domain()`: a null, or a member of `element_domain`.
#' * `vector_domain()`: vectors of elements, optionally of a known `size`. `size` makes the number
#'   of rows public.
#' * `map_domain()`: tables from keys to values.
#' * `bitvector_domain()`: bit strings with at most `max_weight` ones, optionally of a known `size`.
#'   The published bindings do not have the argument `size`: their domain holds bit strings of any
#'   length.
#' * `user_domain()`: values that your function accepts. The package cannot check it, so it needs
#'   the feature `"honest-but-curious"`.
#'
#' A domain is a function: `domain(member = x)` tests whether `x` is a member, and
#' `domain("debug")`, `domain("type")`, `domain("carrier_type")` and `domain("descriptor")` describe
#' it. `$` reaches the same parts. A member of a `map_domain()` is a hash table, see
#' [new_hashtab()], a [dp_map] or a named vector. A domain whose members the core cannot read raises
#' `dp_error_not_implemented`.
#'
#' The published bindings keep `nan = TRUE` if you give float bounds. Here bounds imply that NaN is
#' not a member, because no NaN is between two bounds. Set `nan = TRUE` for the old default.
#'
#' @param bounds (`NULL` or two elements) Bounds `c(lower, upper)` of the carrier type, both
#'   included.
#' @param nan (`logical(1)` or `NULL`) Whether NaN is a member. Only for floats. `NULL` is `TRUE`
#'   for floats without bounds, else `FALSE`.
#' @param .T,.D (type descriptor or `NULL`) Carrier type, such as `"i32"` or `f64`. `NULL` infers it
#'   from `bounds`. `.D` is accepted and ignored, because the element domain determines it.
#' @param element_domain,atom_domain,key_domain,value_domain (`domain`) Domain of the elements.
#' @param size (whole number or `NULL`) Number of rows. For a bit string, number of bits, a multiple
#'   of 8. Public.
#' @param max_weight (whole number or `NULL`) Largest number of ones.
#' @param identifier (`character(1)`) Name of a user domain. Equality compares only the name.
#' @param member (`function(x)`) Test whether `x` is a member. Returns `TRUE` or `FALSE`.
#' @param descriptor (any R object) Object to keep with the domain.
#' @returns (`domain`) The domain.
#' @section Errors: Raises `dp_error_make_domain` for reversed or NaN bounds, bounds on `bool` or
#'   `String`, NaN in a type that has none, and bit strings without whole bytes. Raises
#'   `dp_error_failed_cast` for bounds of a different type, and `dp_error_type_parse` for an unknown
#'   type.
#' @template ref-opendp
#' @examples
#' atom_domain(bounds = c(0L, 10L))
#' ages <- vector_domain(atom_domain(bounds = c(0, 120)), size = 1000L)
#' ages
#' ages$carrier_type
#' atom_domain(.T = "f64")(member = NaN)
#' @name domains
NULL

#' @rdname domains
#' @export
atom_domain <- function(bounds = NULL, nan = NULL, .T = NULL) build("atom_domain", bounds, nan, .T)

#' @rdname domains
#' @export
option_domain <- function(element_domain, .D = NULL) build("option_domain", element_domain, .D)

#' @rdname domains
#' @export
vector_domain <- function(atom_domain, size = NULL) build("vector_domain", atom_domain, size)

#' @rdname domains
#' @export
map_domain <- function(key_domain, value_domain) build("map_domain", key_domain, value_domain)

#' @rdname domains
#' @export
bitvector_domain <- function(max_weight = NULL, size = NULL) {
  build("bitvector_domain", max_weight, size)
}

#' @rdname domains
#' @export
user_domain <- function(identifier, member, descriptor = NULL) {
  build("user_domain", check_string(identifier), member, descriptor)
}

#' Get parts of domains, metrics and measures
#'
#' Returns a part of a domain, metric or measure, like `object("debug")`, `object("type")` and so
#' on.
#'
#' @param this (`domain`, `metric` or `measure`) A [domain][domains], a [metric][metrics] or a
#'   [measure][measures].
#' @returns (`character(1)`) `*_debug()` returns the printed form, and `*_type()` the descriptor of
#'   the object's own type. `domain_carrier_type()` returns the type of its members, and
#'   `*_distance_type()` the type of distances.
#' @examples
#' domain_carrier_type(vector_domain(atom_domain(.T = "i32")))
#' metric_distance_type(symmetric_distance())
#' measure_debug(max_divergence())
#' @name space_parts
NULL

#' @rdname space_parts
#' @export
domain_debug <- function(this) check_class(this, "domain")("debug")

#' @rdname space_parts
#' @export
domain_type <- function(this) check_class(this, "domain")("type")

#' @rdname space_parts
#' @export
domain_carrier_type <- function(this) check_class(this, "domain")("carrier_type")

#' @export
toString.domain <- function(x, ...) x("debug")

#' @export
format.domain <- function(x, ...) x("debug")

#' @export
print.domain <- function(x, ...) print_callable(x)

#' @export
`$.domain` <- function(x, name) {
  part_or_member(x, name, c(
    core_describe(check_class(x, "domain")), list(member = function(x_) x(member = x_))
  ))
}
