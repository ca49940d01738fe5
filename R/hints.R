# Replacements for names that do not exist here. Each hint depends on the name's meaning in R, in
# dplyr or in another library for private data, never only on its spelling. test-hints.R runs the
# code of each hint, and compares its result with that meaning.

# Arguments of statistics, sessions and queries, under the names that others give them. The hint is
# the first name on the right that the function has.
argument_meanings <- list(
  bins = c("levels", "breaks"), bounds = c("rng", "bounds"), breaks = c("bins", "breaks"),
  by = c("group", "groups", "by"),
  clamp = c("rng", "bounds"), column = c("variable", "columns", "variables"),
  cols = c("columns", "variables", "variable"), columns = c("columns", "variables", "variable"),
  eps = c("epsilon", "globalEps"), family = "objective", f = "innerFun", fun = "innerFun",
  FUN = "innerFun", groups = c("group", "by"), levels = "bins", limits = c("rng", "bounds"),
  lower = c("rng", "bounds"), max = c("upper", "max_rows", "max_groups"), min = "lower",
  nrow = "n",
  percentiles = c("probs", "prob", "percentiles"), probs = c("prob", "probs", "percentiles"),
  quantile = c("prob", "probs", "percentiles"), quantiles = c("probs", "prob", "percentiles"),
  range = c("rng", "bounds"),
  ranges = c("rng", "bounds"), sigma = "scale", size = "n",
  upper = c("rng", "bounds"), variable = c("variable", "variables", "columns"),
  variables = c("variables", "columns", "variable"), vars = c("variables", "columns", "variable"),
  x = c("variable", "variables", "columns")
)

# Hints for names whose value has a different form here.
argument_forms <- list(
  family = "For binomial data write `objective = \"logit\"`, for counts `objective = \"poisson\"`.",
  lower = "Write `%s = c(lower, upper)`.", upper = "Write `%s = c(lower, upper)`.",
  conf.level = "Write `alpha`, which is 1 minus the level.",
  data = "Give the data to `$release(data)`."
)

# Alternatives to arguments that statistics do not have.
argument_ways <- list(
  by = "For groups, use a query: `group_by()` and `summarise(dp_mean(x))`, see `dp_tbl()`.",
  na = paste("Replace the codes by NA before the release, or use a query and declare the codes",
    "with `dp_num(na = )`."
  ),
  weights = "Use a query, such as `summarise(dp_mean(x, weights = w))`: see `dp_tbl()`.",
  missing = "Its help page has the rule for missing values.",
  na.rm = "Leave it out: missing values do not count."
)

# "Write `rng`.", or NULL for a name without a known meaning.
hint_for_argument <- function(arg, known) {
  if (arg == "weights" && "share" %in% known) {
    return("It has no row weights. Counts, sums, means, quantiles and moments have them.")
  }
  meant <- intersect(c(argument_meanings[[arg]], c(conf.level = "alpha", data = "n")[arg]), known)
  if (length(meant) == 0) {
    return(if (is_for_statistics(known)) argument_ways[[arg]])
  }
  form <- argument_forms[[arg]] %||% "Write `%s`."
  gsub("%s", meant[[1]], form, fixed = TRUE)
}

# All statistics with columns have these arguments.
is_for_statistics <- function(known) all(c("n", "alpha", "n_check") %in% known)

# Functions on private rows. `{1}` and `{2}` are the arguments of the call, and `{all}` is
# all of them.
row_meanings <- c(
  max = "pmax({all})", min = "pmin({all})", sum = "{1} + {2}", xor = "{1} != {2}",
  is_missing = "is.na({1})", is.finite = "!is.na({1})", is.null = "is.na({1})",
  nvl = "coalesce({1}, {2})",
  mod = "{1} %% {2}", clamp = "pmin(pmax({1}, {2}), {3})",
  isTRUE = "coalesce({1}, FALSE)",
  isFALSE = "!coalesce({1}, TRUE)",
  sign = "ceiling(pmin(pmax({1}, 0), 1)) + floor(pmax(pmin({1}, 0), -1))"
)

# Aggregates: the same replacements for calls within `summarise()`.
aggregate_meanings <- c(
  mean = "dp_mean({1})", avg = "dp_mean({1})", dp_avg = "dp_mean({1})",
  dp_average = "dp_mean({1})", sum = "dp_sum({1})", dp_total = "dp_sum({1})",
  n = "dp_count()", length = "dp_count()", nrow = "dp_count()", count = "dp_count()",
  dp_len = "dp_count()", dp_length = "dp_count()", dp_n = "dp_count()", dp_nrow = "dp_count()",
  n_distinct = "dp_n_distinct({1})", dp_count_distinct = "dp_n_distinct({1})",
  var = "dp_var({1})", dp_variance = "dp_var({1})", sd = "dp_sd({1})", dp_stdev = "dp_sd({1})",
  dp_std = "dp_sd({1})", median = "dp_median({1})", quantile = "dp_quantile({1}, {2})",
  max = "dp_quantile({1}, 1)", dp_max = "dp_quantile({1}, 1)",
  min = "dp_quantile({1}, 0)", dp_min = "dp_quantile({1}, 0)",
  range = "dp_quantile({1}, c(0, 1))", IQR = "dp_quantile({1}, 0.75) - dp_quantile({1}, 0.25)",
  hist = "dp_histogram({1}, breaks = )",
  table = "dp_count()"
)

