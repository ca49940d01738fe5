# Errors of verbs and functions that private tables do not support, with an alternative. Supported
# verbs raise an error only after summarise().

# S3 method names contain dots.

# nolint start: object_name_linter.
# `place` is the name under which `refusal_hints` lists the alternative.
refusal <- function(label, hint) {
  force(label)
  force(hint)
  function(...) stop_refused(label, hint, sys.call())
}

stop_refused <- function(label, hint, call) {
  sentence <- refusal_sentences[[hint]] %||% "`%s` would show private rows."
  stop_query("unsupported", sprintf(sentence, label), refusal_hints[[hint]], call)
}

refusal_sentences <- list(
  place = "`%s` selects rows by position, so one person can affect which rows of others are kept.",
  sample = "`%s` samples rows, and each draw depends on the number of rows.",
  order = "`%s` orders rows, but a query ignores their order.",
  distinct = "`%s` merges equal rows of several people.",
  union = "`%s` combines rows of two private tables.",
  join = "`%s` would add rows to the private table, or combine two private tables.",
  mean = "`%s` is not private.", median = "`%s` is not private.", quantile = "`%s` is not private.",
  numbers = "`%s` is not private.", count = "`%s` is not private.",
  add_count = "`%s` is not private.",
  `function` = "`%s` would run an R function on private rows.",
  rename = "`%s` is not supported.", filter = "`%s` is not supported.",
  mutate = "`%s` is not supported.", summarise = "`%s` is not supported.",
  reshape = "`%s` can create more rows per person.",
  fill = "`%s` copies values from other rows.",
  complete = "`%s` would add rows that belong to no person.",
  cells = "`%s` splits or combines texts.",
  set = "`%s` would change a private table.",
  after = "`%s` is not supported after `summarise()`.",
  lm = "`%s` is not private.", glm = "`%s` is not private.", t.test = "`%s` is not private.",
  aggregate = "`%s` is not private.", xtabs = "`%s` is not private.",
  boxplot = "`%s` is not private.", table = "`%s` is not private.", cor = "`%s` is not private.",
  sd = "`%s` is not private.", hist = "`%s` is not private.", column = "`%s` is not private.",
  rowSums = "`%s` is not supported.", is.na = "`%s` is not private.",
  na.omit = "`%s` is not supported.", levels = "`%s` is not supported."
)

refusal_hints <- list(
  rows = "Use `release()`, which spends budget and returns a tibble.",
  place = "Use `filter()` on values, or `dp_truncate()`.",
  sample = "Use `filter()` on values, or `dp_truncate()`.",
  order = "Sort the result of `release()`.",
  distinct = "Use `dp_per_unit()` for one row per person, or `dp_n_distinct()` to count values.",
  union = "Bind the rows before `dp_tbl()`.",
  join = "Use `left_join()`, `inner_join()`, `semi_join()` or `anti_join()` with a public table.",
  mean = "Use `summarise(m = dp_mean(x))`.",
  median = "Use `summarise(m = dp_median(x))`.",
  quantile = "Use `summarise(q = dp_quantile(x, probs))`.",
  numbers = "Use `summarise()` with `dp_count()`, `dp_sum()` or `dp_quantile()`.",
  count = "Use `summarise(n = dp_count())`.",
  add_count = "Use `summarise(n = dp_count())`. A count in each row would depend on other rows.",
  `function` = "See `?dp_expressions` for `mutate()`, and `?dp_aggregates` for `summarise()`.",
  rename = "Use `rename()`.", filter = "Use `filter()`, then `select()`.",
  mutate = "Use `mutate()`.",
  summarise = "Use `group_by()`, then `summarise()`.",
  set = "Use `mutate()` to compute columns.",
  reshape = "Reshape before `dp_tbl()`, or reshape the result of `release()`.",
  fill = "Use `mutate(x = coalesce(x, value))` or `replace_na()`.",
  complete = "Use `dp_keys()` to choose the groups, even empty ones.",
  cells = "Change text columns before `dp_tbl()`.",
  after = "Call it before `summarise()`, or on the result of `release()`.",
  lm = "Use `dpLM(y ~ x, n = , rng = , epsilon = )$release(data)` on a data frame.",
  glm = paste0(
    "Use `dpGLM(y ~ x, n = , rng = , epsilon = , objective = \"logit\")$release(data)` on a data ",
    "frame."
  ),
  t.test = paste0(
    "Use `dpMeanDifference(\"y\", group = , groups = , n = , rng = , epsilon = )$release(data)` ",
    "on a data frame."
  ),
  aggregate = "Use `group_by(g)`, then `summarise(m = dp_mean(x))`.",
  xtabs = "Use `count(g)`.",
  table = "Use `count(g)`.",
  cor = paste0(
    "Use `dpCorrelation(columns = , n = , rng = , epsilon = )$release(data)` on a data frame."
  ),
  sd = "Use `summarise(s = dp_sd(x))`.",
  hist = "Use `summarise(h = dp_histogram(x, breaks = ))`.",
  column = "For numbers of a column, use `summarise(m = dp_mean(x))` or another aggregate.",
  rowSums = "Use `mutate(s = x + y)`.",
  is.na = "Use `summarise(m = dp_n_missing(x))`, or `filter(is.na(x))`.",
  na.omit = "Use `drop_na()`.",
  levels = "The levels are declared: print the table.",
  boxplot = "Use `group_by(g)`, then `summarise(q = dp_quantile(x, c(0.25, 0.5, 0.75)))`."
)

