# Types of the columns of a data frame.

# data.table and C code change vectors in place, so types are read again before each release.
#' @exportS3Method
engine_schema.frame_table <- function(table, call) { # nolint: object_name_linter.
  kinds <- from_core(core_frame_kinds(table$rows), call)
  list(
    path = table$path, kind = "data frame", columns = data.frame(name = table$names, type = kinds)
  )
}
