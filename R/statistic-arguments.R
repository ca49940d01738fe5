# Checks of shared arguments. Each returns the argument in its canonical form, or stops before any
# data are read. "Missing" means NULL or NA, as it always has for these arguments.

is_missing <- function(x) is.null(x) || (is.atomic(x) && length(x) == 1 && is.na(x))

# Stops if any named argument was left out of the call of `frame`, and names all of them.
check_given <- function(..., or = list(), call, frame = rlang::caller_env()) {
  left_out <- left_out_of(c(...), or, call, frame, formals(rlang::frame_fn(frame)))
  if (!is.null(left_out) && !left_out$alone) raise_again(left_out)
}

# Finds the `args` that were left out of the call of `frame`, whose function has these `formals`.
# Returns a condition that names all of them, or NULL. An argument with a default is missing while
# it is NULL or NA. `or` names alternatives, and a logical column needs no range. `alone`: only one
# is missing, and it has a default, so it has its own check, which says more.
left_out_of <- function(args, or, call, frame, formals) {
  if ("rng" %in% args && names_logical(frame, formals)) args <- setdiff(args, "rng")
  left_out <- Filter(function(arg) {
    all(vapply(c(arg, or[[arg]]), is_left_out, NA, frame, formals))
  }, args)
  if (length(left_out) == 0) {
    return(NULL)
  }
  shown <- vapply(left_out, function(arg) {
    others <- paste0("`", or[[arg]], "`", collapse = ", ", recycle0 = TRUE)
    paste0("`", arg, "`", if (length(or[[arg]]) > 0) paste0(" (or ", others, ")"))
  }, "")
  tryCatch(
    raise(paste(all_of(shown), "must be given, not left out."), "invalid_argument",
      error_variants[["invalid_argument"]],
      argument = left_out, alone = length(left_out) == 1 && has_default(left_out, formals),
      call = call
    ),
    dp_error_invalid_argument = identity
  )
}

# Raises several problems as one error, whose `argument` has all names.
stop_arguments <- function(problems, call) {
  sentences <- paste0("* ", vapply(problems, conditionMessage, ""), collapse = "\n")
  kind <- "invalid_argument"
  raise(paste0("several arguments are missing or invalid:\n", sentences), kind,
    error_variants[[kind]],
    argument = unlist(lapply(problems, `[[`, "argument")), call = call
  )
}

# Checks the call of the calling function. `...` are its required arguments.
stop_left_out <- function(...) {
  frame <- rlang::caller_env()
  check_given(..., call = rlang::frame_call(frame), frame = frame)
}

all_of <- function(shown) {
  last <- shown[[length(shown)]]
  if (length(shown) == 1) last else paste(toString(shown[-length(shown)]), "and", last)
}

# Tells whether a call of a function with these formals left out `arg`.
is_left_out <- function(arg, frame, formals) {
  if (has_default(arg, formals)) {
    is_missing(get(arg, frame))
  } else {
    # An argument of the frame may have the name of this function.
    eval(as.call(list(base::missing, as.symbol(arg))), frame)
  }
}

names_logical <- function(frame, formals) {
  exists("varType", frame, inherits = FALSE) && !is_left_out("varType", frame, formals) &&
    is_string(frame$varType) && tolower(frame$varType) == "logical"
}

# Refuses invalid text in names of columns, categories and labels, because it cannot be printed.
check_texts <- function(x, arg, call) {
  texts <- c(if (is.character(x)) x, names(x), if (is.matrix(x)) unlist(dimnames(x)))
  if (!is.character(texts)) {
    return(invisible())
  }
  marked <- Encoding(texts)
  is_text <- marked == "latin1" | marked != "bytes" & validUTF8(texts)
  if (!all(is_text)) stop_argument("of text", "bytes that are no UTF-8", arg, call)
}

# Threshold of the warning about a large loss, which hides little.
large_epsilon <- 3

check_epsilon <- function(epsilon, call = rlang::caller_env(), arg = "epsilon") {
  check_number(epsilon, above = 0, arg = arg, call = call)
  if (epsilon >= large_epsilon) {
    sentence <- paste0(
      "`", arg, " = ", format(epsilon), "` is large: at ", large_epsilon,
      " or more the protection is weak."
    )
    warn_as_is(sentence, "large_epsilon", call)
  }
  as.double(epsilon)
}

# Value of a single `epsilon` if there can be one for each part: it then means `globalEps`. NULL
# otherwise.
one_loss <- function(args, call) {
  if (is_number(args$epsilon) && is_missing(args$globalEps)) {
    check_number(args$epsilon, above = 0, arg = "epsilon", call = call)
    list(globalEps = as.double(args$epsilon), epsilon = NULL)
  }
}

# Returns list(epsilon, accuracy). One is given, and the other follows for noise of this
# sensitivity. `epsilon` wins if both are given.
check_loss <- function(epsilon, accuracy, sensitivity, alpha, call = rlang::caller_env()) {
  if (is_missing(epsilon) && is_missing(accuracy)) {
    stop_argument("given, or `accuracy` in its place", "missing", "epsilon", call)
  }
  if (is_missing(epsilon)) {
    accuracy <- as.double(check_number(accuracy, above = 0, arg = "accuracy", call = call))
    epsilon <- check_epsilon(laplaceGetEpsilon(sensitivity, accuracy, alpha), call = call)
  } else {
    epsilon <- check_epsilon(epsilon, call = call)
    accuracy <- laplaceGetAccuracy(sensitivity, epsilon, alpha)
  }
  list(epsilon = epsilon, accuracy = accuracy)
}

