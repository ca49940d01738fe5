# Arguments of aggregates beside their column. Public ones are the caller's own values, never
# columns: among them `share`, the share of the privacy loss, which was called `weight`. Weights of
# rows are columns, never values.

# The values of the arguments in `args`, by name; NULL for those that were left out.
public_arguments <- function(fun, args, env, scope) {
  if (!is.null(args$weight)) {
    weight <- former_weight(fun, args$weight, env, scope)
    args$share <- share_from_weight(weight, is.null(args$share), as.call(list(as.name(fun))))
  }
  args <- args[names(args) != "weight"]
  Map(function(name, expr) public_argument(fun, name, expr, env, scope), names(args), args)
}

# A name that is a column never means a variable of the same name.
public_argument <- function(fun, name, expr, env, scope) {
  columns <- intersect(variables_in(expr), scope$columns)
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

# Names of variables in code, but for those behind `.env$`.
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

# The value of `weight`, if it was given as a number.
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

# What was meant instead, as far as names of columns and functions say it.
weights_hint <- function(fun, expr, scope) {
  if (!"weights" %in% names(formals(get(fun, topenv())))) {
    return("Counts, sums, means and quantiles take weights of rows: `weights = `.")
  }
  is_column <- is.symbol(expr) && as.character(expr) %in% scope$columns
  weights <- if (is_column) as.character(expr) else "w"
  paste0("For weights of rows, as of a survey, write `weights = ", weights, "`.")
}

# The weights of rows as an expression of columns; NULL if there are none.
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
