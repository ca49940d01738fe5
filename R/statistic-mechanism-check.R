# Checks of the fields and the data of the mechanism classes.

# Fields in canonical form. A missing field is NULL.
check_mechanism <- function(given, class, law) {
  call <- as.call(list(as.name(class)))
  unknown <- setdiff(if (length(given) > 0) names(given) %||% "", mechanism_fields)
  if (length(unknown) > 0) {
    arg <- if (unknown[[1]] == "") "..." else unknown[[1]]
    stop_argument(paste("one of the fields", toString(mechanism_fields)), "another name", arg, call)
  }
  fields <- stats::setNames(vector("list", length(mechanism_fields)), mechanism_fields)
  fields[names(given)] <- given
  fields$alpha <- as.double(check_probability(fields$alpha %||% 0.05, arg = "alpha", call = call))
  if (is.null(law)) {
    return(fields)
  }
  fields$mechanism <- check_name(fields$mechanism %||% class, class, "mechanism", call)
  fields$name <- fields$name %||% paste("answer of the", sub("^mechanism", "", class), "mechanism")
  fields <- check_mechanism_data(fields, law, call)
  fields$gamma <- as.double(check_probability(fields$gamma %||% 0.05, arg = "gamma", call = call))
  check_number(fields$sens, min = 0, null = TRUE, arg = "sens", call = call)
  check_number(fields$minB, above = 0, null = TRUE, arg = "minB", call = call)
  fields["delta"] <- list(check_mechanism_delta(fields$delta, law, call))
  check_mechanism_loss(fields, law, call)
}

check_mechanism_data <- function(fields, law, call) {
  fields$varType <- check_name(fields$varType, law$types, "varType", call)
  fields$rngFormat <- check_name(fields$rngFormat %||% "vector", "vector", "rngFormat", call)
  if (!is.null(fields$n)) fields$n <- check_positive_whole(fields$n, "n", call)
  if (fields$varType %in% statistic_types) {
    fields$rng <- check_range(fields$rng, fields$varType, call)
    fields$imputeRng <- check_impute_range(fields$imputeRng, fields$rng, fields$varType, call)
  }
  needs_bins <- law$selects || (law$numbers && !fields$varType %in% statistic_types)
  if (needs_bins || !is.null(fields$bins)) check_mechanism_bins(fields$bins, call)
  fields
}

check_mechanism_bins <- function(bins, call) {
  if (!is.character(bins) || length(bins) < 2 || anyNA(bins) || anyDuplicated(bins)) {
    stop_argument("two or more different texts", describe(bins), "bins", call)
  }
}

check_mechanism_delta <- function(delta, law, call) {
  if (law$approximate) {
    return(as.double(check_probability(delta %||% default_delta, arg = "delta", call = call)))
  }
  if (!is_missing(delta)) {
    warn_dp("`delta` is not used by this mechanism, and 0.", "delta", call = call)
  }
  0
}

check_mechanism_loss <- function(fields, law, call) {
  if (is_missing(fields$epsilon)) {
    if (is_missing(fields$accuracy)) {
      stop_argument("given, or `accuracy` and `sens` in its place", "missing", "epsilon", call)
    }
    check_number(fields$accuracy, above = 0, arg = "accuracy", call = call)
    check_number(fields$sens, above = 0, arg = "sens", call = call)
    fields$epsilon <- law$epsilon(fields$sens, fields$accuracy, fields)
  }
  fields$epsilon <- check_epsilon(fields$epsilon, call)
  if (!is.null(fields$sens)) fields$accuracy <- law$accuracy(fields$sens, fields)
  fields
}
