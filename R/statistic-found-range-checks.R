# Checks of statistics that find bounds, and errors for those that cannot.

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