refuse_caller <- function(label) {
  refuse_readers(nearest = 8)
  stop_refused(label, "column", NULL)
}

# Refuses one of the nearest callers that has an alternative. The method is the first caller, and
# its generic can be the second.
refuse_readers <- function(nearest) {
  caller <- intersect(nearest_callers(sys.calls()[seq_len(sys.nframe() - 1)], nearest),
    names(refused_readers)
  )
  if (length(caller) > 0) {
    stop_refused(paste0(caller[[1]], "()"), refused_readers[[caller[[1]]]], NULL)
  }
}

nearest_callers <- function(calls, nearest) {
  vapply(utils::head(rev(calls), nearest), function(call) name_of_function(call) %||% "", "")
}

# The hint for each function, by its name.
refused_readers <- list(
  table = "table", tapply = "aggregate", cor = "cor", cov = "cor", sd = "sd", IQR = "quantile",
  colMeans = "mean", colSums = "numbers", rowSums = "rowSums", rowMeans = "rowSums",
  is.na = "is.na", anyNA = "is.na"
)
# nolint end

# After summarise() --------------------------------------------------------------------------------

# nolint start: object_name_linter.
#' @exportS3Method dplyr::filter
filter.dp_query <- refusal("filter()", "after")

#' @exportS3Method dplyr::mutate
mutate.dp_query <- refusal("mutate()", "after")

#' @exportS3Method dplyr::transmute
transmute.dp_query <- refusal("transmute()", "after")

#' @exportS3Method dplyr::select
select.dp_query <- refusal("select()", "after")

#' @exportS3Method dplyr::rename
rename.dp_query <- refusal("rename()", "after")

#' @exportS3Method dplyr::relocate
relocate.dp_query <- refusal("relocate()", "after")

#' @exportS3Method dplyr::group_by
group_by.dp_query <- refusal("group_by()", "after")

#' @exportS3Method dplyr::ungroup
ungroup.dp_query <- refusal("ungroup()", "after")

#' @exportS3Method dplyr::summarise
summarise.dp_query <- refusal("summarise()", "after")

#' @exportS3Method dplyr::count
count.dp_query <- refusal("count()", "after")

#' @exportS3Method dplyr::tally
tally.dp_query <- refusal("tally()", "after")

#' @exportS3Method dplyr::left_join
left_join.dp_query <- refusal("left_join()", "after")

#' @exportS3Method dplyr::inner_join
inner_join.dp_query <- refusal("inner_join()", "after")

#' @exportS3Method dplyr::semi_join
semi_join.dp_query <- refusal("semi_join()", "after")

#' @exportS3Method dplyr::anti_join
anti_join.dp_query <- refusal("anti_join()", "after")
# nolint end
