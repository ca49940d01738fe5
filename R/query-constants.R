# Public constants in expressions.

# A vector in the calling environment. Functions are skipped. NULL if there is no such vector.
public_variable <- function(name, env) {
  found <- get0(name, env, mode = "any", inherits = TRUE)
  if (is.function(found)) {
    found <- NULL
    for (mode in c("numeric", "character", "logical")) {
      found <- found %||% get0(name, env, mode = mode, inherits = TRUE)
    }
  }
  if (is.atomic(found) && !is.null(found)) list(value = found)
}

stop_undeclared <- function(name, scope) {
  declared <- paste0("Declared: ", toString(scope$columns), ".")
  stop_query(
    "domain", paste0(quoted(name), " is not declared, so it cannot be used."),
    if (name %in% scope$ids) {
      "It identifies people: `dp_n_ids()` counts them. To use its values, declare it as well."
    } else {
      hint_for_column(name, scope$columns, declared)
    },
    scope$call
  )
}

# `.data$x` and `.env$x`, or the same with `[[`. NULL for other calls.
read_pronoun <- function(expr, name, env, scope) {
  if (!isTRUE(name %in% c("$", "[[")) || !is.symbol(expr[[2]])) {
    return(NULL)
  }
  pronoun <- as.character(expr[[2]])
  if (!pronoun %in% c(".data", ".env")) {
    return(NULL)
  }
  field <- expr[[3]]
  if (name == "[[" && !is.character(field)) field <- eval(field, env)
  field <- as.character(field)
  if (pronoun == ".env") {
    value <- public_variable(field, env)
    if (is.null(value)) stop_undeclared(field, scope)
    return(literal(value$value, scope))
  }
  if (!field %in% scope$columns) stop_undeclared(field, scope)
  column(field)
}

# Base functions that constants can use, even if the caller has functions of the same names.
constant_functions <- c("c", ":", "-", "+", "*", "/", "seq", "rev", "as.Date", "(", "as.integer")

# list(value = ) of a constant expression without columns. NULL otherwise.
public_value <- function(expr, env, scope) {
  if (any(all.vars(expr) %in% scope$columns)) {
    return(NULL)
  }
  from_nested(list(expr = expr, env = env), function(part) {
    open_public(part$expr, part$env, scope$call)
  })
}

open_public <- function(expr, env, call) {
  while (rlang::is_quosure(expr)) {
    env <- rlang::quo_get_env(expr)
    expr <- rlang::quo_get_expr(expr)
  }
  if (is.symbol(expr)) {
    return(list(value = public_variable(as.character(expr), env)))
  }
  if (!is.call(expr)) {
    return(list(value = if (is.atomic(expr) && !is.null(expr)) list(value = expr)))
  }
  name <- name_of_function(expr)
  if (!isTRUE(name %in% constant_functions)) {
    return(list(value = NULL))
  }
  of_operands(as.list(expr)[-1], env, function(args) {
    names(args) <- names(expr)[-1]
    constant_of(name, args, call)
  })
}

constant_of <- function(name, args, call) {
  if (any(vapply(args, is.null, NA))) {
    return(NULL)
  }
  values <- lapply(args, `[[`, "value")
  check_constant_size(max(sum(lengths(values)), or_else(length_of_sequence(name, values), 0)), call)
  value <- or_else(do.call(get(name, baseenv()), values, quote = TRUE))
  if (is.atomic(value) && !is.null(value)) list(value = value)
}

# The length of `from:to` or `seq()`, computed from the arguments. 0 for other calls.
length_of_sequence <- function(name, values) {
  if (!name %in% c(":", "seq")) {
    return(0)
  }
  sequence <- function(from = 1, to = 1, by = 1, length.out = NULL, along.with = NULL) { # nolint
    if (is.null(length.out)) abs(as.double(to) - as.double(from)) / abs(as.double(by)) else
      as.double(length.out)
  }
  do.call(sequence, values)
}

# Checks the size first: a range such as 1:1e9 uses no memory before its values are read.
check_constant_size <- function(size, call) {
  if (isTRUE(size > limit("cells"))) {
    stop_query("unsupported", paste("A constant must have at most", limit("cells"), "values."),
      "Write a range with `between()`, or name fewer values.", call
    )
  }
}

# Exactly one literal.
literal <- function(value, scope) {
  values <- literals(value, scope)
  if (length(values) != 1) {
    stop_query(
      "unsupported",
      paste0("A constant must be one value here, not ", describe(value), "."),
      "Use `%in%` to compare with several values.", scope$call
    )
  }
  values[[1]]
}

# One literal per element.
literals <- function(value, scope) {
  check_constant_size(length(value), scope$call)
  type <- if (inherits(value, "Date")) "date"
  value <- plain_constant(value)
  if (is.null(value) || length(value) == 0) {
    stop_query(
      "unsupported", "A constant must be a logical, a number, a string or a date.",
      call = scope$call
    )
  }
  if (is.double(value) && any(is.nan(value))) {
    stop_query("unsupported", "A constant must not be NaN.", "Use NA for a missing value.",
      scope$call
    )
  }
  lapply(value, function(x) c(list(op = "literal", value = x), list(type = type)[!is.null(type)]))
}

# Drops attributes. NULL if the value is not a valid constant.
plain_constant <- function(value) {
  if (inherits(value, "Date")) {
    return(floor(as.double(unclass(value))))
  }
  if (is.factor(value)) {
    return(as.character(value))
  }
  if (inherits(value, "integer64")) {
    numbers <- core_doubles_of_integer64(value)
    return(if (all(is.na(numbers) | abs(numbers) <= 2^53)) numbers)
  }
  if (inherits(value, "POSIXt") || inherits(value, "difftime")) {
    return(NULL)
  }
  if (is.logical(value) || is.numeric(value)) {
    as.vector(unclass(value))
  } else if (is.character(value)) {
    enc2utf8(as.vector(value))
  }
}
