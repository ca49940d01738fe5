#' Hash tables
#'
#' Where a map is asked for as data a hash table ([utils::hashtab()]) will do, as well as a vector
#' with names, or a map that was released ([dp_map]).
#'
#' Keys are compared with [identical()]: `1L` and `1` are two keys. The order of insertion means
#' nothing. Keys of 64-bit integer types are doubles or text, see [integers64].
#'
#' [as.data.frame()] makes a data frame of a table, with a row for each entry, and so also a vector
#' with names: `with(as.data.frame(counts), stats::setNames(value, key))`.
#'
#' @param keys (vector or `list`) The keys, each once.
#' @param vals (vector or `list`) The values, as many as there are keys.
#' @param data (`hashtab` or [dp_map]) A hash table, or a released map.
#' @param type_name (`runtime_type` or `character(1)`) Its type, `"HashMap<K, V>"`.
#' @param x Any object.
#' @param row.names,optional,... As for [as.data.frame()]. `row.names` must be `NULL`. Others have
#'   no effect.
#' @param depth (`integer(1)`) How deep the text is indented, in steps of two spaces.
#' @returns
#' * `new_hashtab()`: a `hashtab`.
#' * `hashitems()`: `list(keys, values)`, the keys sorted, each part an atomic vector if its type
#'   is a scalar one, otherwise a list.
#' * `as.data.frame()`: a data frame with the columns `key`, sorted, and `value`; lists where the
#'   entries are not scalars of one type.
#' * `to_str()`: text that shows `x`, `character(1)`; a hash table has a line per entry, sorted by
#'   key.
#' @section Errors: `dp_error_invalid_argument` if `keys` and `vals` differ in length, if `data` is
#'   not a hash table, or if `type_name` is not the type of one.
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

# NA for all but scalars.
kind_of_scalar <- function(x) {
  if (is_integer64_scalar(x)) "integer64" else if (is_scalar(x)) typeof(x) else NA_character_
}

is_integer64_scalar <- function(x) inherits(x, "integer64") && length(x) == 1

# Scalars of one kind as a vector of it.
bare_vector <- function(items, kind) {
  if (kind != "integer64") {
    return(as.vector(unlist(items), kind))
  }
  as_integer64(vapply(items, unclass, double(1)))
}

# The entries in the order of their keys: that of the table depends on the history of the table.
hash_entries <- function(table) {
  if (inherits(table, "dp_map")) {
    return(list(each_of(map_keys(table)), each_of(map_values(table))))
  }
  keys <- list()
  values <- list()
  utils::maphash(table, function(key, value) {
    keys[[length(keys) + 1]] <<- key
    # In a list, so that a value of NULL is kept.
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
  # The default of the generic does not reach a method.
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
