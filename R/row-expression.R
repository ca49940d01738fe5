# Expressions over the columns of one row as plain lists, for the core (expressions/expression.h):
# list(op = "column", name = ), list(op = "literal", value = ), or list(op = , args = ). They are
# parsed from code, in verbs of queries and in formulas of models. No R function ever runs on data.

column <- function(name) list(op = "column", name = name)

operation <- function(op, ...) list(op = op, args = list(...))

# The name `f` in `f(x)` and `pkg::f(x)`. NULL for other calls.
name_of_function <- function(expr) {
  if (!is.call(expr)) {
    return(NULL)
  }
  head <- expr[[1]]
  if (is.call(head) && length(head) == 3 && as.character(head[[1]]) %in% c("::", ":::")) {
    head <- head[[3]]
  }
  if (is.symbol(head)) as.character(head)
}

# Functions of several rows, with their replacements.
row_mixers <- c(
  "mean", "sum", "min", "max", "n", "n_distinct", "var", "sd", "median", "quantile", "length",
  "row_number", "rank", "min_rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag",
  "lead", "first", "last", "nth", "cumsum", "cummax", "cummin", "cumprod", "cummean", "scale",
  "order", "sort", "rev", "unique", "duplicated", "any", "all", "table", "range", "sample"
)
