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
