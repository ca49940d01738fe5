#' Draft a schema as code
#'
#' `dp_schema_draft()` writes the call of [dp_schema()] for your data as code. It looks only at the
#' names and types of columns, never at values. You fill in bounds and levels: the code raises an
#' error until you have replaced each `NA` and each `dp_levels()`. Take them from public knowledge,
#' not from the data.
#'
#' @param data (data frame, or `tbl` of package dbplyr) Private. No rows are read from a database.
#' @param ... Not used.
#' @param levels (`character(1)`) `"public"` lists the levels of factors and the value labels of
#'   labelled columns. Use it only if they are public, for example from a code book. Levels that
#'   `factor(x)` computed from the data are not public. `"none"` lists no levels.
#' @returns (`dp_code`) Lines of code, a `character` vector. Print them, or write them to a file
#'   with `writeLines()`.
#' @section Errors: `dp_error_invalid_argument` for data without columns.
#' @seealso [dp_schema()] for the declarations, [dp_made_up()]
#' @examples
#' dp_schema_draft(PUMS5extract10000)
#' dp_schema_draft(iris, levels = "public")
#' @export
dp_schema_draft <- function(data, levels = c("none", "public"), ...) {
  check_names(...)
  call <- environment()
  levels <- check_choice(levels[[1]], c("none", "public"), arg = "levels")
  if (inherits(data, "tbl_lazy")) {
    needs_dplyr(call)
    data <- dplyr::collect(utils::head(data, 0))
  }
  if (!is.data.frame(data)) {
    stop_argument("a data frame or a database table", describe(data), "data", call)
  }
  names <- attr(data, "names")
  if (length(names) == 0 || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names) > 0) {
    stop_argument("columns with distinct names", "others", "data", call)
  }
  drafts <- lapply(names, function(name) draft_of(.subset2(data, name), levels == "public"))
  reads <- vapply(drafts, `[[`, NA, "reads")
  last <- max(which(reads), 0)
  lines <- vapply(seq_along(drafts), function(i) {
    draft <- drafts[[i]]
    name <- code_name(names[[i]])
    if (!draft$reads) return(paste0("  # ", name, ": ", draft$remark))
    remark <- if (nzchar(draft$remark)) paste0("  # ", draft$remark) else ""
    paste0("  ", name, " = ", draft$code, if (i < last) ",", remark)
  }, "")
  structure(c("schema <- dp_schema(", lines, ")"), class = "dp_code")
}

code_name <- function(name) {
  if (make.names(name) == name) name else paste0("`", gsub("([\\\\`])", "\\\\\\1", name), "`")
}

# list(code, remark, reads) of a column, based only on its type.
draft_of <- function(x, public) {
  draft <- function(code, remark = "", reads = TRUE) {
    list(code = code, remark = remark, reads = reads)
  }
  labels <- attr(x, "labels", exact = TRUE)
  if (is.factor(x)) {
    if (!public) return(draft("dp_levels()", "list the levels"))
    draft(paste0("dp_levels(", code_values(attr(x, "levels")), ")"))
  } else if (inherits(x, "haven_labelled")) {
    labelled_draft(x, labels, public, draft)
  } else if (inherits(x, "Date")) {
    draft("dp_date(lower = NA, upper = NA)", "as.Date(\"...\"), for example")
  } else if (inherits(x, "POSIXct")) {
    draft("dp_date(lower = NA, upper = NA, tz = NA)", "the day in a time zone such as \"UTC\"")
  } else if (is.object(x) && !inherits(x, "integer64") || !is.null(dim(x))) {
    draft("", unread_remark(x), FALSE)
  } else if (is.logical(x)) {
    draft("dp_flag()")
  } else if (is.integer(x) || inherits(x, "integer64")) {
    draft("dp_int(lower = NA, upper = NA)")
  } else if (is.double(x)) {
    draft("dp_num(lower = NA, upper = NA)", "or dp_int() for whole numbers")
  } else if (is.character(x)) {
    draft("dp_levels()", "list the levels, or use dp_text() without levels")
  } else {
    draft("", paste0("of type ", typeof(x), ", which no declaration reads"), FALSE)
  }
}

# Adds code that converts an unsupported class to numbers or texts.
unread_remark <- function(x) {
  class <- class_of_column(x)
  codes <- vapply(list(dp_num(), dp_text()), function(declared) {
    column_reading("data frame", class, declared)$how
  }, "")
  code <- c(codes[nzchar(codes)], "")[[1]]
  convert <- if (nzchar(code)) paste0("; convert it: ", code)
  paste0("of class ", class(x)[[1]], convert %||% ". See ?dp_columns")
}

labelled_draft <- function(x, labels, public, draft) {
  if (public && length(labels) > 0) {
    remark <- paste(labels_of_values(labels), collapse = ", ")
    return(draft(paste0("dp_levels(", code_values(unname(labels)), ")"), remark))
  }
  number <- typeof(x) %in% c("integer", "double")
  code <- if (number) "dp_int(lower = NA, upper = NA)" else "dp_levels()"
  draft(code, "or dp_levels() of its codes")
}

labels_of_values <- function(labels) {
  gsub("[\r\n]", " ", paste(as.vector(unclass(labels)), names(labels), sep = ": "))
}

# Values as one line of code.
code_values <- function(values) {
  values <- as.vector(unclass(values))
  if (is.character(values)) {
    toString(encodeString(enc2utf8(values), quote = "\""))
  } else {
    toString(format(values, trim = TRUE, digits = 15, scientific = FALSE))
  }
}

#' @export
format.dp_code <- function(x, ...) as.character(unclass(x))

#' @export
print.dp_code <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}
