# Paths of tables in databases.

# The name of a bare table. Verbs or handwritten SQL could have moved any number of rows per person.
bare_path <- function(data, call) {
  query <- data$lazy_query
  bare <- inherits(query, "lazy_base_remote_query") && length(dplyr::group_vars(data)) == 0
  path <- if (bare) path_parts(query$x)
  if (is.null(path)) refuse_verbs("`tbl(con, \"visits\")`", call)
  path
}

# NULL if `x` is not a name.
path_parts <- function(x) {
  parts <- if (inherits(x, "dbplyr_schema") || inherits(x, "dbplyr_catalog")) {
    unlist(lapply(unclass(x), as.character), use.names = FALSE)
  } else if (inherits(x, "Id")) {
    unname(x@name)
  } else if (inherits(x, "dbplyr_table_path")) {
    path_names(as.character(x))
  } else if (inherits(x, "ident") && !inherits(x, "ident_q")) {
    as.character(x)
  }
  if (length(parts) == 0 || anyNA(parts)) NULL else enc2utf8(parts)
}

# Parses a path such as `clinic."My visits"`. Unquoted names become lower case in all engines.
path_names <- function(path) {
  part <- "\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|[A-Za-z_][A-Za-z0-9_]*"
  if (length(path) != 1 || !grepl(paste0("^(", part, ")([.](", part, "))*$"), path, perl = TRUE)) {
    return(NULL)
  }
  parts <- regmatches(path, gregexpr(part, path, perl = TRUE))[[1]]
  vapply(parts, unquoted_part, "", USE.NAMES = FALSE)
}

unquoted_part <- function(part) {
  quote <- substr(part, 1, 1)
  if (!quote %in% c("\"", "`")) {
    return(tolower(part))
  }
  inner <- substr(part, 2, nchar(part) - 1)
  gsub(paste0(quote, quote), quote, inner, fixed = TRUE)
}
