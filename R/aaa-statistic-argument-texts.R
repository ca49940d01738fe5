# Kinds of arguments of statistics that are texts, such as mechanisms, types and column names.

# Formats choices for the help.
in_words <- function(choices) {
  quoted <- paste0('`"', choices, '"`')
  if (length(quoted) == 1) return(quoted)
  paste(toString(quoted[-length(quoted)]), "or", quoted[[length(quoted)]])
}

# Accepts one of these texts, in any letter case.
one_of <- function(choices, null = FALSE) {
  argument_kind(in_words(choices), choices = choices, check = function(value, arg, call, args) {
    if (arg == "mechanism") refuse_column_for_mechanism(value, choices, call)
    if (!(null && is.null(value))) check_name(value, choices, arg, call)
  })
}

row_check <- function() {
  kind <- one_of(row_checks)
  check <- kind$check
  kind$check <- function(value, arg, call, args) {
    if (identical(value, former_row_check)) value <- "error"
    check(value, arg, call, args)
  }
  kind
}

# Catches a column name in place of the mechanism, which comes first in many statistics.
refuse_column_for_mechanism <- function(value, choices, call) {
  if (is_string(value) && !startsWith(tolower(value), "mech")) {
    stop_argument(paste0(in_words(choices), " (give a column as `variable = `)"),
      name_public(value), "mechanism", call
    )
  }
}

variable_type <- function(choices = statistic_types) {
  kind <- one_of(choices)
  check <- kind$check
  kind$check <- function(value, arg, call, args) {
    type <- check(value, arg, call, args)
    if (type == "double") "numeric" else type
  }
  kind
}

column_name <- function() {
  argument_kind("the name of a column", function(value, arg, call, args) {
    check_string(value, arg = arg, call = call)
  })
}

# Accepts at least `least` columns, a single one if that is 1.
column_names <- function(least) {
  several <- paste(if (least == 1) "a string, or" else "two or more", "different names")
  argument_kind(several, function(value, arg, call, args) {
    if (least == 1 && length(value) <= 1) return(check_string(value, arg = arg, call = call))
    distinct <- is.character(value) && !anyNA(value) && !anyDuplicated(value)
    if (!distinct || length(value) < least) {
      stop_argument(sub("^a string, or ", "", several), describe(value), arg, call)
    }
    value
  })
}
