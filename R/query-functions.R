# Numeric and text functions in expressions, with the arguments that R gives them.

# A constant argument. `default` if it was omitted.
constant_argument <- function(expr, env, scope, default = NULL) {
  if (is.null(expr)) {
    return(default)
  }
  value <- public_value(expr, env, scope)
  if (is.null(value)) {
    stop_query("unsupported", "This argument must be a public constant.",
      "Write a number or a string.", scope$call
    )
  }
  value$value
}

# Applies `op` to `x`, with the other arguments as literals.
of_constants <- function(op, x, constants, env, scope) {
  constants <- lapply(constants, function(value) {
    literal(if (is.numeric(value)) as.double(value) else value, scope)
  })
  of_operands(list(x), env, function(args) list(op = op, args = c(args, constants)))
}

read_na_if <- function(expr, env, scope) {
  args <- matched(expr, function(x, y) NULL, scope)
  if (is.null(args$x) || is.null(args$y)) stop_form(expr, scope)
  of_operator("na_if", args, env)
}

# tidyr's `replace_na(x, 0)` of a column.
read_replace_na <- function(expr, env, scope) {
  args <- matched(expr, function(data, replace) NULL, scope)
  if (is.null(args$data) || is.null(args$replace)) stop_form(expr, scope)
  of_operator("coalesce", args, env)
}

# `replace(x, x > 5, NA)`. If the condition is missing, R keeps the value.
read_replace <- function(expr, env, scope) {
  args <- matched(expr, function(x, list, values) NULL, scope)
  if (any(vapply(args, is.null, NA))) stop_form(expr, scope)
  of_operands(args, env, function(parts) {
    holds <- operation("coalesce", parts[[2]], literal(FALSE, scope))
    operation("if_else", holds, parts[[3]], parts[[1]])
  })
}

read_round <- function(expr, env, scope) {
  args <- matched(expr, function(x, digits) NULL, scope)
  if (is.null(args$x)) stop_form(expr, scope)
  digits <- constant_argument(args$digits, env, scope, 0)
  of_constants("round", args$x, if (!identical(as.double(digits), 0)) list(digits), env, scope)
}

read_log <- function(expr, env, scope) {
  args <- matched(expr, function(x, base) NULL, scope)
  if (is.null(args$x)) stop_form(expr, scope)
  base <- constant_argument(args$base, env, scope)
  natural <- is.null(base) || identical(base, exp(1))
  of_constants("log", args$x, if (!natural) list(base), env, scope)
}

log_reader <- function(base) {
  force(base)
  function(expr, env, scope) {
    args <- matched(expr, function(x) NULL, scope)
    if (is.null(args$x)) stop_form(expr, scope)
    of_constants("log", args$x, list(base), env, scope)
  }
}

read_trimws <- function(expr, env, scope) {
  args <- matched(expr, function(x, which) NULL, scope)
  if (is.null(args$x)) stop_form(expr, scope)
  which <- constant_argument(args$which, env, scope, "both")
  of_constants("trimws", args$x, list(which), env, scope)
}

read_substr <- function(expr, env, scope) {
  args <- matched(expr, function(x, start, stop) NULL, scope)
  if (any(vapply(args, is.null, NA))) stop_form(expr, scope)
  of_constants("substr", args$x, lapply(args[c("start", "stop")], constant_argument, env, scope),
    env, scope
  )
}

read_substring <- function(expr, env, scope) {
  args <- matched(expr, function(text, first, last) NULL, scope)
  if (is.null(args$text) || is.null(args$first)) stop_form(expr, scope)
  places <- list(
    constant_argument(args$first, env, scope), constant_argument(args$last, env, scope, 1000000)
  )
  of_constants("substr", args$text, places, env, scope)
}

# Becomes case_when() with `%in%` conditions, because missing values must match only NA.
read_case_match <- function(expr, env, scope) {
  args <- as.list(expr)[-1]
  named <- names(args) %||% rep("", length(args))
  if (!all(named %in% c("", ".x", ".default"))) stop_form(expr, scope)
  default <- args[named == ".default"]
  at <- c(which(named == ".x"), which(named == ""))[1]
  cases <- unname(args[setdiff(which(named == ""), at)])
  is_case <- vapply(cases, function(case) identical(name_of_function(case), "~"), NA)
  if (is.na(at) || length(cases) == 0 || !all(is_case) || !all(lengths(cases) == 3)) {
    stop_form(expr, scope)
  }
  matches <- lapply(cases, function(case) {
    values <- public_value(case[[2]], env, scope)
    if (is.null(values)) stop_form(expr, scope)
    literals(values$value, scope)
  })
  parts <- c(args[at], lapply(cases, `[[`, 3), if (length(default) > 0) default[1] else list(NA))
  of_operands(parts, env, function(read) {
    if (length(matches) > 1 && !is_readable_form(read[[1]])) stop_long_code(scope$call)
    conditions <- lapply(matches, function(values) list(op = "%in%", args = c(read[1], values)))
    results <- read[1 + seq_along(cases)]
    list(op = "case_when", args = c(rbind(conditions, results), read[length(read)]))
  })
}
