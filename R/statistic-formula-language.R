# Language of formula terms. Each term is a function of one row and of constants written in the
# formula. Terms are parsed, but never evaluated as R code.

# Scope for reading terms: the `levels` of factors, by column, and the frame that errors name.
new_term_scope <- function(levels, call) list(levels = levels, call = call)

# Number of operands of each operator.
term_operators <- list(
  "+" = 1:2, "-" = 1:2, "*" = 2L, "/" = 2L, "^" = 2L, log = 1L, exp = 1L, sqrt = 1L, abs = 1L,
  pmin = 2:8, pmax = 2:8, "==" = 2L, "!=" = 2L, "<" = 2L, "<=" = 2L, ">" = 2L, ">=" = 2L,
  "&" = 2L, "|" = 2L, "!" = 1L
)
term_conditions <- c("==", "!=", "<", "<=", ">", ">=", "&", "|", "!")
term_marks <- c("(", "I")

# Name of the sum of offsets among the terms of a model.
offset_name <- "(offset)"

# Reads a term as a row expression.
read_term <- function(expr, scope) from_nested(expr, function(expr) open_term(expr, scope))

open_term <- function(expr, scope) {
  expr <- bare_term(expr)
  if (is.symbol(expr)) {
    return(list(value = column(as.character(expr))))
  }
  if (!is.call(expr)) {
    return(list(value = read_term_constant(expr, scope)))
  }
  name <- name_of_function(expr)
  args <- as.list(expr)[-1]
  counts <- if (!is.null(name)) term_operators[[name]]
  if (is.null(counts)) refuse_function_of_term(expr, scope$call)
  if (!length(args) %in% counts || !is.null(names(args))) {
    takes <- if (max(counts) == 1) "one operand, without a name" else
      paste(if (length(counts) == 1) counts else paste("from", min(counts), "to", max(counts)),
        "operands, without names")
    refuse_term(expr, paste0("`", name, "` takes ", takes), scope$call)
  }
  is_sign <- name == "+" && length(args) == 1
  list(
    parts = unname(args),
    close = function(args) if (is_sign) args[[1]] else list(op = name, args = args)
  )
}

read_term_constant <- function(value, scope) {
  fits <- (is_number(value) && is.finite(value)) || is_flag(value) || is_string(value)
  if (!fits) refuse_term(value, "a constant must be a finite number", scope$call)
  list(op = "literal", value = if (is.numeric(value)) as.double(value) else value)
}

# Removes parentheses and I().
bare_term <- function(expr) {
  while (isTRUE(name_of_function(expr) %in% term_marks) && length(expr) == 2) expr <- expr[[2]]
  expr
}

is_condition <- function(expr) isTRUE(name_of_function(bare_term(expr)) %in% term_conditions)

# Refused terms ------------------------------------------------------------------------------------

other_rows <- "it looks at other rows, which no formula may"

other_knots <-
  "its knots look at other rows, which no formula may: write hinges out, as `pmax(x - 40, 0)`"
data_penalty <- "a smooth term needs a penalty that is chosen from the data"
random_effects <- "random effects need groups of rows, which are private"
declared_factor <- "its levels must be declared, as `levels = list(x = c(\"a\", \"b\"))`"

# Reasons for refusals, by the name of the function.
refused_functions <- c(
  poly = paste0(other_rows, ": write the powers out, as `I(x^2)`"),
  scale = paste0(other_rows, ": coefficients do not depend on it"),
  ns = other_knots, bs = other_knots, s = data_penalty, te = data_penalty,
  "|" = random_effects, "||" = random_effects,
  cbind = "a model has one response",
  cut = "write the cells out, as `x > 10`, or declare `levels`",
  ifelse = "write a comparison, as `x > 10`",
  log2 = "write `log(x)`: it differs only by a factor",
  log10 = "write `log(x)`: it differs only by a factor",
  log1p = "write `log(x + 1)`",
  offset = "an offset is a separate term, as in `y ~ x + offset(z)`",
  factor = declared_factor, as.factor = declared_factor
)

refuse_function_of_term <- function(expr, call) {
  name <- name_of_function(expr)
  why <- if (is.null(name)) {
    "a function needs a name"
  } else if (name %in% names(refused_functions)) {
    refused_functions[[name]]
  } else if (name %in% row_mixers) {
    other_rows
  } else {
    known <- c(setdiff(names(term_operators), c("&", "|", "!")), "I", ":", "offset")
    paste("there are", toString(paste0("`", known, "`")))
  }
  refuse_term(expr, why, call)
}

refuse_term <- function(term, why, call) {
  raise(paste0("`formula` must not have the term `", deparse1(term), "`: ", why, "."),
    "invalid_argument", error_variants[["invalid_argument"]],
    argument = "formula", call = call
  )
}
