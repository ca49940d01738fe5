# Statistics that find their range. They release counts for each range to find, and then the
# statistic at the ranges that the counts chose. The count queries and the loss of each release are
# public in advance. So the measurement is an adaptive composition of these losses for any last
# query, which is planned only from released counts and public arguments.

# Plans at declared bounds.
plan_declared <- function(declared, arguments, left_out = NULL) {
  declared$plan(checked_arguments(arguments, declared$kinds, declared$call, left_out),
    declared$call)
}

# Tells whether the statistic accepts a bounds() object as this `rng`, or as an element of it.
finds_bounds <- function(declared, rng) {
  finds <- declared$kinds[["rng"]]$finds
  if (is.function(finds)) {
    length(places_to_find(rng)) > 0 && !asks_for_bounds(rng)
  } else {
    isTRUE(finds) && asks_for_bounds(rng)
  }
}

# Plans the statistic `name` at bounds that it finds. Plans it twice at the widest ranges: with all
# of the loss, to raise errors and warnings, and with the loss that remains.
plan_with_bounds <- function(name, declared, arguments, left_out) {
  call <- declared$call
  asked <- ranges_to_find(arguments[["rng"]], call)
  arguments <- with_ranges(arguments, asked, lapply(asked, `[[`, "bounds"))
  arguments <- without_default_inference(arguments, declared$kinds)
  refuse_beside_bounds(arguments, declared$kinds, call)
  checked <- checked_arguments(with_ranges(arguments, asked, lapply(asked, `[[`, "widest")),
    declared$kinds, call, left_out
  )
  whole <- suppressWarnings(declared$plan(checked, call), classes = "dp_warning_noise")
  refuse_without_range(whole$fields, call)
  limit <- limit_of_all(whole$fields, arguments)
  shares <- vapply(asked, function(one) one$bounds$share, 0)
  limits <- shares_of_limit(limit, c(shares, 1 - sum(shares)))
  asked <- with_columns(asked, arguments$rng, declared$kinds[["rng"]]$finds, checked,
    whole$fields, call
  )
  asked <- Map(function(one, limit) {
    threshold <- magnitude_threshold(limit, nrow(one$cells), one$bounds$beta)
    c(one, list(limit = limit, threshold = threshold))
  }, asked, utils::head(limits, -1))
  found <- list(
    statistic = name, arguments = arguments, asked = unname(asked), limits = limits,
    whole = whole$fields$varType == "integer"
  )
  plan <- plan_of_two(found, limit, call)
  plan$chosen <- whole$chosen
  plan
}

# Returns list(place, bounds, cells, widest) for each range to find. The range of a single column
# has no place.
ranges_to_find <- function(rng, call) {
  alone <- asks_for_bounds(rng)
  places <- if (alone) list(NULL) else as.list(places_to_find(rng))
  asked <- lapply(places, function(place) {
    bounds <- checked_bounds(if (alone) rng else rng[[place]], call)
    cells <- magnitude_cells(bounds, call)
    list(
      place = place, bounds = bounds, cells = cells,
      widest = c(min(cells$lower), max(cells$upper))
    )
  })
  together <- sum(vapply(asked, function(one) one$bounds$share, 0))
  if (together >= 1) {
    stop_argument("bounds() whose shares are below 1 together", name_public(together), "rng", call)
  }
  asked
}

with_ranges <- function(arguments, asked, ranges) {
  for (i in seq_along(asked)) {
    if (is.null(asked[[i]]$place)) {
      arguments$rng <- ranges[[i]]
    } else {
      arguments$rng[[asked[[i]]$place]] <- ranges[[i]]
    }
  }
  arguments
}

# Adds the column name to each range. `finds`, from the kind of `rng`, has the possible columns in
# order. Ranges of terms and of weights must be declared.
with_columns <- function(asked, given, finds, checked, fields, call) {
  columns <- if (is.function(finds)) finds(checked) else fields$variable[[1]]
  names <- names(given) %||% columns
  lapply(asked, function(one) {
    one$column <- if (is.null(one$place)) columns else names[one$place]
    if (!one$column %in% columns) refuse_bounds(one$bounds, call)
    one
  })
}

# Numbers of a plan that depend on the range.
numbers_of_range <- c("accuracy", "accuracyVals", "sens", "sigma")
parts_of_range <- c("bins", "binWidth", "candidates", "snapping")

plan_of_two <- function(found, limit, call) {
  plan <- plan_at(found, lapply(found$asked, `[[`, "widest"))
  fields <- plan$fields
  found$first <- lapply(found$asked, counts_of_magnitudes, fields)
  refuse_other_neighbours(found, fields$measurement, call)
  hidden <- vapply(found$asked, `[[`, 0, "threshold") >= fields$n
  noise_dominates <- fields$noiseDominates || any(hidden)
  fields$measurement <- reported(composition_of_two(fields, found$limits), limit)
  fields[intersect(numbers_of_range, names(fields))] <- NA_real_
  fields[intersect(c(parts_of_range, "rho"), names(fields))] <- list(NULL)
  fields$rng <- found$arguments$rng
  if (!is.null(fields$imputeRng)) fields$imputeRng <- fields$rng
  plan$fields <- with_measured_loss(fields)
  plan$fields$noiseDominates <- noise_dominates
  plan$about$noise_dominates <- noise_dominates
  plan$about["loss"] <- list(if (is_gaussian(fields)) plan$fields[c("rho", "delta")])
  if (noise_dominates) warn_of_noise(plan$fields, call)
  c(plan, list(found = found))
}

