# Checks of public arguments. Each returns its input, or stops with the requirement and a
# description of the input. A message shows one number that is out of range. Otherwise it names the
# type and shape of the input, never its value, because callers can pass data by mistake.
#
# `arg` is the name that the message uses, `call` the frame that it names, and `null` lets `NULL`
# pass.

check_number <- function(x, min = -Inf, max = Inf, above = -Inf, below = Inf, finite = TRUE,
                         null = FALSE, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (null && is.null(x)) {
    return(x)
  }
  must <- paste0(if (finite) "a finite number" else "a number",
    describe_range(min, max, above, below)
  )
  if (!is_number(x) || (finite && !is.finite(x))) stop_argument(must, describe(x), arg, call)
  check_within(x, function(x) is_within(x, min, max, above, below), must, arg, call)
}

# Beyond 2^53 a double cannot distinguish neighbouring whole numbers.
check_whole <- function(x, min = -2^53, max = 2^53, null = FALSE, arg = rlang::caller_arg(x),
                        call = rlang::caller_env()) {
  if (null && is.null(x)) {
    return(x)
  }
  must <- paste0("a whole number", describe_range(min, max))
  if (!is_number(x) || !is.finite(x) || x != trunc(x)) stop_argument(must, describe(x), arg, call)
  check_within(x, function(x) x >= min && x <= max, must, arg, call)
}

# The message shows a number out of range, with enough digits to see that it is.
check_within <- function(x, within, must, arg, call) {
  if (!within(x)) {
    came <- name_public(x)
    if (within(as.double(came))) came <- format(x, digits = 17)
    stop_argument(must, came, arg, call)
  }
  x
}

# `zero` and `one` say whether the range includes its ends.
check_probability <- function(x, zero = FALSE, one = FALSE, null = FALSE,
                              arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_number(
    x,
    min = if (zero) 0 else -Inf, above = if (zero) -Inf else 0,
    max = if (one) 1 else Inf, below = if (one) Inf else 1,
    null = null, arg = arg, call = call
  )
}

check_string <- function(x, null = FALSE, arg = rlang::caller_arg(x),
                         call = rlang::caller_env()) {
  if (!(null && is.null(x)) && !is_string(x)) {
    stop_argument("a string", describe(x), arg, call)
  }
  x
}

check_choice <- function(x, choices, null = FALSE, arg = rlang::caller_arg(x),
                         call = rlang::caller_env()) {
  known <- if (is.null(x)) null else is_string(x) && x %in% choices
  if (!known) {
    what <- paste("one of", paste0('"', choices, '"', collapse = ", "))
    stop_argument(what, if (is_string(x)) "another string" else describe(x), arg, call)
  }
  x
}

check_flag <- function(x, null = FALSE, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (!(null && is.null(x)) && !is_flag(x)) {
    stop_argument("TRUE or FALSE", describe(x), arg, call)
  }
  x
}

check_function <- function(x, null = FALSE, arg = rlang::caller_arg(x),
                           call = rlang::caller_env()) {
  if (!(null && is.null(x)) && !is.function(x)) {
    stop_argument("a function", describe(x), arg, call)
  }
  x
}

# A pair of numbers, as a vector or a list. The pair must be finite, ordered, and close enough for a
# finite width, because every sensitivity is derived from the width.
check_bounds <- function(x, null = FALSE, arg = rlang::caller_arg(x),
                         call = rlang::caller_env()) {
  if (null && is.null(x)) {
    return(x)
  }
  what <- "two finite numbers, the lower bound first"
  pair <- if (is.object(x)) NULL else as.list(x)
  if (length(pair) != 2 || !all(vapply(pair, is_number, logical(1)))) {
    stop_argument(what, describe(x), arg, call)
  }
  lower <- as.double(pair[[1]])
  upper <- as.double(pair[[2]])
  if (!is.finite(lower) || !is.finite(upper)) {
    stop_argument(what, "an infinite one", arg, call)
  }
  if (lower > upper) {
    stop_argument(what, "a lower bound above the upper one", arg, call)
  }
  if (!is.finite(upper - lower)) {
    stop_argument(what, "numbers infinitely far apart", arg, call)
  }
  x
}

# A vector of finite numbers above 0, or from 0 on if `zero`.
check_numbers <- function(x, zero = FALSE, below = Inf, arg = rlang::caller_arg(x),
                          call = rlang::caller_env()) {
  what <- paste0(
    "numbers ", if (zero) "of at least 0" else "above 0",
    if (below < Inf) paste(" and below", format(below))
  )
  if (!is_numbers(x) || length(x) == 0) stop_argument(what, describe(x), arg, call)
  if (!all(is.finite(x) & (if (zero) x >= 0 else x > 0) & x < below)) {
    stop_argument(what, "other ones", arg, call)
  }
  x
}

