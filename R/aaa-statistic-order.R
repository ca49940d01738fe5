# The order of a statistic's arguments. A declaration lists them in the order of plans, which never
# changes, because hashes depend on it. A call gives the columns first, then `n`, `rng` and
# `epsilon`. Calls in the order of plans still work. Most of them begin with the
# mechanism.

# Arguments that name the columns.
column_arguments <- c("variable", "columns", "variables", "formula")

subject_of <- function(names) intersect(column_arguments, names)[[1]]

# Returns the names of `arguments` in the order of calls. Arguments after `...` must be named. A
# statistic that declares its columns first keeps its order, because a call in one order could mean
# something else in the other.
order_of_calls <- function(arguments) {
  names <- setdiff(names(arguments), "...")
  subject <- subject_of(names)
  if (names[[1]] == subject) return(names(arguments))
  needed <- Filter(function(name) !has_default(name, arguments), names)
  first <- intersect(c(subject, "n", "rng", "epsilon", needed), names)
  c(first, "...", setdiff(c("mechanism", "varType", names), first))
}

has_default <- function(arg, formals) !identical(formals[[arg]], rlang::missing_arg())

# A constructor calls this first. Returns NULL, or a call of `planned`, which is the constructor in
# the order of plans, if the user's call is in that order. The returned call passes promises on, so
# no argument is evaluated twice. A call with an unknown name is left to check_names().
call_in_plan_order <- function(planned, declared) {
  place <- sys.parent()
  constructor <- sys.function(place)
  given <- all_names_in_call(sys.call(place), sys.parents()[[place]])
  unnamed <- which(given == "")
  known <- names(formals(planned))
  if (length(unnamed) == 0 || !all(given[given != ""] %in% known)) return(NULL)
  now <- formals_filled(given, names(formals(constructor)))
  then <- formals_filled(given, known)
  in_dots <- now == "..."
  symbols <- lapply(replace(now, in_dots, paste0("..", seq_len(sum(in_dots)))), as.symbol)
  frame <- sys.frame(place)
  # Constructors have an argument `missing`, which can be a function.
  value <- function(i) eval(bquote(if (!base::missing(.(symbols[[i]]))) .(symbols[[i]])), frame)
  is_planned <- any(vapply(unnamed, tells_plan_order, NA, now, then, declared$kinds, value))
  if (!is_planned) return(NULL)
  # In the call below, the code of this argument is a name that exists.
  subject <- subject_of(known)
  columns <- which(then == subject & now != "...")
  if (length(columns) > 0) {
    eval(evaluated_columns(as.character(symbols[[columns]]), declared$call, subject), frame)
  }
  as.call(c(planned, stats::setNames(symbols, given)))
}

# Names of all arguments in the call, or "". `from` is the frame whose `...` the call passes on.
all_names_in_call <- function(call, from) {
  args <- as.list(call)[-1]
  names <- as.list(names(args) %||% rep("", length(args)))
  passed <- vapply(args, identical, NA, quote(...))
  if (any(passed)) {
    dots <- quote(if (is.null(...names())) rep("", ...length()) else ...names())
    names[passed] <- list(eval(dots, sys.frame(from)))
  }
  unlist(names)
}

# The formal argument that each argument of a call belongs to. `given` has exact names, or "".
formals_filled <- function(given, formals) {
  free <- setdiff(formals[seq_len(match("...", formals) - 1)], given)
  unnamed <- which(given == "")
  given[unnamed] <- c(free, rep("...", length(unnamed)))[seq_along(unnamed)]
  given
}

# Tells whether the unnamed argument `i` shows that a call is in the order of plans: this order
# expects such a value there, for example the name of a mechanism, and the order of calls does not.
tells_plan_order <- function(i, now, then, kinds, value) {
  expected <- kinds[[then[[i]]]]$choices
  if (then[[i]] == now[[i]] || (is.null(expected) && then[[i]] != "innerFun")) return(FALSE)
  x <- value(i)
  subject <- subject_of(names(kinds))
  if (then[[i]] == "mechanism") {
    names_mechanism(x)
  } else if (then[[i]] == "innerFun") {
    is.function(x) || inherits(x, "formula") || (is_string(x) && now[[i]] != subject)
  } else if (!is_string(x) || !tolower(x) %in% tolower(expected)) {
    FALSE
  } else {
    # A column can be called "numeric": the order of plans then has the column elsewhere.
    now[[i]] != subject || (subject %in% then && names_columns(value(match(subject, then))))
  }
}

names_mechanism <- function(x) is_string(x) && startsWith(tolower(x), "mechanism")

names_columns <- function(x) is.character(x) || inherits(x, "formula")

# Code that evaluates the argument for the columns, which is in the formal argument `formal`. An
# unquoted name, as in `dpMean(age)`, raises an error that shows the call with quotes. Names in a
# formula need no quotes.
evaluated_columns <- function(formal, owner, subject = formal) {
  value <- as.symbol(formal)
  if (subject != "formula") bquote(if (!base::missing(.(value))) {
    evaluate_columns(.(value), rlang::enquo0(.(value)), quote(.(owner)))
  })
}

# Evaluates the promise `columns`. `written` is its code, which an evaluated promise no longer has.
evaluate_columns <- function(columns, written, owner) {
  force(written)
  withCallingHandlers(columns, error = function(e) refuse_unquoted(written, owner))
  if (is.function(columns)) refuse_unquoted(written, owner, is.function)
  invisible()
}

# Raises an error if `written` is a name, or `c()` of names, that no object has, or only one that
# `is_other`. Returns nothing for other code.
refuse_unquoted <- function(written, owner, is_other = function(x) FALSE) {
  names <- unquoted_names(rlang::quo_get_expr(written))
  home <- rlang::quo_get_env(written)
  known <- vapply(names, function(name) {
    exists(name, home) && !is_other(get(name, home))
  }, NA)
  if (all(known)) return(invisible())
  quoted <- paste0('"', names, '"', collapse = ", ")
  if (length(names) > 1) quoted <- paste0("c(", quoted, ")")
  refuse_argument(
    paste0("Column names need quotes. Write `", deparse1(owner[[1]]), "(", quoted, ", ...)`."),
    subject_of(names(formals(eval(owner[[1]])))), owner
  )
}

unquoted_names <- function(expr) {
  parts <- if (rlang::is_call(expr, "c")) as.list(expr)[-1] else list(expr)
  is_name <- vapply(parts, function(x) is.symbol(x) && nzchar(as.character(x)), NA)
  if (all(is_name)) vapply(parts, as.character, "") else character()
}
