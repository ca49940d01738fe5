# Makes plans of statistics and their results.

# Makes a plan. All `fields` are public.
# * `describe(release, fields)` derives the result from both.
# * `progress` shows the progress of a slow release.
# * `read(data, columns)` takes the `columns` out of the data.
# * `class`, the name and `within` describe the result. `within` names the number that stays inside
#   the accuracy. `unverified` lists the arguments that are promises.
# * `range` is the largest distance between two noiseless releases, in the unit of the accuracy.
#   `drowned` says whether noise hides the whole result. `span` is the length of an interval with
#   all possible values of a number in the result, or one length for each number.
# * `model` says what a regression is, see released_model(). `covers` says what the intervals of a
#   result cover, see statistic-interval-targets.R.
# A plan must not hold a closure made in a constructor's frame. An unevaluated argument would keep
# the frames of its callers alive, and the data in them.
new_plan <- function(fields, describe, progress = NULL, read = column_of, class = NULL,
                     name = fields$name, within = "the noise is no larger", unverified = NULL,
                     range = NA, noise_dominates = any(fields$accuracy > range, na.rm = TRUE),
                     span = range,
                     model = NULL, columns = fields$variable, covers = NULL, call = NULL) {
  fields <- with_measured_loss(fields)
  fields$measurement <- with_features("contrib", snapped(fields))
  fields$noiseDominates <- noise_dominates
  if (fields$noiseDominates) warn_of_noise(fields, call)
  list(
    fields = fields, describe = describe, progress = progress, read = read, columns = columns,
    class = class,
    about = list(
      name = name, n = fields$n, alpha = fields$alpha, within = within,
      adds_rows = adds_rows(fields), unverified = unverified,
      noise_dominates = fields$noiseDominates, span = span,
      imputed_from = imputed_from(fields), model = model, covers = covers,
      loss = if (is_gaussian(fields)) fields[c("rho", "delta")]
    )
  )
}

# Accuracy and range are public. If there are several accuracies, the warning names the worst.
warn_of_noise <- function(fields, call) {
  worst <- max(fields$accuracy)
  reach <- if (!is.na(worst)) paste0(" (accuracy ", show_number(worst, 4), ")") else ""
  loss <- if (is.null(fields$rho)) "epsilon" else "rho"
  sentence <- paste0(noise_sentence, reach, ". More of `", loss, "` or `n` is needed.")
  warn_as_is(sentence, "noise", call)
}

noise_sentence <- "The noise is as wide as the range: a release says next to nothing"

# Reports the loss that the running measurement states, never the requested loss. If there are
# several parts, `epsilon` is the loss of each part and `globalEps` the total.
with_measured_loss <- function(fields) {
  gaussian <- is_gaussian(fields)
  loss <- measured_loss(fields$measurement, gaussian)
  has_parts <- "globalEps" %in% names(fields)
  if (has_parts) fields$globalEps <- loss$epsilon
  if (gaussian || !has_parts) fields$epsilon <- loss$epsilon
  fields$delta <- loss$delta
  if (!is.null(loss$rho)) fields$rho <- loss$rho
  fields
}

# Returns list(epsilon, delta, rho) for one protected row. For Gaussian noise a single number is
# rho, and there is no epsilon. Otherwise rho is NULL.
measured_loss <- function(measurement, gaussian = FALSE) {
  loss <- measurement(d_in = protected_rows)
  if (gaussian && length(loss) == 1) {
    return(list(epsilon = NA_real_, delta = 0, rho = loss[[1]]))
  }
  list(epsilon = loss[[1]], delta = if (length(loss) > 1) loss[[2]] else 0, rho = NULL)
}

# A different version of the package can choose different noise, but must not spend more than the
# statistic declares.
#' @exportS3Method
remade_measurement.dpStatistic <- function(statistic) { # nolint: object_name_linter.
  measurement <- remade(plan_of(statistic))$measurement
  fields <- statistic$getFields()
  said <- list(
    epsilon = fields$globalEps %||% fields$epsilon, delta = fields$delta, rho = fields$rho
  )
  spent <- measured_loss(measurement, is_gaussian(fields))
  more <- c(spent$epsilon > said$epsilon, spent$delta > said$delta, spent$rho > said$rho)
  if (any(more, na.rm = TRUE)) {
    stop_dp("stale object: it would lose more here than it says. Build it again.", "stale_object",
      call = NULL
    )
  }
  measurement
}

# TRUE if neighbours differ by one added or removed row. FALSE if by one replaced row.
adds_rows <- function(fields) identical(fields$scheme, "labels")

# Adds an interval to a release by postprocessing.
interval_result <- function(release, fields) {
  list(
    release = release,
    variable = fields$variable,
    accuracy = fields$accuracy,
    epsilon = fields$epsilon,
    interval = c(release - fields$accuracy, release + fields$accuracy)
  )
}

# Every result names the arguments that are promises, because the loss rests on them.
new_result <- function(values, about, class = NULL) {
  values <- with_loss_named(values, about$loss)
  values$unverified <- about$unverified
  structure(values,
    class = c(class, "dp_result"), about = about[names(about) != "plan"], plan = about$plan
  )
}

# For Gaussian noise, with `loss` = list(rho, delta): a result has `rho` instead of `epsilon`, or
# `delta` beside it.
with_loss_named <- function(values, loss) {
  place <- match("epsilon", names(values))
  if (is.null(loss) || is.na(place)) {
    return(values)
  }
  if (is.null(loss$rho)) {
    values$delta <- NULL
    return(append(values, list(delta = loss$delta), place))
  }
  values[[place]] <- loss$rho
  names(values)[[place]] <- "rho"
  values$globalEps <- NULL
  values
}
