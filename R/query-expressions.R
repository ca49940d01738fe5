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

# Reads expressions of verbs as plain lists (row-expression.R). Constants are evaluated once, with
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

# Readers of operators -----------------------------------------------------------------------------

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

# Unsupported functions ----------------------------------------------------------------------------

text_functions <- c(
  "grepl", "grep", "regexpr", "sub", "gsub", "casefold", "strsplit", "startsWith", "endsWith",
  "nchar", "paste", "paste0", "sprintf", "chartr", "iconv"
)

# Other ways for functions that are not supported.
function_advice <- local({
  product <- "Write the product out, as `x * x`."
  cases <- "Use `case_match()`, such as `case_match(x, \"a\" ~ 1, .default = 0)`."
  list(
    `^` = product, `**` = product, recode = cases, switch = cases, fct_recode = cases,
    fct_collapse = cases, `if` = "Use `if_else()`.", findInterval = "Use `cut()`.",
    near = "Use `between()`.", is.element = "Use `%in%`.",
    rowSums = "Add the columns, as `x + y`.", rowMeans = "Write `(x + y) / 2`.",
    signif = "Use `round(x, 2)` for two decimals, and `round(x, -2)` for hundreds."
  )
})

refuse_function <- function(expr, env, scope) {
  name <- name_of_function(expr)
  if (is.null(name)) {
    stop_query("unsupported", "Anonymous functions are not supported here.",
      "`?dp_expressions` lists the supported functions.", scope$call
    )
  }
  meant <- hint_for_call(expr, row_meanings)
  hint <- if (!is.null(meant)) {
    paste0("Did you mean `", meant, "`?")
  } else if (startsWith(name, "dp_") && name %in% names(aggregate_kinds)) {
    "It is an aggregate. Write it in `summarise()`, outside of other aggregates."
  } else if (name %in% row_mixers) {
    paste0(
      "It uses other rows. For groups, use `summarise()` with aggregates such as `dp_mean()`. ",
      "For the rows of one person, use `dp_per_unit()`."
    )
  } else if (name %in% names(time_parts)) {
    advice_on_times(name)
  } else if (name %in% names(date_advice)) {
    date_advice[[name]]
  } else if (startsWith(name, "as.")) {
    "Convert before `dp_tbl()`, or declare the type of the column, such as `dp_text()`."
  } else if (name %in% c("&&", "||")) {
    paste0("Use `", substr(name, 1, 1), "`.")
  } else if (name %in% c("if_any", "if_all")) {
    "Write a condition for each column, and combine them with `|` or `&`."
  } else if (name %in% text_functions || startsWith(name, "str_")) {
    paste0(
      "Use `tolower()`, `toupper()`, `trimws()`, `substr()`, `==` or `%in%`. Otherwise change ",
      "the text before `dp_tbl()`."
    )
  } else if (name %in% names(function_advice)) {
    function_advice[[name]]
  } else if (!any(variables_in(expr) %in% scope$columns)) {
    "If it is a constant, compute it first, and write the name of the variable."
  } else {
    "Compute the column before `dp_tbl()`. `?dp_expressions` lists the supported functions."
  }
  stop_query(
    "unsupported", paste0(quoted(label_of_call(expr)), " cannot be computed on private rows."),
    hint, scope$call
  )
}