check_positive_whole <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (is_number(x) && x != trunc(x)) {
    stop_argument("a whole number at least 1", name_public(x), arg, call)
  }
  as.double(check_whole(x, min = 1, arg = arg, call = call))
}

# The element of `allowed` that `x` spells, in any letter case.
check_name <- function(x, allowed, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  at <- if (is_string(x)) match(tolower(x), tolower(allowed)) else NA
  if (is.na(at)) {
    what <- paste0(if (length(allowed) > 1) "one of ", paste0('"', allowed, '"', collapse = ", "))
    stop_argument(what, if (is_string(x)) name_public(x) else describe(x), arg, call)
  }
  allowed[[at]]
}

check_class <- function(x, class, null = FALSE, arg = rlang::caller_arg(x),
                        call = rlang::caller_env()) {
  if (!(null && is.null(x)) && !inherits(x, class)) {
    sentence <- paste0("`", arg, "` must be an object of class ", class, ", not ", describe(x), ".")
    stop_with_hint("invalid_argument", sentence, hint_for_class(class, x), call, argument = arg)
  }
  x
}

# The most frequent error: building it directly takes a tenth of the time of a template.
stop_argument <- function(what, came, arg, call) {
  sentence <- paste0("`", arg, "` must be ", what, ", not ", came, ".")
  kind <- "invalid_argument"
  raise(sentence, kind, error_variants[[kind]], argument = arg, call = call)
}

# Copies a public argument for an object to keep, because functions such as `data.table::set()`
# change a vector in place for all its users.
as_it_is <- function(x) {
  # The copy recurses.
  if (!is_shallow(x)) {
    stop_dp("an argument is nested too deeply: {limit('nested_lists')} lists or calls at most.",
      "ffi",
      call = NULL
    )
  }
  rlang::duplicate(x)
}

# Values whose class (a date, a factor, a 64-bit integer) can reinterpret the bits do not count as
# numbers.
is_number <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1 && !is.na(x)

is_numbers <- function(x) is.numeric(x) && !is.object(x)

is_string <- function(x) is.character(x) && !is.object(x) && length(x) == 1 && !is.na(x)

is_flag <- function(x) is.logical(x) && !is.object(x) && length(x) == 1 && !is.na(x)

# An infinite `above` or `below` excludes nothing.
is_within <- function(x, min, max, above, below) {
  x >= min && x <= max && (above == -Inf || x > above) && (below == Inf || x < below)
}

# Describes values in messages, without private ones -----------------------------------------------

# The ends of the range of whole numbers are not mentioned.
describe_range <- function(min = -Inf, max = Inf, above = -Inf, below = Inf) {
  limits <- c(
    if (min > -2^53) paste("at least", format(min)),
    if (above > -Inf) paste("above", format(above)),
    if (max < 2^53) paste("at most", format(max)),
    if (below < Inf) paste("below", format(below))
  )
  paste0(if (length(limits)) " ", paste(limits, collapse = " and "))
}

# Describes the type and shape of `x`, without its content.
describe <- function(x) {
  if (is.null(x)) {
    "NULL"
  } else if (is.object(x)) {
    paste("an object of class", class(x)[[1]])
  } else if (is.function(x)) {
    "a function"
  } else if (is.list(x)) {
    paste("a list of length", length(x))
  } else if (!is.atomic(x)) {
    paste("an object of type", typeof(x))
  } else if (length(x) == 1) {
    describe_scalar(x)
  } else {
    type <- switch(typeof(x),
      integer = "an integer",
      double = "a numeric",
      paste("a", typeof(x))
    )
    paste(type, "vector of length", length(x))
  }
}

describe_scalar <- function(x) {
  if (is.double(x) && is.nan(x)) {
    return("NaN")
  }
  if (is.na(x)) {
    return("a missing value")
  }
  switch(typeof(x),
    logical = "a logical value",
    integer = "a whole number",
    double = describe_double(x),
    character = "a string",
    complex = "a complex number",
    raw = "a raw byte"
  )
}

describe_double <- function(x) {
  if (is.infinite(x)) {
    "an infinite number"
  } else if (x != trunc(x)) {
    "a fractional number"
  } else {
    "a whole number"
  }
}

# Shows the value of an argument that must be public: one string, or one or two numbers. Longer
# values can be data by mistake, so only their type and shape are named.
name_public <- function(x) {
  if (is_string(x) && validUTF8(x)) {
    encodeString(if (nchar(x) > 60) paste0(substr(x, 1, 57), "...") else x, quote = "\"")
  } else if (is_numbers(x) && is.null(dim(x)) && length(x) %in% 1:2) {
    paste(show_number(x, 7), collapse = " and ")
  } else {
    describe(x)
  }
}

