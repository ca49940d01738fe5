# Other arguments of aggregates. Public arguments are values and never columns. One of them is
# `share`, the share of the privacy loss, formerly `weight`. Row weights are columns and never
# values.

# Evaluates the arguments. Omitted arguments are NULL.
public_arguments <- function(fun, args, env, scope) {
  if (!is.null(args$weight)) {
    weight <- former_weight(fun, args$weight, env, scope)
    args$share <- share_from_weight(weight, is.null(args$share), as.call(list(as.name(fun))))
  }
  args <- args[names(args) != "weight"]
  Map(function(name, expr) public_argument(fun, name, expr, env, scope), names(args), args)
}

# A column name never means a variable of the same name.
public_argument <- function(fun, name, expr, env, scope) {
  columns <- intersect(variables_in(expr), scope$columns)
  if (length(columns) > 0 && fun == "dp_count" && name == "share") {
    stop_query("unsupported", "`dp_count()` counts all rows, and takes no column.",
      paste("Count rows where a condition holds with `dp_sum(x > 1)`, rows with a value with",
        "`dp_sum(!is.na(x))`, and weights with `dp_count(weights = w)`."
      ),
      as.call(list(as.name(fun)))
    )
  }
  if (length(columns) > 0) {
    stop_public_column(fun, name, columns[[1]])
  }
  if (is.null(expr)) NULL else rlang::eval_tidy(expr, list(), env)
}

stop_public_column <- function(fun, name, column) {
  refuse_argument(
    paste0(
      "`", name, "` must be a public value, not the column `", column, "`.",
      "\ni Write `.env$", column, "` for a variable that has the name of the column."
    ),
    name, as.call(list(as.name(fun)))
  )
}

# Variables in code, except after `.env$`.
variables_in <- function(expr) {
  if (is.symbol(expr)) {
    return(setdiff(as.character(expr), ""))
  }
  if (rlang::is_quosure(expr)) {
    return(variables_in(rlang::quo_get_expr(expr)))
  }
  if (!is.call(expr) || is_env_pronoun(expr)) {
    return(character())
  }
  unique(unlist(lapply(as.list(expr)[-1], variables_in)))
}

is_env_pronoun <- function(expr) {
  isTRUE(name_of_function(expr) %in% c("$", "[[")) && identical(expr[[2]], quote(.env))
}

# The value of the former argument `weight`, if it is a number.
former_weight <- function(fun, expr, env, scope) {
  value <- if (length(intersect(variables_in(expr), scope$columns)) == 0) {
    or_else(rlang::eval_tidy(expr, list(), env))
  }
  if (is_number(value)) {
    return(value)
  }
  refuse_argument(
    paste0(
      "`weight` is the former name of `share`, the share of the privacy loss. Give a number.",
      "\ni ", weights_hint(fun, expr, scope)
    ),
    "weight", as.call(list(as.name(fun)))
  )
}

# Suggests row weights, using column and function names only.
weights_hint <- function(fun, expr, scope) {
  if (!"weights" %in% names(formals(get(fun, topenv())))) {
    return("Only counts, sums, means, quantiles and moments take row weights, as `weights = `.")
  }
  is_column <- is.symbol(expr) && as.character(expr) %in% scope$columns
  weights <- if (is_column) as.character(expr) else "w"
  paste0("For row weights, such as survey weights, write `weights = ", weights, "`.")
}

# Row weights as an expression of columns. NULL if omitted.
read_weights <- function(expr, env, scope) {
  if (is.null(expr)) {
    return(NULL)
  }
  weights <- read_expr(expr, env, scope)
  if (!has_column(weights)) {
    stop_query("invalid_argument", "`weights` must be a column with a weight for each row.",
      "For the share of the privacy loss, write `share = `.", scope$call,
      argument = "weights"
    )
  }
  weights
}

has_column <- function(form) {
  from_nested(form, function(form) {
    if (is.null(form$args)) {
      return(list(value = identical(form$op, "column")))
    }
    list(parts = form$args, close = function(found) any(unlist(found)))
  })
}

share_from_weight <- function(weight, is_alone, call) {
  if (!is_alone) {
    refuse_argument("`weight` is the former name of `share`. Give only `share`.", "weight", call)
  }
  warn_as_is("`weight` is now called `share`. Use `share = `.", "deprecated", call)
  weight
}
