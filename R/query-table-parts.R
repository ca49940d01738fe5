# The hidden parts of a private table.

# A grouped data frame keeps its groups.
groups_of <- function(data, columns, call) {
  if (!inherits(data, "grouped_df")) {
    return(character())
  }
  groups <- dplyr::group_vars(data)
  undeclared <- setdiff(groups, columns)
  if (length(undeclared) > 0) {
    stop_query("domain",
      paste0("The data are grouped by ", listed(undeclared), ", which `domain` does not declare."),
      "Declare the column, or pass `ungroup(data)`.", call
    )
  }
  groups
}

# Methods of "dp_private" handle calls that neither tables nor queries support.
new_table <- function(parts) structure(parts, class = c("dp_tbl", "dp_private"))

# `$` and `[[` raise an error, so this unclasses the table.
tbl_data <- function(x) unclass(x)

with_tbl_data <- function(x, ...) {
  parts <- unclass(x)
  changed <- list(...)
  parts[names(changed)] <- changed
  structure(parts, class = class(x))
}
