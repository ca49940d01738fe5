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
