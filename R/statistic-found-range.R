# A statistic whose range is found: releases of counts, one for each range to find, and then one of
# the statistic, whose range they chose. What there is to know of them is public before: which
# counts, and the loss of each. So the measurement of the statistic is an adaptive composition of
# these losses, whatever is asked last, and what is asked last is planned from the released counts
# and public arguments alone.

# The plan at declared bounds.
plan_declared <- function(declared, arguments, left_out = NULL) {
  declared$plan(checked_arguments(arguments, declared$kinds, declared$call, left_out),
    declared$call)
}

# Whether the statistic takes what bounds() makes as this `rng`, or in it.
finds_bounds <- function(declared, rng) {
  finds <- declared$kinds[["rng"]]$finds
  if (is.function(finds)) {
    length(places_to_find(rng)) > 0 && !asks_for_bounds(rng)
  } else {
    isTRUE(finds) && asks_for_bounds(rng)
  }
}

# The plan of the statistic `name` at bounds that it finds. At the widest ranges it is planned
# twice: with all of the loss, for what there is to refuse or to warn of, and with what is left.
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

# One for each range that is to be found: list(place, bounds, cells, widest). There is no place for
# the range of a single column.
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

# The name of the column beside each range. `finds`, of the kind of `rng`, says which there are, in
# their order. Those of terms and of weights have to be declared.
with_columns <- function(asked, given, finds, checked, fields, call) {
  columns <- if (is.function(finds)) finds(checked) else fields$variable[[1]]
  names <- names(given) %||% columns
  lapply(asked, function(one) {
    one$column <- if (is.null(one$place)) columns else names[one$place]
    if (!one$column %in% columns) refuse_bounds(one$bounds, call)
    one
  })
}

# Left out, a statistic that can do without errors has none: they would be lost at found bounds.
without_default_inference <- function(arguments, kinds) {
  if ("inference" %in% names(kinds) && !is_string(arguments$inference)) {
    if (is.null(arguments$nBoot)) arguments$inference <- "none"
  }
  arguments
}

# What costs a part of the loss, or of the noise, for intervals that found bounds do not have.
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
    stop_argument("left out, for what has no range", "bounds()", "rng", call)
  }
}

loss_argument <- function(arguments) {
  if (is_missing(arguments[["globalEps"]])) "epsilon" else "globalEps"
}

# As then_protect() takes it; of Gaussian noise as gaussian_limit() has it.
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

# What a plan says that follows from the range.
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

# Of groups of public sizes a row keeps its place, which no row of a column of counts has.
refuse_other_neighbours <- function(found, second, call) {
  metrics <- lapply(list(found$first[[1]], second), function(one) toString(one("input_metric")))
  if (!identical(metrics[[1]], metrics[[2]])) refuse_bounds(found$asked[[1]]$bounds, call)
}

# A first question, which is known before there are data.
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

# Of a single column both see the same `n` rows.
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

# The plan of the statistic at these ranges, with what is left of the loss. All that there is to
# warn of was said before.
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

# `queryable` holds the data. Its first answers are what the last question follows from.
two_releases <- function(found, queryable) {
  counts <- lapply(found$first, function(first) in_doubles(queryable(query = first)))
  plan <- plan_from_counts(found, counts)
  release <- if (!is.null(plan)) queryable(query = plan$fields$measurement)
  list(counts = counts, release = release)
}

ranges_from_counts <- function(found, counts) {
  Map(function(one, counts) outermost_seen(one$cells, counts > one$threshold), found$asked, counts)
}

# NULL if bounds are not found, or the statistic cannot be planned there.
plan_from_counts <- function(found, counts) {
  ranges <- ranges_from_counts(found, counts)
  if (!anyNA(unlist(ranges))) tryCatch(plan_at(found, ranges), dp_error = function(error) NULL)
}

# The result of all releases. What it says of the loss is that of all.
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

# A row for each range, with the name of its column if there are several.
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

# Whether nothing was released, for want of bounds at which there could be.
lacks_release <- function(x) !is.null(x$bounds) && x$status %in% c("not found", "refused")

# "bounds found: 0 to 64", of several columns "bounds found: age 0 to 64, educ 0 to 16"; or NULL.
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
