#' Expressions on private rows
#'
#' Verbs of private tables ([dp_verbs]) and aggregates ([dp_aggregates]) take expressions of
#' columns. Functions mean the same as in R, but return a missing value instead of an error. In
#' [dp_per_unit()], `sum()`, `any()` and `all()` skip missing values.
#'
#' The session reads an expression as code and does not run it in R. So a function with the same
#' name in your workspace is not called.
#' @section Functions:
#'   * Comparison and logic: `==`, `!=`, `<`, `<=`, `>`, `>=`, `%in%`, `between()`, `&`, `|`, `!`.
#'   * Arithmetic: `+`, `-`, `*`, `/`, `%/%`, `%%`, `abs()`, `pmin()`, `pmax()`, `round()`,
#'     `floor()`, `ceiling()`, `trunc()`, `as.integer()`, `as.numeric()`, `log()`, `log2()`,
#'     `log10()`, `log1p()`, `exp()`, `sqrt()`.
#'   * Cases: `if_else()`, `ifelse()`, `case_when()`, `case_match()`, and `cut()` with public
#'     breaks.
#'   * Missing values: `is.na()`, `coalesce()`, `na_if()`, `replace_na()` and `replace()` of a
#'     column. See [missing_values].
#'   * Dates and texts: see the sections below.
#' @section Constants: Constants and variables of your workspace are public. A verb reads variables
#'   when you call it. Use `.data$x` and `.env$x` to tell a column from a variable, and `!!x` to
#'   insert a value. A constant, such as the right side of `%in%`, has at most 1000000 values.
#' @section Levels: Strings in `if_else()`, `case_when()` and `coalesce()` become levels, as if you
#'   had declared them with [dp_levels()]. So groups of them need no keys.
#' @section Division: A division by zero returns a missing value, because columns hold only finite
#'   values. To give such rows a value, write `if_else(y == 0, 0, x / y)`.
#' @section Computed columns: A computed column has the values that its expression can give. Groups
#'   of `age %/% 10 * 10`, `age - age %% 10` or `round(age, -1)` are the tens.
#'   If the columns of an expression have at most 16384 combinations of values, the session tries
#'   them all, so groups and bounds are exact. Otherwise bounds and steps follow from the operators.
#'   A choice takes the bounds that its condition leaves: `if_else(x > 100, 100, x)` has no value
#'   above 100.
#' @section Impossible conditions: A condition that the declaration rules out raises an error, in
#'   every verb and aggregate. If you declare `age` from 0 to 99, these are errors: `age == 200`,
#'   `age != 200`, `age %in% c(1, 200)`, `age > 99` and `age == 2.5`. An undeclared level is an
#'   error, too, and the message suggests the closest level. `na_if(x, y)` is an error if `x` can
#'   never be `y`: declare codes with `na` instead. The error depends on your declaration, not on
#'   earlier filters. `is.na()` is always allowed.
#' @section Dates: The difference of two dates is a whole number of days. A date plus or minus whole
#'   days is a date. `difftime()` takes the units `"days"` and `"weeks"`. `floor_date()` takes
#'   `"day"`, `"week"`, `"month"`, `"bimonth"`, `"quarter"`, `"halfyear"` and `"year"`. `cut()`
#'   takes `"day"`, `"week"`, `"month"`, `"quarter"` and `"year"`, and returns dates, not a factor.
#'   Groups of such dates are public: a release has every period of the declared range. `year()`,
#'   `quarter()`, `month()`, `day()`, `mday()`, `yday()`, `wday()`, `week()`, `isoweek()` and
#'   `isoyear()` work as in lubridate. Weeks start on Monday in `cut()`. In `floor_date()` and
#'   `wday()` they start on Sunday, unless you set `week_start` or the option
#'   `lubridate.week.start`. Tables have no times of day, so `hour()` raises an error.
#' @section Rounding: `round()` rounds ties to the even neighbour. `digits` must be a constant from
#'   -15 to 15. With positive digits, the result is the decimal that is nearest to `x` as a double,
#'   as in R 4.0.0 and later.
#' @section Logarithms and powers: `log()`, `log2()`, `log10()`, `log1p()`, `exp()` and `sqrt()` are
#'   part of the package, so their values are the same on every machine. Values are rounded to a
#'   public lattice: multiples of a power of two with 51 bits for the range of the result. A
#'   logarithm needs a positive lower bound of `x`: write `log(pmax(x, 1))`. Engines run neither
#'   these functions nor `round()` of reals with digits. The session then reads the rows into R.
#'   With `execute = "push"` it raises an error instead, before the charge.
#' @section Texts: `tolower()`, `toupper()`, `trimws()`, `substr()` and `substring()` take columns
#'   declared by [dp_levels()] and return levels. So groups of them need no keys. A text that is not
#'   a declared level is already missing: `tolower()` cannot bring back `"female"` if you declared
#'   only `"Female"`. Declare all spellings. `tolower()` and `toupper()` change only the letters A
#'   to Z. `trimws()` removes spaces, tabs and line ends.
#'   `substr()` counts characters.
#' @section Limits: An expression nests at most 256 calls and has at most 65536 parts. The columns
#'   of a joined public table have at most 1000000 values together.
#' @section Errors: `dp_error_unsupported` for other functions and for expressions that exceed a
#'   limit. `dp_error_domain` for an undeclared column, and for a condition that the declaration
#'   rules out.
#' @seealso [dp_verbs], [dp_aggregates]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' visits <- dp_tbl(dp_session(dp_epsilon(1)), NULL,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(
#'     day = dp_date("2026-01-01", "2026-12-31"), cost = dp_num(0, 5000), ward = dp_levels("A", "b")
#'   )
#' )
#' visits |>
#'   mutate(
#'     month = cut(day, "month"), log_cost = log(pmax(cost, 1)), ward = toupper(ward),
#'     price = case_when(cost < 100 ~ "low", cost < 1000 ~ "middle", .default = "high")
#'   )
#' @name dp_expressions
NULL

