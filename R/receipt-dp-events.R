#' Export the mechanisms of a release for other accountants
#'
#' Lists the mechanisms that a release runs, with their noise, sensitivity, number and sampling. The
#' names are the `DpEvent` classes of Google's library `dp_accounting`. With `json = TRUE` the
#' result is JSON, and such a program can build the events from it. The function uses only the plan:
#' it reads no data and spends no budget.
#'
#' @param x (`measurement` or statistic) Measurement or statistic to describe.
#' @param d_in Distance between neighbouring datasets, in the unit of the input metric. Statistics
#'   have a default. Tell the other accountant the same neighbours. Public.
#' @param json (`logical(1)`) Whether to return JSON.
#' @returns A data frame of class `dp_events`, a row for each mechanism, with the columns
#'   * `event` (`character`): class of the event.
#'   * `mechanism` (`character`): step of the plan.
#'   * `parameters` (`character`): parameters of the event, such as `"noise_multiplier = 2"`.
#'   * `times` (`numeric`): number of releases.
#'   * `sampling` (`character`): the sampling event with its parameters, if the mechanism reads a
#'     sample, otherwise `""`.
#'
#'   With `json = TRUE`, a string with one event for the whole release: an object with
#'   `module_name`, `class_name` and the fields of the class, which may hold other events.
#' @section Events: Numbers are rounded toward more loss.
#'
#'   * Laplace and geometric noise on integers is `DiscreteLaplaceDpEvent`, Gaussian noise
#'     `DiscreteGaussianDpEvent`.
#'   * Both on floating-point numbers, on their finest grid, are `LaplaceDpEvent` and
#'     `GaussianDpEvent`. The noise multiplier follows from the privacy map.
#'   * Randomized response is `RandomizedResponseDpEvent`. [make_noisy_max()] and
#'     [make_private_quantile()] are `PermuteAndFlipDpEvent` or `ExponentialMechanismDpEvent`.
#'   * [make_poisson_subsample()] is `PoissonSampledDpEvent`. [make_population_amplification()] and
#'     [make_subsample_without_replacement()] are `SampledWithoutReplacementDpEvent`. Each contains
#'     the event of the measurement on the sample, if one row changes. For several rows the event
#'     follows from the privacy map.
#'   * Several releases are `ComposedDpEvent`, equal ones `SelfComposedDpEvent`.
#'   * All others are described by their privacy map: `EpsilonDeltaDpEvent`, `ZCDpEvent`, or both.
#'     Privacy profiles, curves and user-defined measures are `UnsupportedDpEvent`.
#' @section Errors: Raises `dp_error_invalid_argument` if `x` is not a measurement or a statistic,
#'   and the errors of its privacy maps.
#' @seealso [compose_pld()]. [dp_receipt()] records events with scales and sensitivities.
#' @examples
#' enable_features("contrib")
#' counted <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |> then_count()
#' sampled <- make_composition(rep(list(counted |> then_gaussian(scale = 4)), 3)) |>
#'   then_poisson_subsample(rate = 0.01)
#' privacy_events(sampled, d_in = 1L)
#' cat(privacy_events(sampled, d_in = 1L, json = TRUE))
#' @export
privacy_events <- function(x, d_in, json = FALSE) {
  check_flag(json)
  if (!is_statistic(x)) {
    check_class(x, "measurement")
    if (missing(d_in)) stop_argument("given", "left out", "d_in", environment())
  } else if (missing(d_in)) {
    d_in <- x$d_in
  }
  event <- event_of(x, d_in)
  if (json) {
    return(as.character(event_json(event)))
  }
  rows <- event_table(event, times = 1, sampling = "")
  structure(do.call(rbind, rows), class = c("dp_events", "data.frame"))
}

#' @export
print.dp_events <- function(x, ...) {
  print.data.frame(x, right = FALSE, row.names = FALSE)
  invisible(x)
}

# An event is a list of its class, the step of its node, its fields, and its inner events.
new_event <- function(class, ..., mechanism = "", within = list()) {
  fields <- Filter(Negate(is.null), list(...))
  list(class = class, mechanism = mechanism, fields = fields, within = within)
}

event_of <- function(x, d_in) {
  if (is_statistic(x)) {
    return(event_of_node(drawn_by(x), d_in, x$measurement))
  }
  event_of_node(plan_of(x), d_in, x)
}

