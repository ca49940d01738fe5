# Joins with public tables. A public table is a plain list: list(columns = list(list(name, type,
# values), ...)).

# nolint start: object_name_linter.
#' @rdname dp_verbs
#' @exportS3Method dplyr::left_join
left_join.dp_tbl <- function(x, y, by = NULL, copy = FALSE, suffix = NULL, ..., keep = NULL,
                             na_matches = NULL, multiple = "all", unmatched = "drop",
                             relationship = NULL) {
  check_names(...)
  joined(x, y, by, "left", environment())
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::inner_join
inner_join.dp_tbl <- function(x, y, by = NULL, copy = FALSE, suffix = NULL, ..., keep = NULL,
                              na_matches = NULL, multiple = "all", unmatched = "drop",
                              relationship = NULL) {
  check_names(...)
  joined(x, y, by, "inner", environment())
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::semi_join
semi_join.dp_tbl <- function(x, y, by = NULL, copy = FALSE, ..., na_matches = NULL) {
  check_names(...)
  joined(x, y, by, "semi", environment())
}

#' @rdname dp_verbs
#' @exportS3Method dplyr::anti_join
anti_join.dp_tbl <- function(x, y, by = NULL, copy = FALSE, ..., na_matches = NULL) {
  check_names(...)
  joined(x, y, by, "anti", environment())
}
# nolint end

# `call` is the frame of the verb. Its other arguments are read from there.
joined <- function(x, y, by, how, call) {
  if (inherits(y, "dp_tbl")) {
    stop_query("unsupported", "Two private tables cannot be joined.",
      "Join them before `dp_tbl()`, on the column that identifies a person.", call
    )
  }
  if (!is.data.frame(y)) stop_argument("a public data frame", describe(y), "y", call)
  rules <- join_rules(call, how)
  by <- join_columns(x, y, by, call)
  added <- if (how %in% c("left", "inner")) setdiff(names(y), by$public)
  both <- intersect(added, names(x))
  if (length(both) > 0) {
    stop_query("unsupported", paste0("Both tables have a column ", listed(both), "."),
      "`rename()` it in the public table, or `select()` it away.", call
    )
  }
  kept <- if (is.null(added)) unique(by$public) else names(y)
  table <- with_join_rules(public_table(y, kept, "y", call), by$public, rules, call)
  step <- list(
    step = "join", how = how, private = by$private, public = by$public, table = table
  )
  add_step(x, step, columns = c(names(x), added), call = call)
}

# Accepts arguments of dplyr that depend only on the public table. Arguments that compare private
# rows, or mix the keys of both tables, raise an error.
join_rules <- function(call, how) {
  check_flag(call$copy, arg = "copy", call = call)
  rules <- list(na_matches = call$na_matches)
  check_choice(rules$na_matches, c("na", "never"), null = TRUE, arg = "na_matches", call = call)
  if (identical(rules$na_matches, "na")) {
    refuse_rule("na_matches", "\"never\"", "A missing key of a private row matches no row.", call)
  }
  if (how %in% c("semi", "anti")) {
    return(rules)
  }
  if (!is.null(call$suffix)) {
    refuse_rule("suffix", "left out", "Use `rename()` for columns that both tables have.", call)
  }
  check_flag(call$keep, null = TRUE, arg = "keep", call = call)
  if (isTRUE(call$keep)) {
    refuse_rule("keep", "FALSE", "To keep a key, copy it with `mutate()`.", call)
  }
  check_choice(call$unmatched, c("drop", "error"), arg = "unmatched", call = call)
  if (call$unmatched == "error") {
    refuse_rule("unmatched", "\"drop\"", "An error would show which keys private rows have.", call)
  }
  rules$multiple <- check_choice(call$multiple %||% "all", c("all", "any", "first", "last"),
    arg = "multiple", call = call
  )
  rules$relationship <- check_choice(call$relationship,
    c("one-to-one", "one-to-many", "many-to-one", "many-to-many"),
    null = TRUE, arg = "relationship", call = call
  )
  if (isTRUE(rules$relationship %in% c("one-to-one", "one-to-many"))) {
    refuse_rule("relationship", "\"many-to-one\" or \"many-to-many\"",
      "The number of private rows with a key is private.", call
    )
  }
  rules
}

refuse_rule <- function(arg, must, why, call) {
  stop_query("invalid_argument", paste0("`", arg, "` of a private join must be ", must, "."), why,
    call, argument = arg
  )
}

# Applies the rules to the rows of the public table.
with_join_rules <- function(table, keys, rules, call) {
  names <- vapply(table$columns, `[[`, "", "name")
  values <- lapply(table$columns[match(keys, names)], `[[`, "values")
  if (is.null(rules$na_matches) && any(vapply(values, anyNA, NA))) {
    stop_query("invalid_argument",
      paste0("`y` must not have missing values in ", listed(keys, "or"), "."),
      "Write `na_matches = \"never\"`. In dplyr missing keys match each other, but not here.",
      call, argument = "na_matches"
    )
  }
  repeated <- repeated_keys(values, from_last = identical(rules$multiple, "last"))
  if (identical(rules$relationship, "many-to-one") && any(repeated)) {
    stop_query("invalid_argument",
      paste0("`y` must have each ", listed(keys, "and"), " only once, because of `relationship`."),
      "To use the first row of each key, write `multiple = \"first\"`.", call,
      argument = "relationship"
    )
  }
  if (!isTRUE(rules$multiple %in% c("any", "first", "last"))) {
    if (any(repeated) && is.null(rules$relationship) && !is.null(rules$multiple)) {
      warn_of_repeated_keys(keys, call)
    }
    return(table)
  }
  table$columns <- lapply(table$columns, function(column) {
    column$values <- column$values[!repeated]
    column
  })
  table
}

# Depends only on the public table. dplyr warns only if keys repeat in both tables.
warn_of_repeated_keys <- function(keys, call) {
  warn_as_is(
    paste0(
      "Several rows of `y` have the same ", listed(keys, "and"), ": a private row counts once for ",
      "each of them. If you want this, write `relationship = \"many-to-many\"`. Otherwise write ",
      "`multiple = \"first\"`."
    ),
    "join", call
  )
}

# Rows whose keys occur in an earlier row, or in a later one if `from_last`. -0 and 0 are equal.
repeated_keys <- function(values, from_last) {
  keys <- list2DF(lapply(values, function(x) if (is.double(x)) x + 0 else x))
  duplicated(keys, fromLast = from_last) & stats::complete.cases(keys)
}