# Reads expressions of verbs as plain lists (json-value.R). Constants are evaluated once, with
# variables of the calling environment.

# Rules for reading an expression: the names of available columns, a function for calls that are not
# operators (`otherwise(expr, env, scope)`), and the frame for errors. `dates` names the date
# columns: a text such as "2026-01-31" beside them is a date. `ids` names the columns of the unit,
# which need not be declared.
new_scope <- function(columns, call, otherwise = refuse_function, dates = character(),
                      ids = character()) {
  list(columns = columns, call = call, otherwise = otherwise, dates = dates, ids = ids)
}

# The plain list of one expression.
read_quo <- function(quo, scope) {
  read_expr(rlang::quo_get_expr(quo), rlang::quo_get_env(quo), scope)
}

read_expr <- function(expr, env, scope) {
  check_code(expr, scope$call)
  form <- from_nested(list(expr = expr, env = env), function(part) {
    open_expr(part$expr, part$env, scope)
  })
  if (length(scope$dates) > 0) with_date_literals(form, scope$dates) else form
}

# Turns an ISO 8601 text that is compared with a date into a date. The core rejects all other texts.
with_date_literals <- function(form, dates) {
  compared <- c(
    "==", "!=", "<", "<=", ">", ">=", "%in%", "between", "na_if", "coalesce", "pmin", "pmax", "-"
  )
  from_nested(form, function(form) {
    if (is.null(form$args)) {
      return(list(value = form))
    }
    list(parts = form$args, close = function(args) {
      is_date <- form$op %in% compared && any(vapply(args, gives_dates, NA, dates))
      form$args <- if (is_date) lapply(args, as_day) else args
      form
    })
  })
}

as_day <- function(arg) {
  date <- if (arg$op == "literal" && is_string(arg$value)) iso_date(arg$value)
  if (is.null(date)) arg else list(op = "literal", value = as.double(date), type = "date")
}

# Limits the size of code before a recursive function reads it.
check_code <- function(expr, call) {
  if (!is_readable_code(expr)) stop_long_code(call)
}

stop_long_code <- function(call) {
  stop_query("unsupported", paste0("An expression must have ", readable_code(), "."),
    "Compute a part of it in an earlier `mutate()`.", call
  )
}

# Opens a call for from_nested().
open_expr <- function(expr, env, scope) {
  while (rlang::is_quosure(expr) || identical(name_of_function(expr), "(")) {
    if (rlang::is_quosure(expr)) env <- rlang::quo_get_env(expr)
    expr <- if (rlang::is_quosure(expr)) rlang::quo_get_expr(expr) else expr[[2]]
  }
  if (is.symbol(expr)) {
    return(list(value = read_symbol(as.character(expr), env, scope)))
  }
  if (!is.call(expr)) {
    return(list(value = literal(expr, scope)))
  }
  name <- name_of_function(expr)
  pronoun <- read_pronoun(expr, name, env, scope)
  if (!is.null(pronoun)) {
    return(list(value = pronoun))
  }
  constant <- public_value(expr, env, scope)
  if (!is.null(constant)) {
    return(list(value = literal(constant$value, scope)))
  }
  reader <- if (!is.null(name)) readers[[name]]
  if (is.null(reader)) {
    return(list(value = scope$otherwise(expr, env, scope)))
  }
  reader(expr, env, scope)
}

# Reads the operands of a call, and combines them with `close()`.
of_operands <- function(exprs, env, close) {
  list(parts = lapply(unname(exprs), function(expr) list(expr = expr, env = env)), close = close)
}

of_operator <- function(op, exprs, env) {
  of_operands(exprs, env, function(args) list(op = op, args = args))
}

read_symbol <- function(name, env, scope) {
  if (name %in% scope$columns) {
    return(column(name))
  }
  value <- public_variable(name, env)
  if (is.null(value)) stop_undeclared(name, scope)
  literal(value$value, scope)
}
