# Kinds of arguments of statistics. A declaration names the kind of each argument, and the check,
# the descriptor in JSON and the help follow from it.

# `must`: completes "must be", in the words of the help. `check(value, arg, call, args)` returns the
# canonical form of the value, or raises an error that names `arg`. `args` has all arguments. The
# ones that the kind `reads` are already checked. `choices`: all valid texts. `finds`: whether the
# user can give bounds() instead of a range, see plan_with_bounds(). It can also be a function of
# all arguments that returns the columns with such ranges. The check only sees known ranges.
argument_kind <- function(must, check, reads = character(), choices = NULL, finds = FALSE) {
  list(must = must, check = check, reads = reads, choices = choices, finds = finds)
}

# Returns all arguments in their canonical forms. `kinds` has one kind for each. Reports all
# problems at once, in the order of the arguments, after `left_out`, a condition or NULL. Skips an
# argument if its check reads a wrong one.
checked_arguments <- function(args, kinds, call, left_out = NULL) {
  problems <- list()
  unknown <- unchecked(left_out)
  pending <- setdiff(names(args), unknown)
  while (length(pending) > 0) {
    for (name in pending) if (!any_among(kinds[[name]]$reads, pending)) break
    pending <- pending[pending != name]
    checked <- if (!any_among(kinds[[name]]$reads, unknown)) {
      tryCatch(
        {
          check_texts(args[[name]], name, call)
          list(kinds[[name]]$check(args[[name]], name, call, args))
        },
        dp_error_invalid_argument = identity
      )
    }
    if (inherits(checked, "condition")) problems[[name]] <- checked
    if (is.null(checked) || inherits(checked, "condition")) {
      unknown <- c(unknown, name)
    } else {
      args[name] <- checked
    }
  }
  stop_problems(unname(problems[intersect(names(args), names(problems))]), left_out, call)
  args
}

# Most kinds read no other argument.
any_among <- function(names, others) length(names) > 0 && any(match(names, others, 0) > 0)

# Skips the general error if one missing argument has a default: its own check says more.
unchecked <- function(left_out) if (!isTRUE(left_out$alone)) left_out$argument

stop_problems <- function(problems, left_out, call) {
  named <- unlist(lapply(problems, `[[`, "argument"))
  adds <- !is.null(left_out) && !any(left_out$argument %in% named)
  if (adds && (length(problems) > 0 || !isTRUE(left_out$alone))) {
    problems <- c(list(left_out), problems)
  }
  if (length(problems) > 1) stop_arguments(problems, call)
  if (length(problems) == 1) raise_again(problems[[1]])
}

# Others ------------------------------------------------------------------------------------------

# Argument that follows from others, kept in its position for old calls.
derived_from <- function(why) {
  words <- paste0("NULL: it follows from ", why)
  argument_kind(words, function(value, arg, call, args) {
    if (!is.null(value)) stop_argument(words, describe(value), arg, call)
  })
}

# Argument without a choice.
left_out <- function(why) {
  argument_kind(paste("left out:", why), function(value, arg, call, args) {
    if (!is_missing(value)) stop_argument(paste("missing:", why), describe(value), arg, call)
    NA_real_
  })
}

# Argument that only the plan can check, together with others.
with_others <- function(must) {
  argument_kind(must, function(value, arg, call, args) value)
}

stability_delta <- with_others("a number above 0 and below 1 / `n`, for `\"mechanismStability\"`")

# Rules of quantiles. New plans use the first of each. Plans from before this choice existed use the
# second, whose canonical form is NULL.
quantile_rules <- list(score = c("nearest", "balance"), spacing = c("digits", "even"))

quantile_rule <- function(name) {
  choices <- quantile_rules[[name]]
  argument_kind(in_words(choices), function(value, arg, call, args) {
    rule <- if (is.null(value)) choices[[2]] else check_name(value, choices, arg, call)
    if (rule == choices[[1]]) rule
  })
}

# Kinds of arguments of statistics that are texts, such as mechanisms, types and column names ------

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

# Choices of arguments of statistics ---------------------------------------------------------------

statistic_mechanisms <- "mechanismLaplace"
snapping_mechanisms <- c(statistic_mechanisms, "mechanismSnapping")
gaussian_mechanism <- "mechanismGaussian"
additive_mechanisms <- c(statistic_mechanisms, gaussian_mechanism)
statistic_types <- c("numeric", "integer", "logical")
missing_rules <- c("drop", "impute")
contrast_names <- c("treatment", "sum")
vcov_names <- c("classical", "sandwich")

# Rules for data whose number of rows differs from the public `n`.
row_checks <- c("error", "resize")

cell_sides <- c("left", "right")

