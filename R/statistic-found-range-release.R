# The two releases of a statistic that finds bounds.

# Asks `queryable`, which holds the data. Its first answers determine the last query.
two_releases <- function(found, queryable) {
  counts <- lapply(found$first, function(first) in_doubles(queryable(query = first)))
  plan <- plan_from_counts(found, counts)
  release <- if (!is.null(plan)) queryable(query = plan$fields$measurement)
  list(counts = counts, release = release)
}

ranges_from_counts <- function(found, counts) {
  Map(function(one, counts) outermost_seen(one$cells, counts > one$threshold), found$asked, counts)
}

# Returns NULL if there are no bounds, or the statistic cannot be planned there.
plan_from_counts <- function(found, counts) {
  ranges <- ranges_from_counts(found, counts)
  if (!anyNA(unlist(ranges))) tryCatch(plan_at(found, ranges), dp_error = function(error) NULL)
}

# Result of all releases. It reports their total loss.
two_described <- function(plan, release) {
  found <- plan$found
  ranges <- ranges_from_counts(found, release$counts)
  at <- plan_from_counts(found, release$counts)
  values <- if (is.null(at)) {
    nothing_found(plan$fields, if (anyNA(unlist(ranges))) "not found" else "refused")
  } else {
    at$fields$searched <- if (is.null(found$asked[[1]]$place)) found$asked[[1]]$widest
    with_whole_loss(at$describe(release$release, at$fields), plan$fields)
  }
  values$status <- values$status %||% "ok"
  values$bounds <- found_bounds(found, ranges)
  about <- (at %||% plan)$about
  about[c("loss", "plan", "notes")] <- plan$about[c("loss", "plan", "notes")]
  values <- without_lost(values, with_usual_covers(about$covers))
  about$covers <- at_found_bounds(with_usual_covers(about$covers))
  new_result(values, about, at$class)
}

# Found bounds in a row for each range, with the column names if there are several.
found_bounds <- function(found, ranges) {
  bounds <- data.frame(
    lower = vapply(ranges, `[[`, 0, "lower"), upper = vapply(ranges, `[[`, 0, "upper"),
    threshold = vapply(found$asked, `[[`, 0, "threshold")
  )
  if (found$whole) {
    bounds$lower <- floor(bounds$lower)
    bounds$upper <- ceiling(bounds$upper)
  }
  alone <- is.null(found$asked[[1]]$place)
  if (alone) bounds else cbind(column = vapply(found$asked, `[[`, "", "column"), bounds)
}

# Tells whether nothing was released because no usable bounds were found.
lacks_release <- function(x) !is.null(x$bounds) && x$status %in% c("not found", "refused")

# "bounds found: 0 to 64", or "bounds found: age 0 to 64, educ 0 to 16" for several columns, or
# NULL.
found_sentence <- function(x) {
  if (is.null(x$bounds)) return(NULL)
  ranges <- trimws(paste(
    x$bounds$column, show_number(x$bounds$lower, 7), "to", show_number(x$bounds$upper, 7)
  ))
  paste("bounds found:", toString(ranges, width = 70))
}

nothing_found <- function(fields, status) {
  Filter(Negate(is.null), list(
    release = NA_real_, variable = fields$variable, accuracy = NA_real_, epsilon = fields$epsilon,
    globalEps = fields$globalEps, status = status
  ))
}

with_whole_loss <- function(values, fields) {
  loss <- if ("globalEps" %in% names(values)) "globalEps" else "epsilon"
  values[[loss]] <- fields[[loss]]
  values
}
