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
