# The unit that a budget protects. Losses for people and losses for rows do not add up, so a budget
# has one unit: the unit of its ledger, or of the first release that it was charged for.

# State that a session shares with every session allocated from it: `unit` is a dp_unit, the words
# of a ledger that has no unit, or NULL before the first charge. Releases on a ledger may protect
# more than its unit, but a session takes one unit: its losses are read at the unit of its first
# release.
new_protection <- function(unit = NULL, takes_more = FALSE) {
  list2env(list(unit = unit, takes_more = takes_more), parent = emptyenv())
}

# Ledgers of older versions keep their words.
unit_words <- function(unit) {
  one_person <- inherits(unit, "dp_unit") && unit$kind == "id" && unit$count == 1
  paste0(if (one_person || is.character(unit)) "one ", format(unit))
}

# Advises how to charge a table to a ledger that protects `owed`.
unit_for_ledger <- function(unit, owed) {
  if (!inherits(owed, "dp_unit")) {
    return("Create a ledger with the unit of `dp_tbl()`.")
  }
  distance <- core_distance_of_neighbours(unit_fields(owed), unit_fields(mapped_unit(unit)))
  if (is.null(distance)) {
    return("Give `dp_tbl()` the unit of the ledger, or create a ledger with the unit of the table.")
  }
  argument <- if (unit$kind == "id") "n" else unit$kind
  paste0("Give `dp_tbl()` a unit with `", argument, " = ", distance, "`, or more.")
}

# A promise makes each row a person. Words cannot be compared, so their curator vouches.
is_protected <- function(unit, protection, promise = NULL) {
  owed <- protection$unit
  if (is.null(unit)) {
    return(!is.null(promise) || is.character(owed))
  }
  if (!inherits(owed, "dp_unit")) {
    return(TRUE)
  }
  if (isTRUE(protection$takes_more) || !is.null(promise)) {
    parts <- unit_fields(owed)
    if (!is.null(promise)) parts <- as_rows(parts)
    return(protects(unit_fields(mapped_unit(unit)), parts))
  }
  identical(unit_fields(unit), unit_fields(owed))
}

# Runs before anything is charged. `unit` is the `dp_unit` that the release called `label` protects,
# NULL if it has none.
check_unit_of_release <- function(protection, unit, label, promise = NULL, call = NULL) {
  if (is_protected(unit, protection) || is_protected(unit, protection, promise)) {
    return(invisible())
  }
  stop_other_unit(unit, protection, label, way_out(protection, promise), call)
}

stop_other_unit <- function(unit, protection, label, hint, call) {
  owed <- protection$unit
  without <- "no unit, because its metric does not define one"
  released <- if (is.null(unit)) without else unit_words(unit)
  sentence <- if (is.null(owed)) {
    paste0("A session protects one unit, but ", label, " protects ", released, ".")
  } else {
    verb <- if (label == "the unit") " is " else " protects "
    paste0(keeper(protection), " protects ", unit_words(owed), ", but ", label, verb, released, ".")
  }
  stop_with_hint("unit", sentence, hint, call)
}

keeper <- function(protection) if (isTRUE(protection$takes_more)) "The ledger" else "This session"

way_out <- function(protection, promise = NULL) {
  owed <- protection$unit
  if (!is.null(promise)) {
    return(paste(
      "A promise makes each person one row: the release must protect that many rows, in the same",
      "relation."
    ))
  }
  if (is.null(owed)) {
    return("Use a measurement whose metric counts rows.")
  }
  if (!isTRUE(protection$takes_more)) {
    return("Use a separate session for another unit: losses for two units do not add up.")
  }
  if (!replaces(owed)) {
    return(paste(
      "You can charge queries of a table with this unit here. A ledger with `dp_unit(changes = 1)`",
      "takes statistics."
    ))
  }
  whose <- if (owed$kind == "id") paste(owed$id, collapse = " and ") else "person"
  paste0("Make one row per ", whose, ", and say so: `promise = \"one row per ", whose, "\"`.")
}

# A promise makes each person one row: the same number of units, in the same relation.
as_rows <- function(parts) {
  parts$what <- "rows"
  parts$columns <- list()
  parts
}

# A promise makes each row a person. It does not hide whether a person is present: the number of
# rows of a statistic is public.
check_promise <- function(promise, protection, call) {
  check_string(promise, null = TRUE, call = call)
  if (is.null(promise)) {
    return(NULL)
  }
  if (!grepl("[^[:space:]]", promise)) stop_argument("words", "a blank string", "promise", call)
  owed <- protection$unit
  if (is.null(owed)) {
    stop_with_hint("unit", "This session has no unit yet, so there is nothing to promise.",
      "Leave out `promise`.", call
    )
  }
  if (!inherits(owed, "dp_unit")) {
    stop_with_hint("unit",
      "This ledger has words of an older version as its unit, so it records no promise.",
      "Create a ledger with a `dp_unit()`.", call
    )
  }
  if (!replaces(owed)) {
    stop_with_hint("unit",
      paste0(
        keeper(protection), " hides whether ", unit_words(owed), " is in the data. No promise can ",
        "do so: the number of rows of a statistic is public."
      ),
      "Use a ledger with `relation = \"replace\"`: its number of people is public.", call
    )
  }
  enc2utf8(promise)
}
