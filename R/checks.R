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
