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

# Compiles the design of a formula to a core program (table/derived_columns.h) ---------------------

# The program computes terms from each row before a statistic reads it, and from public rows for
# predictions.

# Returns list(columns, levels, terms) for the core. `rng` has bounds of the numeric columns.
row_program <- function(design, rng, imputeRng, varType) {
  last <- vapply(design$levels, length, 0L) - 1
  numbers <- column_specs(design$columns, rng, imputeRng, varType)
  factors <- list(
    name = names(design$levels), lower = 0 * last, upper = last, impute_lower = 0 * last,
    impute_upper = last, whole = rep(TRUE, length(last))
  )
  list(
    columns = Map(function(a, b) unname(c(a, b)), numbers, factors),
    levels = c(rep(list(character()), length(design$columns)), unname(design$levels)),
    terms = named_terms(design$terms)
  )
}

named_terms <- function(terms) {
  unname(Map(function(name, expression) list(name = name, expression = expression), names(terms),
    terms
  ))
}

# Replaces data columns by model columns in the arguments of a statistic whose `formula` was read:
# names, bounds, and the `program` that makes them, if any, with a program for the `predictors`.
with_model_columns <- function(args, call) {
  formula <- args$formula
  args$formula <- formula$text
  args$variable <- c(formula$response, formula$terms)
  args$intercept <- (args$intercept %||% TRUE) && formula$intercept
  if (is.null(formula$design)) {
    return(args)
  }
  args$predictors <- program_of_model(formula$design, args$rng, args$varType)
  with_program(args, formula$design, call)
}

with_program <- function(args, design, call) {
  args$design <- design
  args$program <- row_program(design, args$rng, args$imputeRng %||% args$rng, args$varType)
  args$rng <- bounds_of_terms(args$program, attr(args$rng, "terms"), call)
  if (!drops_missing(args)) args$imputeRng <- args$rng
  args$varType <- "numeric"
  args
}

# Terms of several models together, or NULL if they only use columns.
terms_of_models <- function(models) {
  terms <- do.call(c, lapply(models, function(model) model$design$terms))
  terms[!duplicated(names(terms))]
}

# Adds the terms of models as further columns to the arguments of a statistic of `columns`.
with_terms_of_models <- function(args, call) {
  terms <- terms_of_models(args$formula)
  if (is.null(terms)) {
    return(args)
  }
  levels <- do.call(c, lapply(args$formula, function(model) model$design$levels))
  own <- lapply(stats::setNames(nm = args$columns), column)
  design <- list(
    columns = args$columns, levels = levels[!duplicated(names(levels))],
    terms = c(own, terms[setdiff(names(terms), args$columns)])
  )
  args$columns <- names(design$terms)
  args <- with_program(args, design_with_weights(design, args), call)
  args$formula <- lapply(args$formula, function(model) {
    model[c("text", "response", "terms", "intercept")]
  })
  args
}

# Derives bounds of terms from bounds of columns, then narrows them to the declared ones.
bounds_of_terms <- function(program, declared, call) {
  lapply(program$terms, function(term) {
    known <- known_bounds(program, term, call)
    own <- declared[[term$name]]
    if (is.null(own) && is.null(known)) {
      stop_argument(paste0("a list with bounds of `", term$name,
        "` too, which follow from no others"), "one without", "rng", call
      )
    }
    bounds <- c(max(own[[1]], known[[1]]), min(own[[2]], known[[2]]))
    if (bounds[[1]] >= bounds[[2]]) {
      came <- paste("bounds of the columns that put it between", known[[1]], "and", known[[2]])
      stop_argument(paste0("such that `", term$name, "` can have different values"), came, "rng",
        call
      )
    }
    bounds
  })
}

# Bounds of a term, or NULL if an end is unknown.
known_bounds <- function(program, term, call) {
  program$terms <- list(term)
  bounds <- tryCatch(core_program_bounds(program), dp_error = function(error) {
    why <- sub("[.]$", "", sub("^\\[\\w+\\] : ", "", conditionMessage(error)))
    raise(paste0("`formula` must not have the term `", term$name, "`: ", why, "."),
      "invalid_argument", error_variants[["invalid_argument"]],
      argument = "formula", call = call
    )
  })
  if (!is.nan(bounds$lower)) c(bounds$lower, bounds$upper)
}

# Runs the program before `measurement`, so it starts from the columns of the data.
after_program <- function(args, measurement) {
  if (is.null(args$program)) {
    return(measurement)
  }
  with_features("contrib", {
    chain(build("derive_columns", args$program, drops_missing(args)), measurement)
  })
}

# Columns to read, as numbers or texts. Without a program, these are the columns of the `model`.
source_columns <- function(args, model) {
  if (is.null(args$program)) {
    return(model)
  }
  texts <- has_texts(args$program)
  list(numbers = args$program$columns$name[!texts], texts = args$program$columns$name[texts])
}

has_texts <- function(program) {
  vapply(program$levels, function(levels) is.character(levels) && length(levels) > 0, NA)
}

# Program that a model keeps for new rows: the terms of its predictors and of an offset, but no
# weights. NULL if all predictors are columns.
program_of_model <- function(design, rng, varType) {
  if (is.null(design)) {
    return(NULL)
  }
  terms <- design$terms[-1]
  terms[[offset_name]] <- design$offset
  terms[[weights_name]] <- NULL
  used <- unlist(lapply(terms, columns_in))
  kept <- design$columns %in% used
  row_program(
    list(
      columns = design$columns[kept], levels = design$levels[names(design$levels) %in% used],
      terms = terms
    ),
    rng[kept], rng[kept], varType
  )
}

# Names of the columns in a row expression.
columns_in <- function(expression) {
  from_nested(expression, function(part) {
    if (is.null(part$args)) list(value = part$name) else list(parts = part$args, close = unlist)
  })
}

# Matrix of the terms of `program` for public rows. Nothing is clamped or imputed.
terms_of_rows <- function(program, newdata, call) {
  names <- program$columns$name
  check_columns_of_rows(newdata, names, call)
  texts <- has_texts(program)
  fits <- mapply(function(column, text) {
    if (text) is_text_column(column) else is_plain_column(column)
  }, newdata[names], texts)
  if (!all(fits)) {
    stop_argument("a data frame of numbers, and of texts or factors where there are `levels`",
      paste("one with other columns:", in_quotes(names[!fits])), "newdata", call
    )
  }
  rows <- Map(function(column, text) {
    structure(list(column), class = if (text) "dp_texts" else "dp_numbers")
  }, unclass(newdata)[names], texts)
  rows <- structure(rows, class = "data.frame", row.names = .set_row_names(nrow(newdata)))
  terms <- as.matrix(as.data.frame(core_program_terms(program, rows)))
  terms[is.nan(terms)] <- NA
  dimnames(terms) <- list(NULL, vapply(program$terms, `[[`, "", "name"))
  terms
}

check_columns_of_rows <- function(newdata, names, call) {
  if (!is.data.frame(newdata)) stop_argument("a data frame", describe(newdata), "newdata", call)
  lacking <- setdiff(names, names(newdata))
  if (length(lacking) > 0) {
    stop_argument(paste("a data frame with", in_quotes(names)),
      paste("without", in_quotes(lacking)), "newdata", call
    )
  }
}