# The code of a hint for a call, or NULL. It shows names and functions, and `...` for each constant,
# because `!!` can put anything into it.
hint_for_call <- function(expr, meanings) {
  template <- meanings[name_of_function(expr)]
  if (is.na(template)) {
    return(NULL)
  }
  args <- as.list(expr)[-1]
  given <- names(args) %||% rep("", length(args))
  args <- args[!given %in% names(dropped_arguments)]
  needed <- lengths(regmatches(template, gregexpr("[{][0-9][}]", template)))
  if (name_of_function(expr) %in% sole_arguments && length(args) != needed) {
    return(NULL)
  }
  shown <- vapply(seq_along(args), function(i) shown_argument(args[[i]], i), "")
  if (length(shown) > 1) template <- gsub("{all}", toString(shown), template, fixed = TRUE)
  is_operand <- startsWith(template, "{1} ")
  for (i in seq_along(args)) {
    code <- if (is_operand && is_infix(args[[i]])) paste0("(", shown[[i]], ")") else shown[[i]]
    template <- gsub(paste0("{", i, "}"), code, template, fixed = TRUE)
  }
  if (!grepl("[{]([0-9]|all)[}]", template)) unname(template)
}

# Their hints use each argument, so a call with more of them has another meaning.
sole_arguments <- c("sum", "xor")

# Code of an argument, or the name of its place if it is long.
shown_argument <- function(arg, place) {
  code <- if (length(all.names(arg)) <= 12) without_constants(arg)
  text <- if (!is.null(code)) paste(deparse(code, width.cutoff = 60), collapse = " ")
  if (is.null(text) || nchar(text) > 60) c("x", "y", "z")[min(place, 3)] else text
}

without_constants <- function(expr) {
  if (is.symbol(expr)) {
    return(expr)
  }
  if (!is.call(expr) || !is.symbol(expr[[1]])) {
    return(as.name("..."))
  }
  expr[-1] <- lapply(as.list(expr)[-1], without_constants)
  expr
}

is_infix <- function(expr) is.call(expr) && !grepl("^[[:alpha:].]", name_of_function(expr) %||% "x")

# Arguments of R's functions that an aggregate does not need.
dropped_arguments <- c(na.rm = "Leave it out: missing values do not count.")

# Arguments of R's and lubridate's functions that expressions do not have.
hints_for_expressions <- local({
  edges <- "Its cells have their upper edge only. For other cells use `case_when()`."
  days <- "Name the days or months after `release()`."
  c(
    dropped_arguments, right = edges, include.lowest = edges, label = days, abbr = days,
    labels = "Name the cells after `release()`, or use `case_when()`."
  )
})

# Statistics of several columns, which queries do not have.
other_statistics <- c(
  cor = "Use `dpCorrelation()` on a data frame.", cov = "Use `dpCovariance()` on a data frame.",
  dp_cor = "Use `dpCorrelation()` on a data frame.",
  dp_cov = "Use `dpCovariance()` on a data frame."
)

suppress_hint <- "Write `suppress`, the smallest count of a shown group."
loss_hint <- "Write `epsilon`, such as `epsilon = 1`, or `rho` in a session of `dp_zcdp()`."
budget_hint <- "Write `loss`, such as `loss = dp_epsilon(1)`."

# Hints for classes and columns --------------------------------------------------------------------

# How to make an object of the class that an argument must have, with names to replace.
class_meanings <- c(
  dp_session = "Make one: `dp_session(dp_epsilon(1))`.",
  dp_unit = "Make one: `dp_unit(rows = 1)`, or `dp_unit(id = person)` for rows of the same person.",
  dp_domain = "Make one: `dp_domain(age = dp_int(0, 120))`, with a declaration for each column.",
  dp_loss = "Make one: `dp_epsilon(1)`."
)

# A hint from the class of the object that came, if it shows the intention.
hint_for_class <- function(class, x) {
  if (identical(class, "dp_session") && inherits(x, "dp_ledger")) {
    return("Open a session on the ledger: `dp_session(ledger = ledger)`.")
  }
  if (identical(class, "dp_session") && is.data.frame(x)) {
    first <- "`dp_tbl(dp_session(dp_epsilon(1)), data, unit = , domain = )`"
    return(paste0("Give the session first: ", first, "."))
  }
  if (identical(class, "dp_session") && inherits(x, "dp_loss")) {
    return("Make a session from it: `dp_session(loss)`.")
  }
  if (length(class) == 1 && class %in% names(class_meanings)) class_meanings[[class]]
}

# "Did you mean `kids`?" for the name of a missing column, else `otherwise`. It suggests a column
# whose name differs only in case, in surrounding blanks, or in dots, dashes and underscores.
# Otherwise it suggests the nearest name within a few letters, if no other name is as near.
hint_for_column <- function(names, known, otherwise = NULL) {
  meant <- vapply(names, meant_column, "", known, USE.NAMES = FALSE)
  if (length(meant) == 0 || anyNA(meant)) otherwise else paste0("Did you mean ", listed(meant), "?")
}

meant_column <- function(name, known) {
  plain <- function(x) gsub("[-._[:space:]]+", "_", tolower(trimws(x)))
  known <- known[!is.na(known)]
  same <- known[plain(known) == plain(name)]
  if (length(same) == 1) {
    return(same)
  }
  letters <- nchar(name)
  if (length(same) > 1 || letters > 64) {
    return(NA_character_)
  }
  near <- utils::adist(plain(name), plain(known))[1, ]
  least <- near[near <= letters %/% 4 + 1 & near < pmin(letters, nchar(known))]
  found <- known[near == min(least, Inf)]
  if (length(found) == 1) found else NA_character_
}
