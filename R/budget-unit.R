# The unit that a budget protects. Losses for people and losses for rows do not add up, so a budget
# has one unit: the unit of its ledger, or of the first release that it was charged for.

# Shared by a session and all that were allocated from it: `unit` is a dp_unit, the text of a
# ledger, or NULL before the first charge.
new_protection <- function(unit = NULL) list2env(list(unit = unit), parent = emptyenv())

unit_in_words <- function(protection) {
  if (!is.null(protection$unit)) format(protection$unit)
}

# Ledgers have the text of their unit alone.
is_protected <- function(unit, protection) {
  protected <- protection$unit
  if (inherits(protected, "dp_unit")) {
    identical(parts_of_unit(unit), parts_of_unit(protected))
  } else {
    is.null(protected) || identical(format(unit), protected)
  }
}

parts_of_unit <- function(unit) list(unit$kind, sort(unit$id, method = "radix"), unit$count)

# The history of a budget, which has one unit.
with_unit <- function(history, unit) {
  history$unit <- rep(unit %||% NA_character_, nrow(history))
  history
}
