# Lists the noise that a plan draws, for the receipt of its release.

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