reads_frames <- function(fields) {
  frame <- fields$measurement("input_domain")$carrier_type
  !identical(frame, number_rows(fields$n)[[1]]$carrier_type)
}

# First query, which is fixed before there are data.
counts_of_magnitudes <- function(one, fields) {
  with_features("contrib", {
    rows <- if (reads_frames(fields)) {
      build("column_rows", one$column, fields$n)
    } else {
      number_rows(fields$n)
    }
    magnitude_chain(rows, fields$varType, one$cells, one$limit)
  })
}

# Composes both queries. For a single column, both see the same `n` rows.
composition_of_two <- function(fields, limits) {
  second <- fields$measurement
  with_features("contrib", {
    rows <- if (reads_frames(fields)) {
      c(second("input_domain"), second("input_metric"))
    } else {
      resized_rows(fields$n)
    }
    build_after("make_adaptive_composition", rows, second("output_measure"), protected_rows,
      vapply(limits, loss_of_limit, 0)
    )
  })
}

loss_of_limit <- function(limit) if (is.list(limit)) limit$rho else limit

# Plans the statistic at these ranges with the remaining loss. Warnings were given before.
plan_at <- function(found, ranges) {
  if (found$whole) {
    ranges <- lapply(ranges, function(range) c(floor(range[[1]]), ceiling(range[[2]])))
  }
  arguments <- with_rest(found$arguments, found$limits[[length(found$limits)]])
  suppressWarnings(
    plan_declared(
      declaration_of(get(found$statistic, topenv())),
      with_ranges(arguments, found$asked, ranges)
    ),
    classes = "dp_warning"
  )
}

with_rest <- function(arguments, limit) {
  if (!is.list(limit)) {
    return(replace(arguments, loss_argument(arguments), limit))
  }
  others <- intersect(c("epsilon", "globalEps", "delta"), names(arguments))
  arguments[others] <- list(NULL)
  replace(arguments, "rho", limit$rho)
}

# Checks of statistics that find bounds, and errors for those that cannot --------------------------

# Leaves out errors by default if the statistic allows it: found bounds would lose them anyway.
without_default_inference <- function(arguments, kinds) {
  if ("inference" %in% names(kinds) && !is_string(arguments$inference)) {
    if (is.null(arguments$nBoot)) arguments$inference <- "none"
  }
  arguments
}

# Refuses arguments that spend loss, or add noise, for intervals that found bounds do not have.
refuse_lost_intervals <- function(arguments, kinds, call) {
  lost <- list(interval = "population", vcov = "sandwich", inference = c("onestep", "parts"))
  needless <- list(interval = '"noise"', vcov = '"classical"', inference = '"none"')
  for (name in intersect(names(lost), names(kinds))) {
    value <- arguments[[name]]
    if (is_string(value) && value %in% lost[[name]] && !isTRUE(kinds[[name]]$holds_anywhere)) {
      stop_argument(paste(needless[[name]], why_lost), name_public(value), name, call)
    }
  }
  if ("inference" %in% names(kinds) && !is.null(arguments$nBoot)) {
    stop_argument(paste("NULL", why_lost), name_public(arguments$nBoot), "nBoot", call)
  }
}

why_lost <- paste(
  "for a range that is found (no interval for the population, and no standard error, counts the",
  "values beyond it: declare the range for one)"
)

refuse_beside_bounds <- function(arguments, kinds, call) {
  refuse_lost_intervals(arguments, kinds, call)
  must <- list(
    accuracy = "NULL, for a range that is found", bins = "left out, for a range that is found",
    imputeRng = "NULL: missing values are drawn from the range that is found"
  )
  for (name in names(must)) {
    if (!is_missing(arguments[[name]])) {
      stop_argument(must[[name]], name_public(arguments[[name]]), name, call)
    }
  }
  loss <- arguments[[loss_argument(arguments)]]
  if (length(loss) > 1) {
    stop_argument("one number, for a range that is found", describe(loss),
      loss_argument(arguments), call
    )
  }
}

refuse_without_range <- function(fields, call) {
  if (!fields$varType %in% c("numeric", "integer") || fields$mechanism == "mechanismStability") {
    stop_argument("left out, because this release has no range", "bounds()", "rng", call)
  }
}

# Refuses groups of public sizes: there a row keeps its group, but the count of a column ignores it.
refuse_other_neighbours <- function(found, second, call) {
  metrics <- lapply(list(found$first[[1]], second), function(one) toString(one("input_metric")))
  if (!identical(metrics[[1]], metrics[[2]])) refuse_bounds(found$asked[[1]]$bounds, call)
}

# Losses of a statistic that finds bounds ----------------------------------------------------------

loss_argument <- function(arguments) {
  if (is_missing(arguments[["globalEps"]])) "epsilon" else "globalEps"
}

# Total loss in the form of then_protect(), or of gaussian_limit() for Gaussian noise.
limit_of_all <- function(fields, arguments) {
  epsilon <- arguments[[loss_argument(arguments)]]
  if (!is_gaussian(fields)) {
    as.double(epsilon)
  } else if (is_missing(arguments$rho)) {
    list(rho = concentrated_limit(epsilon, arguments$delta), delta = arguments$delta)
  } else {
    list(rho = as.double(arguments$rho), delta = NULL)
  }
}

shares_of_limit <- function(limit, shares) {
  if (is.list(limit)) {
    shares_of_rho(limit$rho, shares)
  } else {
    # A composition adds from the last to the first.
    rev(as.list(core_share_epsilon(limit, rev(shares))))
  }
}

# The two releases of a statistic that finds bounds ------------------------------------------------

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