# Escapes names, which can come from strangers. Characters that move the cursor or change the text
# direction are shown as `\\u001b`, so a name cannot rewrite the line around it.
printable <- function(text) {
  text <- iconv(enc2utf8(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  hidden <- "[\\p{Cc}\\p{Zl}\\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]"
  has <- grepl(hidden, text, perl = TRUE)
  text[has] <- vapply(strsplit(text[has], ""), function(characters) {
    is_hidden <- grepl(hidden, characters, perl = TRUE)
    characters[is_hidden] <- sprintf("\\u%04x", vapply(characters[is_hidden], utf8ToInt, 1L))
    paste(characters, collapse = "")
  }, "")
  text
}

quoted <- function(names) paste0("`", printable(names), "`")

# "`a`, `b` and `c`"
listed <- function(names, last = "and") {
  names <- quoted(names)
  if (length(names) < 2) {
    return(names)
  }
  paste(toString(names[-length(names)]), last, names[[length(names)]])
}

# Argument names -----------------------------------------------------------------------------------

# R completes a name from its beginning, and `...` accepts any name. Exported functions reject
# both before they look at an argument.

# Raises an error if the caller was called with a partial or unknown argument name, or with anything
# in `...`. `hints` suggests a replacement for names that have a meaning in other packages.
# `ignored` lists names that R itself passes on and that have no effect here. `owner` is the call
# that errors name, if it differs from the caller's. `unnamed`: whether `...` takes columns, which
# have no names.
check_names <- function(..., hints = character(), ignored = character(), owner = NULL,
                        unnamed = FALSE) {
  frame <- sys.parent()
  call <- sys.call(frame)
  given <- names_in_call(call, sys.parents()[[frame]])
  known <- setdiff(names(formals(sys.function(frame))), "...")
  unknown <- setdiff(given, c(known, ignored, ""))
  if (length(unknown) > 0) stop_unknown(unknown[[1]], known, hints, owner %||% call)
  if (!unnamed && ...length() > sum(given %in% ignored)) stop_unnamed(known, owner %||% call)
}

# Arguments that data.frame() and as_tibble() pass to every as.data.frame() method.
of_data_frames <- c(
  "check.names", "col.names", "cut.names", "fix.empty.names", "make.names", "new.names", "nm",
  "stringsAsFactors"
)

# The names in the call, including those passed through the `...` of the calling frame.
names_in_call <- function(call, from) {
  args <- as.list(call)[-1]
  names <- names(args) %||% rep("", length(args))
  is_dots <- vapply(args, identical, NA, quote(...))
  if (!any(is_dots)) {
    return(names)
  }
  handed_on <- eval(quote(...names()), sys.frame(from))
  c(names[!is_dots], handed_on[!is.na(handed_on)])
}

# Rows of results have no names, because columns identify them.
refuse_row_names <- function(names, call = rlang::caller_env()) {
  if (!is.null(names)) stop_argument("NULL: rows are named in a column", "given", "row.names", call)
}

stop_unknown <- function(arg, known, hints = character(), call) {
  owner <- bare_call(call)
  # Errors show the generic's name if a method was called.
  owner <- sub("[.]dp_?[[:alpha:]_]+[(][)]$", "()", if (is.null(owner)) "" else deparse1(owner))
  owner <- if (nzchar(owner)) paste0("`", owner, "`") else "The function"
  instead <- as.list(hints)[[arg]] %||% hint_for_argument(arg, known) %||%
    nearest_arguments(arg, known)
  refuse_argument(paste0(owner, " has no argument `", arg, "`. ", instead), arg, call)
}

stop_unnamed <- function(known, call) {
  refuse_argument(
    paste0("Too many arguments without a name. Name them: ", arguments_by_name(known[-1]), "."),
    "...", call
  )
}

refuse_argument <- function(sentence, arg, call) {
  kind <- "invalid_argument"
  raise(sentence, kind, error_variants[[kind]], argument = arg, call = call)
}

# "Write `lower`.": suggests arguments that begin with `arg`, or else those spelt like it.
nearest_arguments <- function(arg, known) {
  near <- known[startsWith(known, arg)]
  if (length(near) == 0) {
    distances <- utils::adist(tolower(arg), tolower(known))[1, ]
    near <- known[distances <= max(2, nchar(arg) %/% 3) & distances < nchar(known)]
  }
  if (length(near) > 0) {
    return(paste0("Write ", arguments_by_name(near, "or"), "."))
  }
  if (length(known) == 0) {
    return("Leave out the name.")
  } else if (length(known) > 8) {
    return("The help page lists its arguments.")
  }
  paste0("It has ", arguments_by_name(known), ".")
}

arguments_by_name <- function(names, last = "and") {
  shown <- paste0("`", names, "`")
  if (length(shown) < 2) {
    return(shown)
  }
  paste(toString(shown[-length(shown)]), last, shown[[length(shown)]])
}
