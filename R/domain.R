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

# The parts of a description as functions without arguments, as attribute() wants them.
describe_as_functions <- function(description) {
  lapply(description, function(part) {
    force(part)
    function() part
  })
}

#' Domains: which values may occur
#'
#' A domain is the set of values that a dataset, a row or a result may take. Domains are public:
#' they hold what the analyst states, never anything read from data. Two domains are equal when
#' their structure is: same kind, same carrier type, equal bounds, equal size.
#'
#' * `atom_domain()`: single elements, optionally between closed `bounds`, with or without NaN.
#' * `option_domain()`: a null, or a member of `element_domain`.
#' * `vector_domain()`: vectors of elements, optionally of a known `size`. `size` makes the number
#'   of rows public.
#' * `map_domain()`: tables from keys to values.
#' * `bitvector_domain()`: bit strings with at most `max_weight` ones, optionally of a known `size`.
#'   The argument `size` is not in the published bindings, whose domain holds bit strings of any
#'   length.
#' * `user_domain()`: whatever the user says; the package cannot check it (needs the feature
#'   `"honest-but-curious"`).
#'
#' A domain is a function: `domain(member = x)` says whether `x` is a member, `domain("debug")`,
#' `domain("type")`, `domain("carrier_type")` and `domain("descriptor")` describe it. `$` reaches
#' the same. A member of a `map_domain()` is a hash table, see [new_hashtab()], a [dp_map] or a
#' vector with names. A domain whose members the core does not read raises
#' `dp_error_not_implemented`.
#'
#' The published bindings leave `nan = TRUE` when float bounds are given. Here bounds alone mean
#' that NaN is not a member, since no NaN lies between two bounds; say `nan = TRUE` for the old
#' default.
#'
#' @param bounds `NULL`, or two elements `c(lower, upper)` of the carrier type, both included.
#' @param nan (`logical(1)` or `NULL`) Whether NaN is a member; floats only. `NULL`: `TRUE` for
#'   floats without bounds, else `FALSE`.
#' @param .T,.D (type descriptor or `NULL`) Carrier type, such as `"i32"` or `f64`; `NULL` takes it
#'   from `bounds`. `.D` is accepted and ignored: the element domain says it all.
#' @param element_domain,atom_domain,key_domain,value_domain (`domain`) Domain of the elements.
#' @param size (whole number or `NULL`) Number of rows, public; of a bit string the number of bits,
#'   a multiple of 8.
#' @param max_weight (whole number or `NULL`) Largest number of ones.
#' @param identifier (`character(1)`) Name of a domain of the caller; equality compares it alone.
#' @param member (`function(x)`) Whether `x` is a member, `TRUE` or `FALSE`.
#' @param descriptor Any R object to keep with the domain.
#' @returns (`domain`)
#' @section Errors: `dp_error_make_domain` for reversed or NaN bounds, bounds on `bool` or `String`,
#'   NaN in a type that has none, and bit strings without whole bytes; `dp_error_failed_cast` for
#'   bounds of another type; `dp_error_type_parse` for an unknown type.
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

#' Parts of domains, metrics and measures
#'
#' The functional forms of `object("debug")`, `object("type")` and so on.
#'
#' @param this A [domain][domains], a [metric][metrics] or a [measure][measures].
#' @returns (`character(1)`) `*_debug()`: what printing shows. `*_type()`: the descriptor of the
#'   object's own type. `domain_carrier_type()`: of its members. `*_distance_type()`: of distances.
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
