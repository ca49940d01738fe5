# Prints shards.

#' @rdname dp_shards
#' @export
format.dp_shards <- function(x, ...) {
  paste0("<dp_shards> ", describe_shards(list(number = x$number, split = x$split_by_id)))
}

#' @rdname dp_shards
#' @export
print.dp_shards <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# For example "3 (2 PostgreSQL, data frame), ...".
describe_shards <- function(shards) {
  kinds <- unique(shards$kinds)
  count <- tabulate(match(shards$kinds, kinds))
  described <- toString(ifelse(count == 1, kinds, paste(count, kinds)))
  rule <- if (is.null(shards$split)) {
    NULL
  } else if (shards$split) {
    ", each id in one shard (promised)"
  } else {
    ", each id truncated in each shard"
  }
  paste0(shards$number, if (length(kinds) > 0) paste0(" (", described, ")"), rule)
}
