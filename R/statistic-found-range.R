# A statistic whose range is found: two releases, of which the first chooses the range of the
# second. What there is to know of both is public before: the counts of magnitudes, and the loss of
# either. So the measurement of the statistic is an adaptive composition of the two losses, whatever
# is asked second, and what is asked second is planned from the released counts and public arguments
# alone.

# The plan at declared bounds.
plan_declared <- function(declared, arguments, left_out = NULL) {
  declared$plan(checked_arguments(arguments, declared$kinds, declared$call, left_out),
    declared$call)
}

# Whether the statistic takes what bounds() makes.
finds_bounds <- function(declared) isTRUE(declared$kinds[["rng"]]$finds)

# The plan of the statistic `name` at bounds that it finds. At the widest range it is planned twice:
# with all of the loss, for what there is to refuse or to warn of, and with what is left for it.
plan_with_bounds <- function(name, declared, arguments, left_out) {
  call <- declared$call
  asked <- checked_bounds(arguments[["rng"]], call)
  refuse_beside_bounds(arguments, call)
  cells <- magnitude_cells(asked, call)
  widest <- c(min(cells$lower), max(cells$upper))
  whole <- suppressWarnings(
    plan_declared(declared, replace(arguments, "rng", list(widest)), left_out),
    classes = "dp_warning_noise"
  )
  refuse_without_range(whole$fields, call)
  limit <- limit_of_all(whole$fields, arguments)
  found <- list(
    statistic = name, arguments = arguments, cells = cells, widest = widest,
    limits = shares_of_limit(limit, c(asked$share, 1 - asked$share))
  )
  found$whole <- whole$fields$varType == "integer"
  found$threshold <- magnitude_threshold(found$limits[[1]], nrow(cells), asked$beta)
  plan <- plan_of_two(found, asked, limit, call)
  plan$chosen <- whole$chosen
  plan
}

refuse_beside_bounds <- function(arguments, call) {
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
    as.list(core_share_epsilon(limit, shares))
  }
}

# What a plan says that follows from the range.
numbers_of_range <- c("accuracy", "sens", "sigma")
parts_of_range <- c("bins", "binWidth", "candidates", "snapping")

plan_of_two <- function(found, asked, limit, call) {
  plan <- plan_at(found, found$widest)
  fields <- plan$fields
  found$first <- counts_of_found(found, fields)
  refuse_other_neighbours(found$first, fields$measurement, asked, call)
  noise_dominates <- fields$noiseDominates || found$threshold >= fields$n
  fields$measurement <- reported(composition_of_two(fields, found$limits), limit)
  fields[intersect(numbers_of_range, names(fields))] <- NA_real_
  fields[intersect(c(parts_of_range, "rho"), names(fields))] <- list(NULL)
  fields$rng <- asked
  if (!is.null(fields$imputeRng)) fields$imputeRng <- asked
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
refuse_other_neighbours <- function(first, second, asked, call) {
  metrics <- lapply(list(first, second), function(one) toString(one("input_metric")))
  if (!identical(metrics[[1]], metrics[[2]])) refuse_bounds(asked, call)
}

# The first question, which is known before there are data.
counts_of_found <- function(found, fields) {
  with_features("contrib", {
    rows <- if (reads_frames(fields)) {
      build("column_rows", fields$variable[[1]], fields$n)
    } else {
      number_rows(fields$n)
    }
    magnitude_chain(rows, fields$varType, found$cells, found$limits[[1]])
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

# The plan of the statistic at this range, with what is left of the loss. All that there is to warn
# of was said before.
plan_at <- function(found, range) {
  arguments <- with_rest(found$arguments, found$limits[[2]])
  arguments$rng <- if (found$whole) c(floor(range[[1]]), ceiling(range[[2]])) else range
  suppressWarnings(
    plan_declared(declaration_of(get(found$statistic, topenv())), arguments),
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

# What a measurement of a plan releases. Private data come in.
released_by <- function(plan, columns) {
  released <- plan$fields$measurement(arg = columns)
  in_doubles(if (is.null(plan$found)) released else two_releases(plan$found, released))
}

# `queryable` holds the data. Its first answer is what the second question follows from.
two_releases <- function(found, queryable) {
  counts <- in_doubles(queryable(query = found$first))
  plan <- plan_from_counts(found, counts)
  release <- if (!is.null(plan)) queryable(query = plan$fields$measurement)
  list(counts = counts, release = release)
}

# NULL if no bound is found, or the statistic cannot be planned there.
plan_from_counts <- function(found, counts) {
  range <- outermost_seen(found$cells, counts > found$threshold)
  if (!anyNA(range)) tryCatch(plan_at(found, range), dp_error = function(error) NULL)
}

# The result of both releases. What it says of the loss is that of all.
two_described <- function(plan, release) {
  found <- plan$found
  range <- outermost_seen(found$cells, release$counts > found$threshold)
  at <- plan_from_counts(found, release$counts)
  values <- if (is.null(at)) {
    nothing_found(plan$fields, if (anyNA(range)) "not found" else "refused")
  } else {
    with_whole_loss(at$describe(release$release, at$fields), plan$fields)
  }
  used <- if (is.null(at)) range else at$fields$rng
  values$status <- values$status %||% "ok"
  values$bounds <- data.frame(
    lower = used[[1]], upper = used[[2]], threshold = found$threshold
  )
  about <- (at %||% plan)$about
  about[c("loss", "plan")] <- plan$about[c("loss", "plan")]
  new_result(values, about, at$class)
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
