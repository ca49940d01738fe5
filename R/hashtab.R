#' Make and read hash tables
#'
#' Makes hash tables, which are data for functions that take a map. Such functions accept a hash
#' table ([utils::hashtab()]), a named vector, or a released map ([dp_map]).
#'
#' Keys are compared with [identical()]: `1L` and `1` are two keys. The order of insertion has no
#' effect. Keys of 64-bit integer types are doubles or strings, see [integers64].
#'
#' [as.data.frame()] converts a table to a data frame with a row for each entry. This also gives you
#' a named vector: `with(as.data.frame(counts), stats::setNames(value, key))`.
#'
#' @param keys (vector or `list`) Distinct keys.
#' @param vals (vector or `list`) Values, one for each key.
#' @param data (`hashtab` or [dp_map]) A hash table, or a released map.
#' @param type_name (`runtime_type` or `character(1)`) Type of the table, `"HashMap<K, V>"`.
#' @param x (any object) Object to convert.
#' @param row.names,optional,... (any) Arguments of [as.data.frame()]. `row.names` must be `NULL`.
#'   The others have no effect.
#' @param depth (`integer(1)`) Indentation of the text, in steps of two spaces.
#' @returns
#' * `new_hashtab()` returns a `hashtab`.
#' * `hashitems()` returns `list(keys, values)`, with sorted keys. Each part is an atomic vector if
#'   its type is scalar, otherwise a list.
#' * `as.data.frame()` returns a data frame with the columns `key`, sorted, and `value`. They are
#'   lists if the entries are not scalars of one type.
#' * `to_str()` returns text that shows `x`, `character(1)`. A hash table has a line for each entry,
#'   sorted by key.
#' @section Errors: Raises `dp_error_invalid_argument` if `keys` and `vals` differ in length, if
#'   `data` is not a hash table, or if `type_name` is not a hash table type.
#' @examples
#' counts <- new_hashtab(c("a", "b"), c(3L, 5L))
#' counts[["b"]]
#' hashitems(counts, "HashMap<String, i32>")
#' as.data.frame(counts)
#' cat(to_str(counts))
#' @export
new_hashtab <- function(keys, vals) {
  if (length(keys) != length(vals)) {
    stop_dp(
      "keys and vals must have the same length", "invalid_argument",
      argument = "vals"
    )
  }
  table <- utils::hashtab()
  for (i in seq_along(keys)) {
    utils::sethash(table, keys[[i]], vals[[i]])
  }
  table
}

#' @rdname new_hashtab
#' @export
hashitems <- function(data, type_name) {
  if (!inherits(data, c("hashtab", "dp_map"))) {
    stop_dp(
      "Expected hashtab data, got {class(data)[[1]]}", "invalid_argument",
      argument = "data"
    )
  }
  type <- rt_parse(type_name)
  if (type$origin != "HashMap") {
    stop_dp(
      "Expected HashMap type_name, got {type$origin}", "invalid_argument",
      argument = "type_name"
    )
  }
  entries <- hash_entries(data)
  Map(unlist_scalars, entries, type$args)
}

# nolint start: object_name_linter. The generic has these names.

#' @rdname new_hashtab
#' @export
as.data.frame.hashtab <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_names(..., ignored = of_data_frames)
  refuse_row_names(row.names)
  columns <- lapply(hash_entries(x), function(items) {
    types <- unique(vapply(items, kind_of_scalar, character(1)))
    if (length(types) <= 1 && !anyNA(types)) {
      bare_vector(items, if (length(types)) types else "logical")
    } else {
      I(items)
    }
  })
  frame <- data.frame(key = columns[[1]], value = columns[[2]])
  frame
}

# nolint end

# The kind of a scalar, NA for any other object.
kind_of_scalar <- function(x) {
  if (is_integer64_scalar(x)) "integer64" else if (is_scalar(x)) typeof(x) else NA_character_
}

is_integer64_scalar <- function(x) inherits(x, "integer64") && length(x) == 1

# Scalars of one kind, as a vector.
bare_vector <- function(items, kind) {
  if (kind != "integer64") {
    return(as.vector(unlist(items), kind))
  }
  as_integer64(vapply(items, unclass, double(1)))
}

# The entries in key order, because the table's own order depends on its history.
hash_entries <- function(table) {
  if (inherits(table, "dp_map")) {
    return(list(each_of(map_keys(table)), each_of(map_values(table))))
  }
  keys <- list()
  values <- list()
  utils::maphash(table, function(key, value) {
    keys[[length(keys) + 1]] <<- key
    # Wrapped in a list to keep a value of NULL.
    values[length(values) + 1] <<- list(value)
  })
  by_key <- order_keys(keys)
  list(keys[by_key], values[by_key])
}

order_keys <- function(keys) {
  if (length(keys) && all(vapply(keys, is_scalar, logical(1)))) {
    order(unlist(keys), method = "radix")
  } else {
    seq_along(keys)
  }
}

unlist_scalars <- function(items, type) {
  is_scalar_type <- type$origin %in% c("bool", "String", signed_types, unsigned_types, float_types)
  if (!is_scalar_type) {
    return(items)
  }
  kinds <- unique(vapply(items, kind_of_scalar, character(1)))
  if (type$origin %in% c("i64", "u64", "usize") && "character" %in% kinds) {
    return(integer64_or_text(unlist(items)))
  }
  if (identical(kinds, "integer64")) {
    return(bare_vector(items, kinds))
  }
  if (length(items)) unlist(items) else vector(scalar_mode(type$origin), 0)
}

scalar_mode <- function(origin) {
  switch(origin,
    bool = "logical",
    String = "character",
    f32 = ,
    f64 = "double",
    "integer"
  )
}

is_scalar <- function(x) is.atomic(x) && !is.object(x) && length(x) == 1

#' @rdname new_hashtab
#' @export
to_str <- function(x, depth = 0L) UseMethod("to_str")

#' @rdname new_hashtab
#' @exportS3Method
#' @export to_str.default
to_str.default <- function(x, depth) {
  text <- if (is.object(x)) toString(x) else deparse(x)
  # A method does not get the default of its generic.
  indent <- strrep("  ", if (missing(depth)) 0L else depth)
  paste(text, collapse = paste0("\n", indent))
}

#' @rdname new_hashtab
#' @export
to_str.hashtab <- function(x, depth = 0L) entries_to_str(x, "hashtab", depth)

entries_to_str <- function(x, kind, depth) {
  entries <- hash_entries(x)
  if (!length(entries[[1]])) {
    return(paste0(kind, "()"))
  }
  show <- function(item) to_str(item, depth = depth + 1L)
  lines <- paste0(
    strrep("  ", depth + 1L),
    vapply(entries[[1]], show, character(1)), " = ", vapply(entries[[2]], show, character(1))
  )
  paste0(kind, "(\n", paste(lines, collapse = ",\n"), "\n", strrep("  ", depth), ")")
}
