#' Released maps
#'
#' A map that the framework releases, such as the counts of [make_count_by()] above a threshold, is
#' a `dp_map`: ordered keys, each with its value. Texts are in the order of their UTF-8 bytes. Two
#' maps with equal entries are [identical()], and so are their serialized bytes. They do not depend
#' on the order of the data, the number of threads, or earlier computations. Serialized hash tables
#' reveal the memory addresses of their keys.
#'
#' You can use a `dp_map` as data wherever a hash table ([new_hashtab()]) is allowed.
#'
#' @param x (`dp_map`) Map to read or print.
#' @param i,name One key, of the type of the keys. For 64-bit integers, also a string of decimal
#'   digits. For `$`, a name.
#' @param row.names,optional,... Arguments of [as.data.frame()]. `row.names` must be `NULL`. The
#'   others have no effect.
#'   no effect.
#' @returns
#' * `x[[i]]`, `x$name`: the value of the key, `NULL` if there is none.
#' * `length()`: the number of entries. `names()`: the keys, as text.
#' * `as.data.frame()`: a data frame with the columns `key` and `value`, and a row for each entry.
#' * `as.list()`: the values, named after the keys.
#' @seealso [hashitems()], which also takes a `dp_map`. `with(as.data.frame(x), new_hashtab(key,
#'   value))` makes a hash table with these entries, for [utils::gethash()] and related functions.
#' @examples
#' enable_features("contrib")
#' count <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |> then_count_by()
#' counts <- count(arg = c("b", "a", "b"))
#' counts
#' counts[["b"]]
#' as.data.frame(counts)
#' @name dp_map
NULL

map_keys <- function(x) unclass(x)$key

map_values <- function(x) unclass(x)$value

# Keys as text: whole numbers with all of their digits, where R would write 1e+05.
decimals_of <- function(x) {
  if (inherits(x, "integer64")) {
    core_text_of_integer64(x)
  } else if (is.numeric(x)) {
    sprintf("%.0f", x)
  } else {
    as.character(x)
  }
}

# Wraps each element separately, and keeps its class.
each_of <- function(x) lapply(seq_along(x), function(i) x[i])

#' @rdname dp_map
#' @export
`[[.dp_map` <- function(x, i) {
  keys <- map_keys(x)
  at <- if (inherits(keys, "integer64")) {
    match(decimals_of(i), decimals_of(keys))
  } else if (is_scalar(i) && mode(i) == mode(keys)) {
    match(i, keys)
  } else {
    NA
  }
  if (is.na(at)) NULL else map_values(x)[[at]]
}

#' @rdname dp_map
#' @export
`$.dp_map` <- function(x, name) x[[name]]

#' @rdname dp_map
#' @export
length.dp_map <- function(x) length(map_keys(x))

#' @rdname dp_map
#' @export
names.dp_map <- function(x) decimals_of(map_keys(x))

# nolint start: object_name_linter. The generic has these names.

#' @rdname dp_map
#' @export
as.data.frame.dp_map <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_names(..., ignored = of_data_frames)
  refuse_row_names(row.names)
  data.frame(key = map_keys(x), value = map_values(x))
}

# nolint end

#' @rdname dp_map
#' @export
as.list.dp_map <- function(x, ...) {
  check_names(...)
  stats::setNames(each_of(map_values(x)), names(x))
}

#' @rdname dp_map
#' @export
format.dp_map <- function(x, ...) {
  if (length(x) == 0) {
    return("a map without entries")
  }
  paste(format(names(x)), "=", format(map_values(x), ...))
}

#' @rdname dp_map
#' @export
print.dp_map <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

# nolint start: object_name_linter. The generic has this name.

#' @rdname new_hashtab
#' @exportS3Method
to_str.dp_map <- function(x, depth = 0L) entries_to_str(x, "dp_map", depth)

# nolint end
