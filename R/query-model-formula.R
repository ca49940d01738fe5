# Reads the formula of a model on a private table. Nothing is evaluated: terms are columns by name
# and their interactions, and the declarations say which of them are factors.
#
# statistic-model-facts.R describes the columns of a model.

# Returns list(text, response, terms, intercept): model columns in the order of model.matrix().
model_of_table <- function(formula, x, call) {
  formula <- two_sided_formula(formula, call)
  parsed <- parsed_formula(formula, call)
  if (length(attr(parsed, "offset")) > 0) {
    refuse_formula("an offset: subtract it from the response with `mutate()`", call)
  }
  variables <- lapply(as.list(attr(parsed, "variables"))[-1], table_variable, x = x, call = call)
  codes <- attr(parsed, "factors")
  if (length(codes) == 0) {
    stop_argument("of at least one column, such as y ~ a", "of a constant", "formula", call)
  }
  response <- variables[[attr(parsed, "response")]]
  if (response$kind == "factor") {
    refuse_formula(paste0("`", response$name, "`, which has levels, as its response: compare it ",
      "with `mutate(y = x == \"a\")`"
    ), call)
  }
  intercept <- attr(parsed, "intercept") == 1
  check_coding(codes, variables, intercept, response$name, call)
  terms <- lapply(seq_len(ncol(codes)), function(term) {
    Reduce(crossed_columns, lapply(variables[codes[, term] > 0], columns_of_table_variable))
  })
  list(
    text = deparse1(formula), response = columns_of_table_variable(response)[[1]],
    terms = unlist(terms, recursive = FALSE), intercept = intercept
  )
}

# Returns list(name, kind, levels). The kind is "number", "flag" or "factor".
table_variable <- function(expr, x, call) {
  if (!is.symbol(expr)) {
    refuse_formula(paste0("`", deparse1(expr), "`. Compute it as a column before, with `mutate()`"),
      call
    )
  }
  name <- as.character(expr)
  if (!name %in% names(x)) stop_undeclared(name, new_scope(names(x), call))
  if (name %in% tbl_data(x)$groups) {
    refuse_formula(paste0("`", name, "`, which is constant within its group"), call)
  }
  field <- fields_of(x)[[name]]
  kind <- switch(field$type, integer = , real = "number", logical = "flag", levels = "factor")
  if (is.null(kind)) {
    words <- if (field$type == "date") "dates: use a number, such as `year(x)`" else "texts"
    refuse_formula(paste0("`", name, "`, which has ", words), call)
  }
  if (kind == "number" && is.null(field$lower)) {
    stop_query("domain", paste0("`", name, "` has no bounds."), bounds_of_models, call)
  }
  levels <- switch(kind, flag = c("FALSE", "TRUE"), factor = field$levels)
  if (kind == "factor" && length(levels) < 2) {
    stop_query("domain", paste0("`", name, "` has only one possible level."),
      "Leave it out of the formula.", call
    )
  }
  list(name = name, kind = kind, levels = levels)
}

bounds_of_models <- paste(
  "Declare `dp_num(lower, upper)`, or clamp it with `mutate()` and `pmin()`. Choose bounds without",
  "looking at the data."
)

# Moments use treatment coding. Other codings need each lower term in the formula.
check_coding <- function(codes, variables, intercept, response, call) {
  names <- vapply(variables, `[[`, "", "name")
  has_levels <- vapply(variables, `[[`, "", "kind") != "number" & names != response
  if (!intercept && any(codes[has_levels, ] > 0)) {
    refuse_formula("a factor without an intercept. Leave out `- 1` or `+ 0`", call)
  }
  full <- which(colSums(codes[has_levels, , drop = FALSE] == 2) > 0)
  if (length(full) > 0) {
    term <- colnames(codes)[[full[[1]]]]
    refuse_formula(
      paste0("`", term, "` without the terms within it. Write `a * b` instead of `a:b`"), call
    )
  }
}

columns_of_table_variable <- function(variable) {
  name <- variable$name
  if (variable$kind == "number") {
    return(list(model_column(name, name)))
  }
  lapply(variable$levels[-1], function(level) {
    model_column(paste0(name, level), cells = stats::setNames(level, name))
  })
}

# Interactions. The columns of the first variable vary fastest.
crossed_columns <- function(a, b) {
  unlist(lapply(b, function(right) {
    lapply(a, function(left) {
      model_column(paste0(left$name, ":", right$name), c(left$numbers, right$numbers),
        c(left$cells, right$cells)
      )
    })
  }), recursive = FALSE)
}
