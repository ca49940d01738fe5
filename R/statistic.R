# What all statistics share. A statistic is a plan (a list of public fields, its measurement among
# them, made by a plan_* function) and the result of the last release.

dpStatistic <- new_generator(R6::R6Class("dpStatistic",
  public = list(
    # With `...`, no name that is wrong reaches R, whose error would show the data.
    release = function(data, ..., on = NULL, version = NULL, reuse = NULL, promise = NULL,
                       table = NULL) {
      check_names(..., owner = NULL, hints = loss_is_known)
      if (missing(data)) stop_argument("given", "missing", "data", call = NULL)
      call <- environment()
      released_by_statistic(self, data, account_for(on, version, reuse, promise, table, call), call)
    },
    getFields = function() c(private$.plan$fields, list(result = private$.result)),
    copy = function() self$clone(),
    print = function(...) {
      cat(format(self), sep = "\n")
      invisible(self)
    }
  ),
  active = list(
    result = function(value) read_only(private$.result, value, "result")
  ),
  private = list(
    .plan = NULL, .result = NULL,
    # For constructors, which give their generator and their frame.
    .start = function(generator, frame) {
      name <- class(self)[[1]]
      declared <- declaration_of(generator)
      formals <- formals(generator)
      left_out <- left_out_of(declared$required, declared$or, declared$call, frame, formals)
      arguments <- as_it_is(arguments_in(frame, name, unchecked(left_out)))
      arguments <- lapply(arguments, without_surroundings)
      arguments <- spread_choices(arguments, formals, declared$call)
      arguments <- with_missing_rule(arguments, declared)
      arguments <- with_closed_side(arguments, declared)
      arguments <- with_conversion(arguments, declared)
      arguments <- with_quantile_rules(arguments, declared)
      plan <- if (finds_bounds(declared, arguments[["rng"]])) {
        plan_with_bounds(name, declared, arguments, left_out)
      } else {
        plan_declared(declared, arguments, left_out)
      }
      # Where a rule chose an argument that was left out, it counts as given.
      arguments[names(plan$chosen)] <- plan$chosen
      plan$converts_to <- converted_type(arguments)
      plan$about$notes <- notes_of_plan(name, plan$fields, arguments)
      plan$about$bounds <- bounds_of_mean(name, plan$fields)
      plan$identity <- identified(name, arguments, plan$fields)
      plan$about$plan <- hash_of(plan$identity$digest)
      plan$drawn <- plan_of(plan$fields$measurement)
      private$.plan <- plan
      # A measurement that is sent elsewhere does not take along what was released.
      keep_plan(plan$fields$measurement, list(part = "measurement", of = self$clone()))
      # Its space was a part of a chain, before.
      private$.plan$fields$input_metric <- plan$fields$measurement("input_metric")
    }
  )
))

# A field that is misspelt is an error, not NULL.
#' @export
`$.dpStatistic` <- function(x, name) known_member(x, name)

#' @export
`$.dpMechanism` <- function(x, name) known_member(x, name)

known_member <- function(x, name) {
  if (!exists(name, envir = x, inherits = FALSE)) {
    stop_unknown_member(class(x)[[1]], name, ls(x), "field or method")
  }
  get(name, envir = x, inherits = FALSE)
}

stop_unknown_member <- function(owner, name, known, kind) {
  close <- agrep(name, known, max.distance = 2, value = TRUE)
  hint <- if (length(close) > 0) paste0("; did you mean `", close[[1]], "`?") else "."
  stop_dp("{owner} has no {kind} `{name}`{hint}", "invalid_argument", argument = "name",
    call = NULL
  )
}

# A plan: `fields`, all of them public; `describe(release, fields)`, the result that follows from
# these; if a release may take long, what shows its progress; `read(data, columns)`, which takes
# the `columns` out of the data; and of the result its class, its name, and what it is that stays
# `within` the accuracy, and which arguments are promises that are `unverified`. `range` is how far
# apart two releases without noise can be, in the unit of the accuracy, `drowned` whether noise
# hides all that there is; `span` the length of an interval of all that a number of the result can
# be, or one for each number; `model` what a regression is, see released_model(); `covers` what the
# intervals of a result are for, see statistic-interval-targets.R. It must hold no closure made in
# the frame of a constructor: an argument that was never evaluated keeps the frames of its callers
# alive, and the data in them.
new_plan <- function(fields, describe, progress = NULL, read = column_of, class = NULL,
                     name = fields$name, within = "the noise is no larger", unverified = NULL,
                     range = NA, drowned = any(fields$accuracy > range, na.rm = TRUE), span = range,
                     model = NULL, columns = fields$variable, covers = NULL, call = NULL) {
  fields <- with_measured_loss(fields)
  fields$measurement <- with_features("contrib", snapped(fields))
  fields$noiseDominates <- drowned
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

# Accuracy and range are public. Of several accuracies the warning names the worst.
warn_of_noise <- function(fields, call) {
  worst <- max(fields$accuracy)
  reach <- if (!is.na(worst)) paste0(" (accuracy ", show_number(worst, 4), ")") else ""
  loss <- if (is.null(fields$rho)) "epsilon" else "rho"
  sentence <- paste0(noise_sentence, reach, ". More of `", loss, "` or `n` is needed.")
  warn_as_is(sentence, "noise", call)
}

noise_sentence <- "The noise is as wide as the range: a release says next to nothing"

# What is reported of a loss is what the measurement that runs says of it, never what was asked for.
# Where there are several parts, `epsilon` is that of each, and `globalEps` that of all.
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

# list(epsilon, delta, rho) of one protected row: of Gaussian noise a single number is rho, and
# there is no epsilon. Else rho is NULL.
measured_loss <- function(measurement, gaussian = FALSE) {
  loss <- measurement(d_in = protected_rows)
  if (gaussian && length(loss) == 1) {
    return(list(epsilon = NA_real_, delta = 0, rho = loss[[1]]))
  }
  list(epsilon = loss[[1]], delta = if (length(loss) > 1) loss[[2]] else 0, rho = NULL)
}

# Whether neighbours differ by a row that one of them lacks; else by one that is replaced.
adds_rows <- function(fields) identical(fields$scheme, "labels")

# A release with its interval, by postprocessing.
interval_result <- function(release, fields) {
  list(
    release = release,
    variable = fields$variable,
    accuracy = fields$accuracy,
    epsilon = fields$epsilon,
    interval = c(release - fields$accuracy, release + fields$accuracy)
  )
}

# Arguments that are a promise, on which the loss rests, are named in each result.
new_result <- function(values, about, class = NULL) {
  values <- with_loss_named(values, about$loss)
  values$unverified <- about$unverified
  structure(values,
    class = c(class, "dp_result"), about = about[names(about) != "plan"], plan = about$plan
  )
}

# Of Gaussian noise, whose `loss` is list(rho, delta): a result has `rho` in the place of `epsilon`,
# or `delta` beside it.
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
