# Columns of the terms of a formula, and declared levels.

# Returns list(kind, label, expression). The kind is "number", "flag", "factor" (with `levels`) or
# "offset".
read_variable <- function(expr, scope) {
  if (is.numeric(expr)) refuse_term(expr, "a number is written within `I()`", scope$call)
  name <- name_of_function(expr)
  if (isTRUE(name %in% c("|", "||"))) refuse_function_of_term(expr, scope$call)
  if (isTRUE(name == "offset") && length(expr) == 2) {
    return(list(kind = "offset", expression = read_term(expr[[2]], scope)))
  }
  variable <- list(kind = "number", label = deparse1(expr))
  named <- if (isTRUE(name %in% c("factor", "as.factor")) && length(expr) == 2) expr[[2]] else expr
  if (is.symbol(named) && as.character(named) %in% names(scope$levels)) {
    variable$kind <- "factor"
    variable$levels <- scope$levels[[as.character(named)]]
    expr <- named
  } else if (is_condition(expr)) {
    variable$kind <- "flag"
  }
  variable$expression <- read_term(expr, scope)
  variable
}

check_response <- function(expr, variable, call) {
  fits <- is.symbol(expr) || is_condition(expr) || isTRUE(name_of_function(expr) == "log")
  if (!fits) {
    refuse_term(expr, "a response is a column, its `log()`, or a comparison", call)
  }
  if (variable$kind == "factor") {
    refuse_term(expr, "a response is a number: compare it, as `x == \"a\"`", call)
  }
  variable
}

# Row expressions by their names in model.matrix(). Interactions are products. The columns of the
# first variable vary fastest.
columns_of_terms <- function(parsed, variables, contrasts, intercept, call) {
  codes <- coded_terms(attr(parsed, "factors"), variables, intercept, attr(parsed, "response"))
  check_number_of_columns(codes, variables, call)
  columns <- lapply(seq_along(attr(parsed, "term.labels")), function(term) {
    used <- which(codes[, term] > 0)
    parts <- Map(columns_of_variable, variables[used], codes[used, term], contrasts)
    Reduce(product_of_columns, parts)
  })
  unlist(columns, recursive = FALSE)
}

# Coding of each variable in each term: 0 absent, 1 contrasts, 2 a column for each level. Without a
# constant the first factor has all its levels.
coded_terms <- function(codes, variables, intercept, response) {
  if (intercept || length(codes) == 0) {
    return(codes)
  }
  is_factor <- vapply(variables, `[[`, "", "kind") %in% c("factor", "flag")
  is_factor[[response]] <- FALSE
  first <- which(codes > 0 & is_factor)
  if (length(first) > 0) codes[[first[[1]]]] <- 2L
  codes
}

columns_of_variable <- function(variable, code, contrasts) {
  if (variable$kind == "number") {
    return(stats::setNames(list(variable$expression), variable$label))
  }
  if (variable$kind == "flag") {
    both <- list(operation("!", variable$expression), variable$expression)
    names(both) <- paste0(variable$label, c("FALSE", "TRUE"))
    return(if (code == 2) both else both[2])
  }
  is_level <- lapply(variable$levels, function(level) {
    operation("==", variable$expression, list(op = "literal", value = level))
  })
  last <- length(is_level)
  if (code == 1 && contrasts == "sum") {
    less <- lapply(is_level[-last], function(one) operation("-", one, is_level[[last]]))
    return(stats::setNames(less, paste0(variable$label, seq_len(last - 1))))
  }
  names(is_level) <- paste0(variable$label, level_texts(variable$levels))
  if (code == 1) is_level[-1] else is_level
}

level_texts <- function(levels) {
  if (is.character(levels)) levels else format(levels, scientific = FALSE, trim = TRUE)
}

product_of_columns <- function(a, b) {
  products <- lapply(b, function(right) lapply(a, function(left) operation("*", left, right)))
  names <- outer(names(a), names(b), paste, sep = ":")
  stats::setNames(unlist(unname(products), recursive = FALSE), as.vector(names))
}

# Checks texts or whole numbers for columns, by name.
check_levels <- function(levels, call) {
  words <- "a list of the values of columns, by their names, as `list(region = c(\"N\", \"S\"))`"
  names <- names(levels)
  named <- is.list(levels) && !is.object(levels) && length(levels) > 0 && !is.null(names) &&
    !anyDuplicated(names) && !anyNA(names) && all(nzchar(names))
  if (!named) stop_argument(words, describe(levels), "levels", call)
  lapply(levels, function(values) {
    texts <- are_texts(values)
    if (!(texts || are_wholes(values)) || anyDuplicated(values) || length(values) < 2) {
      stop_argument("two or more different texts or whole numbers for each column",
        describe(values), "levels", call
      )
    }
    if (texts) enc2utf8(as.vector(values)) else as.double(values)
  })
}

are_texts <- function(x) is.character(x) && !is.object(x) && !anyNA(x) && all(validUTF8(x))

# Tells whether the core can hold the numbers exactly.
are_wholes <- function(x) {
  is_numbers(x) && all(is.finite(x)) && all(x == trunc(x) & abs(x) < 2^51)
}

# Refuses levels and contrasts that no formula in `models` uses.
check_levels_used <- function(models, levels, contrasts, call) {
  used <- unlist(lapply(models, function(model) names(model$design$levels)))
  unknown <- setdiff(names(levels), used)
  if (length(unknown) > 0) {
    columns <- unique(unlist(lapply(models, function(model) all.vars(str2lang(model$text)))))
    what <- if (length(models) == 0) "NULL where there is no `formula`" else
      paste("named after columns of the formula,", in_quotes(columns))
    stop_argument(what, paste("named", in_quotes(unknown)), "levels", call)
  }
  if (is.null(levels) && !is.null(contrasts)) {
    stop_argument("NULL where there are no `levels`", in_quotes(contrasts), "contrasts", call)
  }
}