# `whole` is the measurement of the node.
event_of_node <- function(node, d_in, whole) {
  if (is_statistic(node$of)) {
    return(event_of_node(drawn_by(node$of), d_in, whole))
  }
  before <- inner_of(node)
  if (inherits(before, "measurement")) {
    return(event_of(before, d_in))
  }
  moved <- if (inherits(before, "transformation")) moved_by(before, d_in) else d_in
  if (is_chain(node)) {
    return(event_of(outer_of(node), moved))
  }
  inner <- Filter(function(one) inherits(one, "measurement"), objects_in(node$args))
  if (length(inner) == 0 || is_known_by_map(node, moved)) {
    return(event_of_step(node, moved, whole, d_in))
  }
  sampled(node, composed(lapply(inner, event_of, moved)))
}

# A private selection runs its measurement a random number of times. And an event of a sample holds
# for one row: if several rows change, each may be in the sample.
is_known_by_map <- function(node, moved) {
  sampling <- c(
    "make_poisson_subsample", "make_population_amplification", "make_subsample_without_replacement"
  )
  node$constructor %in% "make_select_private_candidate" ||
    node$constructor %in% sampling && !identical(as.double(moved), 1)
}

composed <- function(events) {
  runs <- list()
  for (event in events) {
    last <- length(runs)
    if (last > 0 && identical(runs[[last]]$event, event)) {
      runs[[last]]$times <- runs[[last]]$times + 1L
    } else {
      runs <- c(runs, list(list(event = event, times = 1L)))
    }
  }
  events <- lapply(runs, function(run) {
    if (run$times == 1) return(run$event)
    new_event("SelfComposedDpEvent", count = run$times, within = list(run$event))
  })
  if (length(events) == 1) events[[1]] else new_event("ComposedDpEvent", within = events)
}

sampled <- function(node, event) {
  switch(node$constructor,
    make_poisson_subsample = new_event("PoissonSampledDpEvent",
      sampling_probability = node$args$rate, within = list(event)),
    make_subsample_without_replacement = new_event("SampledWithoutReplacementDpEvent",
      source_dataset_size = as.double(node$args$population),
      sample_size = as.double(node$args$size), within = list(event)),
    make_population_amplification = new_event("SampledWithoutReplacementDpEvent",
      source_dataset_size = node$args$population_size,
      sample_size = declared_size(node$args$measurement("input_domain")), within = list(event)),
    event
  )
}

declared_size <- function(domain) as.double(sub(".*size=([0-9]+).*", "\\1", toString(domain)))

event_parameters <- function(event) {
  values <- vapply(event$fields, function(value) show_number(value, 7), "")
  paste(names(event$fields), "=", values, collapse = ", ")
}

# Makes a row for each mechanism.
event_table <- function(event, times, sampling) {
  if (length(event$within) == 0) {
    parameters <- if (length(event$fields) > 0) event_parameters(event) else ""
    return(list(data.frame(
      event = event$class, mechanism = event$mechanism, parameters = parameters,
      times = times, sampling = sampling
    )))
  }
  if (event$class == "SelfComposedDpEvent") times <- times * event$fields$count
  if (grepl("^(Poisson)?Sampled", event$class)) {
    sampling <- paste0(event$class, ": ", event_parameters(event))
  }
  unlist(lapply(event$within, event_table, times, sampling), recursive = FALSE)
}

# The keys match the named tuples of the library.
event_json <- function(event) {
  jsonlite::toJSON(event_node(event), auto_unbox = TRUE, json_verbatim = TRUE, pretty = TRUE)
}

event_node <- function(event) {
  fields <- lapply(event$fields, function(value) {
    structure(number_text(as.double(value)), class = "json")
  })
  within <- lapply(event$within, event_node)
  held <- if (event$class == "ComposedDpEvent") {
    list(events = within)
  } else if (length(within) > 0) {
    list(event = within[[1]])
  }
  c(list(module_name = "dp_accounting.dp_event", class_name = event$class), fields, held)
}

# The event of a step of a plan --------------------------------------------------------------------

# The event of a step whose input moves by `moved` if the data of `whole` move by `d_in`.
event_of_step <- function(node, moved, whole, d_in) {
  constructor <- node$constructor %||% "unknown"
  known <- switch(constructor,
    make_laplace = , make_gaussian = , make_geometric = noise_event(node, moved, whole, d_in),
    make_randomized_response_bool = response_event(node$args$prob, 2L),
    make_randomized_response = response_event(node$args$prob, length(node$args$categories)),
    make_noisy_max = , make_private_quantile = selection_event(whole, d_in)
  )
  event <- known %||% event_of_loss(whole("output_measure"), whole(d_in = d_in))
  label_event(event, sub("^make_", "", constructor))
}

