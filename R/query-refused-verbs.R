# Verbs of dplyr and tidyr that private tables do not have.

# nolint start: object_name_linter.
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
# nolint end