conversions <- c("round", "truncate")

# Assumptions of population intervals about columns: any law within the bounds, or a normal one.
column_laws <- c("any", "normal")

inference_names <- c("onestep", "none", "parts")

# Kinds of arguments of statistics that are numbers: counts, shares and losses ---------------------

# Accepts counts up to `most`, which memory limits.
count_from <- function(least = 1, most = Inf) {
  argument_kind(paste("a whole number at least", least), function(value, arg, call, args) {
    value <- check_positive_whole(value, arg, call)
    if (value < least) stop_argument(paste("at least", least), name_public(value), arg, call)
    if (value > most) stop_argument(paste("at most", most), name_public(value), arg, call)
    value
  })
}

most_blocks <- 1e7

# Limits `n` if rows are resized to `n`, because they are held in memory. Otherwise `n` is only a
# number.
most_rows_made <- 2^36

number_of_rows <- function() {
  kind <- count_from(1)
  count <- kind$check
  kind$check <- function(value, arg, call, args) {
    value <- count(value, arg, call, args)
    if (identical(args$n_check, "resize") && value > most_rows_made) {
      stop_argument("at most 2^36 if `n_check` is \"resize\", which holds the rows in memory",
        name_public(value), arg, call
      )
    }
    value
  }
  kind$reads <- "n_check"
  kind
}

or_null <- function(words, null) paste0(words, if (null) ", or NULL")

whole_number <- function(min, max = 2^53, null = FALSE) {
  words <- or_null(paste0("a whole number", describe_range(min, max)), null)
  argument_kind(words, function(value, arg, call, args) {
    if (!(null && is.null(value))) {
      as.double(check_whole(value, min = min, max = max, arg = arg, call = call))
    }
  })
}

real_number <- function(min = -Inf, max = Inf, above = -Inf, null = FALSE) {
  words <- or_null(paste0("a finite number", describe_range(min, max, above)), null)
  argument_kind(words, function(value, arg, call, args) {
    if (!(null && is.null(value))) {
      as.double(check_number(value, min, max, above, arg = arg, call = call))
    }
  })
}

# Accepts numbers from 0 to 1. `zero` and `one` say whether the ends are valid.
share <- function(zero = FALSE, one = FALSE) {
  words <- paste(
    "a number", if (zero) "from 0" else "above 0", if (one) "to 1" else "and below 1"
  )
  argument_kind(words, function(value, arg, call, args) {
    as.double(check_probability(value, zero = zero, one = one, arg = arg, call = call))
  })
}

# Accepts any number of shares.
shares <- function() {
  argument_kind("numbers from 0 to 1, or NULL", function(value, arg, call, args) {
    if (is.null(value)) return(NULL)
    check_numbers(value, zero = TRUE, arg = arg, call = call)
    if (any(value > 1)) stop_argument("at most 1", "above", arg, call)
    value
  })
}

# Accepts at most `most` shares.
increasing_shares <- function(most) {
  words <- paste("up to", most, "increasing numbers from 0 to 1")
  argument_kind(words, function(value, arg, call, args) {
    fits <- is_numbers(value) && length(value) >= 1 && length(value) <= most && !anyNA(value) &&
      all(value >= 0 & value <= 1) && all(diff(value) > 0)
    if (!fits) stop_argument(words, name_public(value), arg, call)
    as.double(value)
  })
}

flag <- function() {
  argument_kind("`TRUE` or `FALSE`", function(value, arg, call, args) {
    check_flag(value, arg = arg, call = call)
  })
}

loss_words <- "a finite number above 0 (3 or more warns)"

# Loss of a release that no other argument can replace.
loss_of_release <- function() {
  argument_kind(loss_words, function(value, arg, call, args) {
    if (is_missing(value)) stop_argument("given", "missing", arg, call)
    check_epsilon(value, call, arg)
  })
}

# Loss of a release that may be left out if another argument gives it.
loss_or_other <- function(must) {
  argument_kind(must, function(value, arg, call, args) {
    if (is_missing(value)) {
      return(value)
    }
    as.double(check_number(value, above = 0, arg = arg, call = call))
  })
}

loss_or_rho <- function() loss_or_other("a finite number above 0, unless you give `rho`")

# Loss of Gaussian noise.
loss_in_rho <- function() {
  words <- paste(
    "a finite number above 0, for Gaussian noise, instead of `epsilon` and `delta`, or NULL"
  )
  loss_or_other(words)
}

gaussian_delta <- function() {
  words <- "a number above 0 and below 1 / `n`, for Gaussian noise, beside `epsilon`, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (!is_missing(value)) check_probability(value, arg = arg, call = call)
    value
  })
}
