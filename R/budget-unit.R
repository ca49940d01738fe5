# The unit that a budget protects. Losses for people and losses for rows do not add up, so a budget
# has one unit: the unit of its ledger, or of the first release that it was charged for.

# Shared by a session and all that were allocated from it: `unit` is a dp_unit, the words of a
# ledger that has no unit, or NULL before the first charge. Releases may protect more than the unit
# of a ledger, but a session takes one unit: its losses are read at the unit of its first release.
new_protection <- function(unit = NULL, takes_more = FALSE) {
  list2env(list(unit = unit, takes_more = takes_more), parent = emptyenv())
}

# Words of a ledger stay as they are.
unit_words <- function(unit) {
  one_person <- inherits(unit, "dp_unit") && unit$kind == "id" && unit$count == 1
  paste0(if (one_person || is.character(unit)) "one ", format(unit))
}

# How a table may be charged to a ledger that protects `owed`.
unit_for_ledger <- function(unit, owed) {
  if (!inherits(owed, "dp_unit")) {
    return("Create a ledger with the unit of `dp_tbl()`.")
  }
  distance <- core_distance_of_neighbours(parts_of_unit(owed), parts_of_unit(mapped_unit(unit)))
  if (is.null(distance)) {
    return("Give `dp_tbl()` the unit of the ledger, or create a ledger with the unit of the table.")
  }
  argument <- if (unit$kind == "id") "n" else unit$kind
  paste0("Give `dp_tbl()` a unit with `", argument, " = ", distance, "`, or more.")
}

is_protected <- function(unit, protection) {
  protected <- protection$unit
  if (is.null(protected)) {
    return(TRUE)
  }
  if (!inherits(protected, "dp_unit")) {
    return(identical(format(unit), protected))
  }
  if (isTRUE(protection$takes_more)) {
    return(protects(parts_of_unit(mapped_unit(unit)), parts_of_unit(protected)))
  }
  identical(parts_of_unit(unit), parts_of_unit(protected))
}

# The history of a budget, which has one unit, or none yet.
with_unit <- function(history, unit) {
  history$unit <- rep(if (is.null(unit)) NA_character_ else format(unit), nrow(history))
  history
}
