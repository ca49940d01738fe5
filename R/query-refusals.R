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

#' @exportS3Method dplyr::collect
collect.dp_private <- refusal("collect()", "rows")

#' @exportS3Method dplyr::compute
compute.dp_private <- refusal("compute()", "rows")

#' @exportS3Method dplyr::pull
pull.dp_private <- refusal("pull()", "rows")

# Functions that take a data frame convert a table before they read it. The error names the function
# that the user called.
#' @export
as.data.frame.dp_private <- function(...) {
  caller <- intersect(nearest_callers(sys.calls(), Inf), functions_of_frames)
  if (length(caller) == 0) stop_refused("as.data.frame()", "rows", sys.call())
  stop_refused(paste0(caller[[1]], "()"), caller[[1]], sys.call())
}

functions_of_frames <- c("lm", "glm", "t.test", "aggregate", "xtabs", "boxplot")

#' @exportS3Method tibble::as_tibble
as_tibble.dp_private <- refusal("as_tibble()", "rows")

#' @export
as.list.dp_private <- refusal("as.list()", "rows")

#' @export
as.matrix.dp_private <- refusal("as.matrix()", "rows")

#' @export
head.dp_private <- refusal("head()", "place")

#' @export
tail.dp_private <- refusal("tail()", "place")

#' @exportS3Method dplyr::slice
slice.dp_private <- refusal("slice()", "place")

#' @exportS3Method dplyr::slice_head
slice_head.dp_private <- refusal("slice_head()", "place")

#' @exportS3Method dplyr::slice_tail
slice_tail.dp_private <- refusal("slice_tail()", "place")

#' @exportS3Method dplyr::slice_min
slice_min.dp_private <- refusal("slice_min()", "place")

#' @exportS3Method dplyr::slice_max
slice_max.dp_private <- refusal("slice_max()", "place")

#' @exportS3Method dplyr::slice_sample
slice_sample.dp_private <- refusal("slice_sample()", "sample")

#' @exportS3Method dplyr::sample_n
sample_n.dp_private <- refusal("sample_n()", "sample")

#' @exportS3Method dplyr::sample_frac
sample_frac.dp_private <- refusal("sample_frac()", "sample")

#' @exportS3Method dplyr::arrange
arrange.dp_private <- refusal("arrange()", "order")

#' @export
sort.dp_private <- refusal("sort()", "order")

#' @export
rev.dp_private <- refusal("rev()", "order")

#' @exportS3Method dplyr::distinct
distinct.dp_private <- refusal("distinct()", "distinct")

#' @export
unique.dp_private <- refusal("unique()", "distinct")

#' @export
duplicated.dp_private <- refusal("duplicated()", "distinct")

#' @exportS3Method dplyr::union
union.dp_private <- refusal("union()", "union")

#' @exportS3Method dplyr::union_all
union_all.dp_private <- refusal("union_all()", "union")

#' @exportS3Method dplyr::intersect
intersect.dp_private <- refusal("intersect()", "union")

#' @exportS3Method dplyr::setdiff
setdiff.dp_private <- refusal("setdiff()", "union")

#' @export
merge.dp_private <- refusal("merge()", "join")

#' @exportS3Method dplyr::right_join
right_join.dp_private <- refusal("right_join()", "join")

#' @exportS3Method dplyr::full_join
full_join.dp_private <- refusal("full_join()", "join")

#' @exportS3Method dplyr::nest_join
nest_join.dp_private <- refusal("nest_join()", "join")

#' @export
mean.dp_private <- refusal("mean()", "mean")

#' @export
median.dp_private <- refusal("median()", "median")

#' @export
quantile.dp_private <- refusal("quantile()", "quantile")

# Functions of R that read an object as numbers. Their error names the aggregate.
#' @export
as.double.dp_private <- function(x, ...) refuse_caller("as.numeric()")

#' @export
as.integer.dp_private <- function(x, ...) refuse_caller("as.integer()")

#' @export
as.logical.dp_private <- function(x, ...) refuse_caller("as.logical()")

#' @export
is.finite.dp_private <- function(x) refuse_caller("is.finite()")

#' @export
is.na.dp_private <- function(x) refuse_caller("is.na()")

#' @export
anyNA.dp_private <- function(x, recursive = FALSE) refuse_caller("anyNA()")

#' @method na.omit dp_private
#' @importFrom stats na.omit
#' @export
na.omit.dp_private <- refusal("na.omit()", "na.omit")

#' @method na.exclude dp_private
#' @importFrom stats na.exclude
#' @export
na.exclude.dp_private <- refusal("na.exclude()", "na.omit")

#' @importFrom stats density
#' @export
density.dp_private <- refusal("density()", "hist")

#' @importFrom graphics barplot
#' @export
barplot.dp_private <- refusal("barplot()", "table")

#' @export
predict.dp_private <- refusal("predict()", "lm")

#' @export
cut.dp_private <- refusal("cut()", "mutate")

#' @export
levels.dp_private <- refusal("levels()", "levels")

#' @export
droplevels.dp_private <- refusal("droplevels()", "levels")

#' @export
c.dp_private <- refusal("c()", "union")

#' @export
rbind.dp_private <- refusal("rbind()", "union")

#' @export
cbind.dp_private <- refusal("cbind()", "mutate")

#' @export
rep.dp_private <- refusal("rep()", "union")

#' @method unlist dp_private
#' @export
unlist.dp_private <- refusal("unlist()", "rows")

# These are asked by functions that convert nothing before they read an object. To all others they
# tell the truth.
#' @export
is.matrix.dp_private <- function(x) {
  refuse_readers(nearest = 3)
  FALSE
}