inward <- function(bounds, varType) {
  bounds <- as.double(bounds)
  if (varType == "integer") c(ceiling(bounds[[1]]), floor(bounds[[2]])) else bounds
}

# Range for imputed values, within `rng`.
check_impute_range <- function(imputeRng, rng, varType, call = rlang::caller_env()) {
  if (is_missing(imputeRng)) {
    return(rng)
  }
  if (varType == "logical") {
    warn_dp("`imputeRng` does not apply to a logical variable. Missing values become 0 or 1.",
      "impute_range",
      call = call
    )
    return(rng)
  }
  check_bounds(imputeRng, arg = "imputeRng", call = call)
  bounds <- as.double(unlist(imputeRng))
  if (bounds[[1]] > rng[[2]] || bounds[[2]] < rng[[1]]) {
    stop_argument("two numbers within `rng`", "an interval outside", "imputeRng", call)
  }
  if (bounds[[1]] < rng[[1]] || bounds[[2]] > rng[[2]]) {
    warn_dp("`imputeRng` reaches beyond `rng`. Only the part within is used.", "impute_range",
      call = call
    )
    bounds <- c(max(bounds[[1]], rng[[1]]), min(bounds[[2]], rng[[2]]))
  }
  bounds <- inward(bounds, varType)
  if (bounds[[1]] > bounds[[2]]) {
    stop_argument("two numbers with a whole one between them", "an interval without", "imputeRng",
      call
    )
  }
  bounds
}

# Checks arguments that follow from others and are kept for old scripts.
check_derived <- function(x, value, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  if (!is.null(x) && !(is_number(x) && isTRUE(all.equal(as.double(x), value)))) {
    what <- paste("left out or", format(value), "which follows from the other arguments")
    stop_argument(what, name_public(x), arg, call)
  }
  value
}

# Bounds of several columns ------------------------------------------------------------------------

# A list of pairs, or a matrix with a pair in each row.

# Pairs in the order of `columns`, without names. Named pairs are matched by name, so no column can
# get the bounds of another. `columns` can be a number if the columns have no names.
pairs_of_columns <- function(x, columns, arg, call) {
  count <- if (is.numeric(columns)) columns else length(columns)
  pairs <- rows_of_matrix(x)
  if (!is.list(pairs) || length(pairs) != count) {
    of <- if (!is.numeric(columns)) paste0(", for ", in_quotes(columns))
    stop_argument(paste0("a list of ", count, " pairs", of), describe(x), arg, call)
  }
  if (is.numeric(columns)) unname(pairs) else in_order_of(pairs, columns, arg, call)
}

# List with an element for each of `columns`, in their order and without names.
in_order_of <- function(x, columns, arg, call) {
  if (is.null(names(x))) {
    return(unname(x))
  }
  if (!setequal(names(x), columns) || anyDuplicated(names(x))) {
    stop_argument(
      paste0("named after the columns ", in_quotes(columns), ", each once, or not named"),
      paste("named", in_quotes(names(x))), arg, call
    )
  }
  unname(x[columns])
}

in_quotes <- function(names) toString(paste0('"', names, '"'))

check_ranges <- function(rng, columns, varType, call) {
  refuse_bounds(rng, call)
  if (varType == "logical") {
    return(rep(list(c(0, 1)), if (is.numeric(columns)) columns else length(columns)))
  }
  lapply(pairs_of_columns(rng, columns, "rng", call), check_range, varType = varType, call = call)
}

# Bounds of the columns of a design. The attribute `terms` has bounds of its terms by name.
check_design_ranges <- function(rng, design, varType, call) {
  pairs <- rows_of_matrix(rng)
  of_terms <- if (is.list(pairs)) names_of_terms(names(pairs), design)
  if (length(of_terms) > 0) {
    is_term <- !is.na(of_terms)
    declared <- lapply(pairs[is_term], check_range, varType = "numeric", call = call)
    names(declared) <- of_terms[is_term]
    if (anyDuplicated(names(declared)) > 0) {
      stop_argument("with one pair for each term", "with several for one", "rng", call)
    }
    rng <- pairs[!is_term]
  } else {
    declared <- NULL
  }
  if (!is.null(names(rng))) check_bound_names(names(rng), design, call)
  structure(check_ranges(rng, design$columns, varType, call), terms = declared)
}

check_bound_names <- function(names, design, call) {
  lacking <- setdiff(design$columns, names)
  foreign <- setdiff(names, design$columns)
  if (length(lacking) > 0) {
    stop_argument(paste0("a list with bounds of ", in_quotes(design$columns),
      ", and columns of texts must be in `levels`"), paste("one without", in_quotes(lacking)),
      "rng", call
    )
  }
  if (length(foreign) > 0) {
    known <- union(design$columns, names(design$terms))
    stop_argument(paste("named after columns and terms,", in_quotes(known)),
      paste("named", in_quotes(foreign)), "rng", call
    )
  }
}

# Names of terms with any spacing, in the spelling of the design, or NA for columns.
names_of_terms <- function(names, design) {
  labels <- setdiff(names(design$terms), design$columns)
  vapply(names, function(name) {
    if (name %in% c(design$columns, labels)) {
      return(if (name %in% labels) name else NA_character_)
    }
    spaced <- or_else(deparse1(str2lang(name)), function(error) name)
    if (spaced %in% labels) spaced else NA_character_
  }, "")
}

check_impute_ranges <- function(imputeRng, rng, columns, varType, call) {
  if (is.null(imputeRng)) {
    return(rng)
  }
  pairs <- pairs_of_columns(imputeRng, columns, "imputeRng", call)
  Map(function(impute, within) check_impute_range(impute, within, varType, call), pairs, rng)
}
