# Hints for classes and columns.

# How to make an object of the class that an argument must have, with names to replace.
class_meanings <- c(
  dp_session = "Make one: `dp_session(dp_epsilon(1))`.",
  dp_unit = "Make one: `dp_unit(rows = 1)`, or `dp_unit(id = person)` for rows of the same person.",
  dp_domain = "Make one: `dp_domain(age = dp_int(0, 120))`, with a declaration for each column.",
  dp_loss = "Make one: `dp_epsilon(1)`."
)

# A hint from the class of the object that came, if it shows the intention.
hint_for_class <- function(class, x) {
  if (identical(class, "dp_session") && inherits(x, "dp_ledger")) {
    return("Open a session on the ledger: `dp_session(ledger = ledger)`.")
  }
  if (identical(class, "dp_session") && is.data.frame(x)) {
    first <- "`dp_tbl(dp_session(dp_epsilon(1)), data, unit = , domain = )`"
    return(paste0("Give the session first: ", first, "."))
  }
  if (identical(class, "dp_session") && inherits(x, "dp_loss")) {
    return("Make a session from it: `dp_session(loss)`.")
  }
  if (length(class) == 1 && class %in% names(class_meanings)) class_meanings[[class]]
}

# "Did you mean `kids`?" for the name of a missing column, else `otherwise`. It suggests a column
# whose name differs only in case, in surrounding blanks, or in dots, dashes and underscores.
# Otherwise it suggests the nearest name within a few letters, if no other name is as near.
hint_for_column <- function(names, known, otherwise = NULL) {
  meant <- vapply(names, meant_column, "", known, USE.NAMES = FALSE)
  if (length(meant) == 0 || anyNA(meant)) otherwise else paste0("Did you mean ", listed(meant), "?")
}

meant_column <- function(name, known) {
  plain <- function(x) gsub("[-._[:space:]]+", "_", tolower(trimws(x)))
  known <- known[!is.na(known)]
  same <- known[plain(known) == plain(name)]
  if (length(same) == 1) {
    return(same)
  }
  letters <- nchar(name)
  if (length(same) > 1 || letters > 64) {
    return(NA_character_)
  }
  near <- utils::adist(plain(name), plain(known))[1, ]
  least <- near[near <= letters %/% 4 + 1 & near < pmin(letters, nchar(known))]
  found <- known[near == min(least, Inf)]
  if (length(found) == 1) found else NA_character_
}
