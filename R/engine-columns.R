# Column types of engines --------------------------------------------------------------------------

# The kind of column that the core reads for an engine type. NA if queries cannot read the type.
engine_kind <- function(engine, type) core_engine_kinds(engine, as.character(type))

# `columns` has the declared columns and the id columns.
check_engine_columns <- function(table, unit, domain, call) {
  source <- table$engine
  columns <- table$schema$columns
  for (i in seq_len(nrow(columns))) {
    name <- columns$name[[i]]
    type <- core_engine_type(source, columns$type[[i]])
    shown <- if (type == "other") shown_type(columns$type[[i]]) else type
    if (name %in% names(domain)) check_column(source, type, domain[[name]], name, call, shown)
    if (name %in% unit$id) check_column(source, type, NULL, name, call, shown)
  }
}

rounded_in_engine <- function(table, domain) {
  types <- table$schema$columns$type[match(names(domain), table$schema$columns$name)]
  types <- lapply(types, function(type) core_engine_type(table$engine, type))
  rounded_columns(table$engine, types, domain)
}

# Removes parentheses, because an enum lists values there, often taken from the data.
shown_type <- function(type) sub("[(].*[)]", "", tolower(type))