label_event <- function(event, mechanism) {
  if (length(event$within) == 0) {
    event$mechanism <- mechanism
  } else {
    event$within <- lapply(event$within, label_event, mechanism)
  }
  event
}

# Relative margin for a few roundings, toward more loss for either sign.
rounding <- 2^-50

noise_event <- function(node, moved, whole, d_in) {
  if (!is.null(node$args$k) || !is_number(moved) || node$args$scale == 0) {
    return(NULL)
  }
  is_laplace <- node$constructor != "make_gaussian"
  scale <- node$args$scale
  if (!adds_to_floats(node)) {
    return(if (is_laplace) {
      new_event("DiscreteLaplaceDpEvent", noise_parameter = (1 + rounding) / scale,
        sensitivity = moved)
    } else {
      new_event("DiscreteGaussianDpEvent", sigma = scale, sensitivity = moved)
    })
  }
  loss <- whole(d_in = d_in)
  if (!is_number(loss) || loss == 0) {
    return(NULL)
  }
  multiplier <- if (is_laplace) 1 / loss else 1 / sqrt(2 * loss)
  new_event(if (is_laplace) "LaplaceDpEvent" else "GaussianDpEvent",
    noise_multiplier = multiplier * (1 - rounding))
}

response_event <- function(prob, buckets) {
  new_event("RandomizedResponseDpEvent",
    noise_parameter = (1 - prob) * buckets / (buckets - 1) * (1 - rounding), num_buckets = buckets)
}

selection_event <- function(whole, d_in) {
  loss <- whole(d_in = d_in)
  if (!is_number(loss)) {
    return(NULL)
  }
  switch(toString(whole("output_measure")),
    "MaxDivergence" = new_event("PermuteAndFlipDpEvent", epsilon = loss),
    # Bounded by its range: rho is epsilon^2 / 8.
    "ZeroConcentratedDivergence" = new_event("ExponentialMechanismDpEvent",
      epsilon = sqrt(8 * loss) * (1 + rounding))
  )
}

event_of_loss <- function(measure, loss) {
  pair <- function(epsilon, delta) {
    new_event("EpsilonDeltaDpEvent", epsilon = epsilon, delta = delta)
  }
  switch(toString(measure),
    "MaxDivergence" = pair(loss, 0),
    "Approximate(MaxDivergence)" = pair(loss[[1]], loss[[2]]),
    "ZeroConcentratedDivergence" = new_event("ZCDpEvent", rho = loss, xi = 0),
    "Approximate(ZeroConcentratedDivergence)" = new_event("ComposedDpEvent",
      within = list(new_event("ZCDpEvent", rho = loss[[1]], xi = 0), pair(0, loss[[2]]))),
    new_event("UnsupportedDpEvent")
  )
}

# Lists the noise that a plan draws, for the receipt of its release --------------------------------

# Returns a row of text for each measurement in the plan of `x` that draws: its kind, its public
# numbers, and the distance between neighbouring inputs of this step, from the maps of the steps
# before it. Scale and sensitivity have the same unit.
noise_events <- function(x, d_in) {
  node <- if (is_statistic(x)) drawn_by(x) else plan_of(x)
  unlist(lapply(drawing_steps(node, d_in), event_rows), recursive = FALSE)
}

# Returns those steps, as list(node, d_in), where `d_in` is the distance of the step's input.
drawing_steps <- function(node, d_in) {
  if (is_statistic(node$of)) {
    return(drawing_steps(drawn_by(node$of), d_in))
  }
  before <- inner_of(node)
  if (inherits(before, "measurement")) {
    return(drawing_steps(plan_of(before), d_in))
  }
  if (inherits(before, "transformation")) d_in <- moved_by(before, d_in)
  if (is_chain(node)) {
    return(drawing_steps(plan_of(outer_of(node)), d_in))
  }
  inner <- Filter(function(one) inherits(one, "measurement"), objects_in(node$args))
  if (length(inner) == 0) {
    return(list(list(node = node, d_in = d_in)))
  }
  unlist(lapply(inner, function(one) drawing_steps(plan_of(one), d_in)), recursive = FALSE)
}

moved_by <- function(transformation, d_in) transformation(d_in = d_in)

# Gives one row for each element if a step draws for several numbers.
event_rows <- function(step) {
  shown <- step$node$args[c("scale", "threshold", "epsilon", "lambda")]
  mechanism <- sub("^make_", "", step$node$constructor %||% "unknown")
  rows_in_text(c(
    Filter(is.numeric, shown), list(mechanism = mechanism, sensitivity = distance_text(step$d_in))
  ))
}
