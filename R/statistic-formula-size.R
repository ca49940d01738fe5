# The size of a formula, counted before its terms are written out: `(a + b + c)^2` has six.

# Limits for terms and for their columns. The core reads no formulas, so R has these limits.
most_terms <- 1024

check_formula_size <- function(formula, call, arg = "formula", dot = 1) {
  if (!is_readable_code(formula)) {
    stop_argument(paste("a formula with", readable_code()),
      "one that is longer: compute a part of it in a column of the data", arg, call
    )
  }
  if (size_of_formula(formula, dot)[["terms"]] > most_terms) {
    stop_argument(paste("a formula of at most", most_terms, "terms, written out"),
      "one of more: name the terms that the model needs", arg, call
    )
  }
}

# Upper bound on the number of terms that [stats::terms()] makes of `expr`, Inf beyond the limit,
# and the number of variables in it, counting repeats. `dot`: the number of columns that `.` means.
size_of_formula <- function(expr, dot) {
  name <- name_of_function(expr)
  if (!isTRUE(name %in% formula_operators)) {
    leaves <- if (identical(expr, quote(.))) dot else 1
    return(c(terms = leaves, leaves = leaves))
  }
  args <- as.list(expr)[-1]
  if (name == "^" && length(args) == 2) {
    base <- size_of_formula(args[[1]], dot)
    return(bounded_size(terms_of_power(base[["terms"]], args[[2]]), base[["leaves"]]))
  }
  sizes <- vapply(args, size_of_formula, numeric(2), dot)
  terms <- sizes["terms", ]
  if (any(terms == Inf)) {
    return(c(terms = Inf, leaves = Inf))
  }
  written <- switch(name,
    ":" = prod(terms),
    "*" = prod(1 + terms) - 1,
    "-" = , "%in%" = terms[[1]],
    sum(terms)
  )
  bounded_size(written, sum(sizes["leaves", ]))
}

formula_operators <- c("~", "+", "-", "*", "/", ":", "%in%", "^", "(")

# Bounds the size: each term is a set of variables, so n variables have fewer than 2^n terms.
bounded_size <- function(terms, leaves) {
  if (terms < Inf) terms <- min(terms, 2^leaves)
  c(terms = if (terms > most_terms) Inf else terms, leaves = leaves)
}

# Number of products of up to `exponent` different `terms`. R multiplies step by step, so a large
# exponent takes long even if it changes nothing.
terms_of_power <- function(terms, exponent) {
  if (!is_number(exponent) || !isTRUE(exponent >= 1)) {
    return(terms)
  }
  if (terms == Inf || exponent > most_terms) {
    return(Inf)
  }
  sum(choose(terms, seq_len(min(exponent, terms))))
}

# Checks before columns are made: an interaction of factors has the product of their columns.
check_number_of_columns <- function(codes, variables, call) {
  if (length(codes) == 0) {
    return(invisible())
  }
  widths <- vapply(variables, function(variable) {
    switch(variable$kind, factor = length(variable$levels), flag = 2, 1)
  }, 0)
  # With contrasts, code 1, a factor has one column less.
  fewer <- vapply(variables, function(variable) variable$kind %in% c("factor", "flag"), NA)
  columns_of_term <- function(code) prod(ifelse(code == 0, 1, widths - (fewer & code == 1)))
  columns <- apply(codes, 2, columns_of_term)
  if (sum(columns) > most_terms) {
    stop_argument(paste("a formula of at most", most_terms, "columns"),
      "one of more: declare fewer `levels`, or leave out interactions", "formula", call
    )
  }
}
