# Releases of the mechanism classes, one for each kind of noise.

snapping_release <- function(fun, x, sens, fields) {
  bound <- check_number(fields$minB, above = 0, arg = "minB", call = NULL)
  measurement <- laplace_answer(fun, sens, fields)
  if (sens > 0) {
    measurement <- then_snap(measurement, sens, fields$epsilon, -bound, bound, fields$gamma)
  }
  list(release = measurement(arg = x), measurement = measurement)
}

laplace_release <- function(fun, x, sens, fields) {
  measurement <- laplace_answer(fun, sens, fields)
  list(release = measurement(arg = x), measurement = measurement)
}

laplace_answer <- function(fun, sens, fields) {
  answered(fun, sens, fields, l1_distance(.T = "f64")) |> then_protect(fields$epsilon)
}

gaussian_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, l2_distance(.T = "f64"))
  scale <- gaussian_mechanism_scale(sens, fields$epsilon, fields$delta)
  measurement <- build_after("approximate_gaussian", chain, scale, fields$delta)
  list(release = measurement(arg = x), measurement = measurement)
}

selection_release <- function(fun, x, sens, fields) {
  chain <- answered(fun, sens, fields, linf_distance(.T = "f64"), length(fields$bins))
  measurement <- calibrated("make_noisy_max", chain, max_divergence(), least, FALSE,
    d_in = protected_rows, loss = fields$epsilon
  )
  place <- as.double(measurement(arg = x)) + 1
  list(release = fields$bins[[place]], measurement = measurement)
}

# `fun` sees one value at a time, so a protected row stays one row.
stability_release <- function(fun, x, sens, fields) {
  if (sens != histogram_sensitivity) stop_argument("2", "another number", "sens", NULL)
  delta <- check_stability_delta(fields$delta, fields$n, NULL)
  callback <- new_callback(fun, "fun", NULL)
  read <- function(fun, i) as_text(fun(x[[i]]))
  texts <- as.character(call_each(callback, length(x), read, failed = NA_character_))
  fields$varType <- "character"
  built <- stability_chain(fields, list(epsilon = fields$epsilon, delta = delta))
  counts <- surviving_counts(built$measurement(arg = texts), fields)
  list(release = counts, threshold = built$threshold, measurement = built$measurement)
}

as_text <- function(x) {
  text <- if (is_text_column(x)) core_texts(x)
  if (length(text) == 1) text else NA_character_
}