#' @export
is.array.dp_private <- function(x) {
  refuse_readers(nearest = 3)
  FALSE
}

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

#' @exportS3Method dplyr::add_count
add_count.dp_private <- refusal("add_count()", "add_count")

#' @exportS3Method dplyr::do
do.dp_private <- refusal("do()", "function")

#' @exportS3Method dplyr::rowwise
rowwise.dp_private <- refusal("rowwise()", "function")

#' @exportS3Method dplyr::group_map
group_map.dp_private <- refusal("group_map()", "function")

#' @exportS3Method dplyr::group_modify
group_modify.dp_private <- refusal("group_modify()", "function")

#' @exportS3Method dplyr::group_split
group_split.dp_private <- refusal("group_split()", "rows")

#' @exportS3Method dplyr::nest_by
nest_by.dp_private <- refusal("nest_by()", "rows")

#' @exportS3Method dplyr::group_data
group_data.dp_private <- refusal("group_data()", "rows")

#' @exportS3Method dplyr::group_size
group_size.dp_private <- refusal("group_size()", "count")

#' @exportS3Method dplyr::n_groups
n_groups.dp_private <- refusal("n_groups()", "count")

#' @exportS3Method dplyr::rename_with
rename_with.dp_private <- refusal("rename_with()", "rename")

#' @export
subset.dp_private <- refusal("subset()", "filter")

#' @export
transform.dp_private <- refusal("transform()", "mutate")

#' @export
with.dp_private <- refusal("with()", "function")

#' @export
within.dp_private <- refusal("within()", "mutate")

#' @export
aggregate.dp_private <- refusal("aggregate()", "summarise")

#' @export
split.dp_private <- refusal("split()", "rows")

#' @exportS3Method tidyr::pivot_longer
pivot_longer.dp_private <- refusal("pivot_longer()", "reshape")

#' @exportS3Method tidyr::pivot_wider
pivot_wider.dp_private <- refusal("pivot_wider()", "reshape")

#' @exportS3Method tidyr::gather
gather.dp_private <- refusal("gather()", "reshape")

#' @exportS3Method tidyr::spread
spread.dp_private <- refusal("spread()", "reshape")

#' @exportS3Method tidyr::uncount
uncount.dp_private <- refusal("uncount()", "reshape")

#' @exportS3Method tidyr::separate_rows
separate_rows.dp_private <- refusal("separate_rows()", "reshape")

#' @exportS3Method tidyr::nest
nest.dp_private <- refusal("nest()", "rows")

#' @exportS3Method tidyr::unnest
unnest.dp_private <- refusal("unnest()", "rows")

#' @exportS3Method tidyr::fill
fill.dp_private <- refusal("fill()", "fill")

#' @exportS3Method tidyr::complete
complete.dp_private <- refusal("complete()", "complete")

#' @exportS3Method tidyr::expand
expand.dp_private <- refusal("expand()", "complete")

#' @exportS3Method tidyr::separate
separate.dp_private <- refusal("separate()", "cells")

#' @exportS3Method tidyr::extract
extract.dp_private <- refusal("extract()", "cells")

#' @exportS3Method tidyr::unite
unite.dp_private <- refusal("unite()", "cells")

#' @exportS3Method ggplot2::fortify
fortify.dp_private <- refusal("ggplot()", "rows")

#' @export
plot.dp_private <- refusal("plot()", "rows")

#' @importFrom graphics hist
#' @export
hist.dp_private <- refusal("hist()", "rows")

#' @export
t.dp_private <- refusal("t()", "rows")

#' @export
Summary.dp_private <- function(..., na.rm = FALSE) { # nolint: object_name_linter.
  stop_refused(paste0(.Generic, "()"), "numbers", NULL)
}

#' @export
Math.dp_private <- function(x, ...) stop_refused(paste0(.Generic, "()"), "numbers", NULL)

#' @export
Ops.dp_private <- function(e1, e2) stop_refused(.Generic, "numbers", NULL)

#' @export
`$.dp_tbl` <- function(x, name) refuse_column("$", name)

#' @export
`[[.dp_tbl` <- function(x, ...) refuse_column("[[", ..1)

# `mean(x$age)` names the aggregate for mean(). A column name is shown if it is declared.
refuse_column <- function(label, name) {
  of <- if (is_string(name)) as.name(name) else as.name("x")
  meant <- lapply(nearest_callers(sys.calls(), 5), function(caller) {
    if (nzchar(caller)) hint_for_call(as.call(list(as.name(caller), of)), aggregate_meanings)
  })
  meant <- unlist(meant)
  hint <- if (length(meant) > 0) {
    paste0("Use `summarise(", meant[[1]], ")`, then `release()`.")
  } else {
    paste0("Use an aggregate of the column, such as `summarise(dp_mean(", as.character(of),
      "))`, then `release()`."
    )
  }
  stop_query("unsupported", sprintf("`%s` would show private rows.", label), hint, NULL)
}

#' @export
`[.dp_private` <- function(x, ...) stop_refused("[", "rows", NULL)

#' @export
`$<-.dp_tbl` <- function(x, name, value) stop_refused("$<-", "set", NULL)

#' @export
`[[<-.dp_tbl` <- function(x, ..., value) stop_refused("[[<-", "set", NULL)

#' @export
`[<-.dp_private` <- function(x, ..., value) stop_refused("[<-", "set", NULL)

#' @export
`names<-.dp_private` <- function(x, value) stop_refused("names<-", "rename", NULL)

# After summarise() --------------------------------------------------------------------------------

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
