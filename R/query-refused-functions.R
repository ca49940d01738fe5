# Functions of R that private tables do not have.

# nolint start: object_name_linter.
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
# nolint end
