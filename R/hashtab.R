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
