# Readers of operators and functions on private rows.

# A reader returns the form that from_nested() needs. `counts` has the valid numbers of operands.
simple_reader <- function(op, counts) {
  force(op)
  function(expr, env, scope) {
    args <- as.list(expr)[-1]
    if (!length(args) %in% counts) stop_form(expr, scope)
    check_operands(expr, scope)
    if (op %in% c("==", "!=") && any(vapply(args, is_written_na, NA))) {
      stop_query("unsupported", paste0(quoted(op), " with NA is always missing."),
        "Write `is.na(x)` or `!is.na(x)`.", scope$call
      )
    }
    of_operator(op, args, env)
  }
}

# NaN has its own error.
is_written_na <- function(expr) {
  is.atomic(expr) && length(expr) == 1 && is.na(expr) && !is.nan(expr)
}

stop_form <- function(expr, scope) {
  stop_query(
    "unsupported", paste0("This form of ", quoted(paste0(name_of_function(expr), "()")),
      " is not supported."),
    "`?dp_expressions` lists the supported functions.", scope$call
  )
}

# Operands have no names, except `x` for a single operand. A name would be an argument of the R or
# dplyr function, which the operator does not have.
check_operands <- function(expr, scope) {
  args <- as.list(expr)[-1]
  surplus <- setdiff(names(args), c("", if (length(args) == 1) "x"))
  if (length(surplus) > 0) {
    hints <- c(na.rm = "A missing value makes the result missing: `coalesce()` replaces it.")
    stop_unknown(surplus[[1]], "x", hints, as.call(list(expr[[1]])))
  }
}

# Matches arguments to the formals of `definition`. Omitted arguments are NULL. Names must be
# complete, and unnamed arguments fill the remaining formals in order.
matched <- function(expr, definition, scope) {
  formals <- names(formals(definition))
  args <- as.list(expr)[-1]
  given <- names(args) %||% rep("", length(args))
  named <- nzchar(given)
  unknown <- setdiff(given[named], formals)
  if (length(unknown) > 0) {
    stop_unknown(unknown[[1]], formals, hints_for_expressions, as.call(list(expr[[1]])))
  }
  left <- setdiff(formals, given)
  if (anyDuplicated(given[named]) > 0 || sum(!named) > length(left)) stop_form(expr, scope)
  given[!named] <- left[seq_len(sum(!named))]
  stats::setNames(stats::setNames(args, given)[formals], formals)
}

read_minus <- function(expr, env, scope) {
  if (length(expr) == 3) {
    return(of_operator("-", as.list(expr)[-1], env))
  }
  of_operands(list(expr[[2]]), env, function(args) operation("-", literal(0L, scope), args[[1]]))
}

read_plus <- function(expr, env, scope) {
  if (length(expr) == 2) {
    return(of_operands(list(expr[[2]]), env, function(args) args[[1]]))
  }
  of_operator("+", as.list(expr)[-1], env)
}

read_in <- function(expr, env, scope) {
  values <- public_value(expr[[3]], env, scope)
  if (is.null(values)) {
    stop_query(
      "unsupported", "The right side of `%in%` must be public values.",
      "To keep rows whose key is in a table, use `semi_join()`.", scope$call
    )
  }
  values <- literals(values$value, scope)
  of_operands(list(expr[[2]]), env, function(args) list(op = "%in%", args = c(args, values)))
}

read_between <- function(expr, env, scope) {
  args <- matched(expr, function(x, left, right) NULL, scope)
  if (any(vapply(args, is.null, NA))) stop_form(expr, scope)
  of_operator("between", args, env)
}

read_if_else <- function(expr, env, scope) {
  args <- matched(expr, function(condition, true, false, missing) NULL, scope)
  if (is.null(args$condition) || is.null(args$true) || is.null(args$false)) stop_form(expr, scope)
  of_operator("if_else", if (is.null(args$missing)) args[1:3] else args, env)
}

read_ifelse <- function(expr, env, scope) {
  args <- matched(expr, function(test, yes, no) NULL, scope)
  if (any(vapply(args, is.null, NA))) stop_form(expr, scope)
  of_operator("if_else", args, env)
}

read_case_when <- function(expr, env, scope) {
  args <- as.list(expr)[-1]
  named <- names(args) %||% rep("", length(args))
  if (!all(named %in% c("", ".default"))) stop_form(expr, scope)
  default <- if (any(named == ".default")) args[[which(named == ".default")[[1]]]]
  cases <- unname(args[named == ""])
  is_case <- vapply(cases, function(case) identical(name_of_function(case), "~"), NA)
  if (length(cases) == 0 || !all(is_case) || !all(lengths(cases) == 3)) stop_form(expr, scope)
  last <- cases[[length(cases)]]
  if (is.null(default) && isTRUE(last[[2]])) {
    default <- last[[3]]
    cases <- cases[-length(cases)]
  }
  parts <- unlist(lapply(cases, function(case) as.list(case)[-1]), recursive = FALSE)
  of_operands(c(parts, list(default %||% NA)), env, function(args) {
    if (length(args) == 1) args[[1]] else list(op = "case_when", args = args)
  })
}

# With a unit, cut() returns the first day of each period, as in base R, but as a date. Weeks start
# on Monday.
read_cut <- function(expr, env, scope) {
  args <- matched(expr, function(x, breaks) NULL, scope)
  breaks <- if (!is.null(args$breaks)) public_value(args$breaks, env, scope)
  if (!is.null(args$x) && is.character(breaks$value)) {
    return(of_floored_date(args$x, breaks$value, 1, "cut", env, scope))
  }
  if (is.null(args$x) || length(breaks$value) < 2) {
    stop_query(
      "unsupported", "`cut()` needs two or more public breaks.",
      "To name the cells, use `case_when()`.", scope$call
    )
  }
  if (length(breaks$value) > limit("cells")) {
    stop_query("unsupported", paste("`cut()` takes at most", limit("cells"), "breaks."),
      "Use fewer breaks.", scope$call
    )
  }
  breaks <- literals(sort(breaks$value), scope)
  of_operands(list(args$x), env, function(x) list(op = "cut", args = c(x, breaks)))
}
