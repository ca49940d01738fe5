# Distances between R and the core.

# Distances that are objects (privacy profiles, Renyi curves) are passed to the core as handles.
r_distance <- function(distance) {
  if (is.list(distance)) {
    lapply(distance, r_distance)
  } else if (typeof(distance) != "externalptr") {
    distance
  } else if (core_is_curve(distance)) {
    new_renyi_curve(distance)
  } else {
    new_profile(distance)
  }
}

# Wraps a user's curve of losses over alpha for the core.
curve_callback <- function(curve) new_callback(curve, "curve", NULL)

core_distance <- function(distance) {
  if (is.list(distance)) {
    lapply(distance, core_distance)
  } else if (inherits(distance, "privacy_profile")) {
    handle(distance, "privacy_profile")
  } else if (inherits(distance, "opendp_function")) {
    handle(distance, "opendp_function")
  } else {
    distance
  }
}
