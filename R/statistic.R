# Shared by all statistics. A statistic holds a plan and the result of the last release. A plan is
# a list of public fields that a plan_* function makes. One field is the measurement.

dpStatistic <- new_generator(R6::R6Class("dpStatistic",
  public = list(
    # The `...` keeps misspelt names away from R, whose own error would show the data.
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
    # Constructors call this with their generator and their frame.
    .start = function(generator, frame) {
      name <- class(self)[[1]]
      declared <- declaration_of(generator)
      formals <- formals(generator)
      left_out <- left_out_of(declared$required, declared$or, declared$call, frame, formals)
      arguments <- as_it_is(arguments_in(frame, declared, unchecked(left_out)))
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
      # An omitted argument that a rule chose counts as given.
      arguments[names(plan$chosen)] <- plan$chosen
      plan$converts_to <- converted_type(arguments)
      plan$about$notes <- notes_of_plan(name, plan$fields, arguments)
      plan$about <- with_limits(plan$about, name, plan$fields)
      plan$identity <- identified(name, arguments, plan$fields)
      plan$about$plan <- hash_of(plan$identity$digest)
      plan$drawn <- plan_of(plan$fields$measurement)
      private$.plan <- plan
      # Clones without the result, so a measurement sent elsewhere does not carry the release.
      keep_plan(plan$fields$measurement, list(part = "measurement", of = self$clone()))
      # The input space belonged to a chain before.
      private$.plan$fields$input_metric <- plan$fields$measurement("input_metric")
    }
  )
))

# Members of statistics and mechanisms, by name ----------------------------------------------------

# A misspelt field raises an error instead of giving NULL.
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
  hint <- if (length(close) > 0) paste0(". Did you mean `", close[[1]], "`?") else "."
  stop_dp("{owner} has no {kind} `{name}`{hint}", "invalid_argument", argument = "name",
    call = NULL
  )
}

# Results of statistics as text tables, for dp_publish() and documents -----------------------------

# S3 method names contain dots.
# nolint start: object_name_linter.

result_texts.dp_result <- function(x, what, digits, rows, call) {
  if (!is.null(what)) stop_argument("left out for a statistic", "given", "what", call)
  check_number(digits, above = 0, call = call)
  table <- as.data.frame(x)
  shown <- show_columns(utils::head(with_signs(table), rows), digits)
  list(
    tables = list(list(table = shown, more = nrow(table) - nrow(shown),
      none = "No value is frequent enough to be released."
    )),
    notes = notes_of_result(x, table)
  )
}

#' @exportS3Method flextable::as_flextable
as_flextable.dp_result <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

#' @exportS3Method flextable::as_flextable
as_flextable.dpStatistic <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

# nolint end

# Cost of the numbers, targets of their intervals, and notes for readers.
notes_of_result <- function(x, table) {
  loss <- result_facts(x)
  c(
    paste0(
      "Differentially private ", loss$method, ": ", shown_loss(loss, digits = 5),
      if (loss$delta > 0) paste(" and delta", show_loss(loss$delta, 3)),
      " for ", protected_unit(attr(x, "about")$adds_rows),
      if (!is.na(loss$n)) paste0(", n = ", show_number(loss$n, 15)), "."
    ),
    if (any(is.finite(table$conf.low))) {
      paste0(100 * (1 - loss$alpha), "% intervals are for ", main_target(x), ".")
    },
    if (isTRUE(attr(x, "about")$noise_dominates)) paste0(noise_sentence, "."),
    paste0(imputation_sentence(imputation_source(x)), ".", recycle0 = TRUE),
    paste0(as_sentences(reading_notes(x)), recycle0 = TRUE)
  )
}

#' Choosing a statistic, and its arguments
#'
#' A statistic is a plan for releases. Building it checks the arguments and chooses the noise, and
#' reads no data. The tables list the question of each statistic, and the rules of its arguments.
#'
#' @section Order of arguments: You give the columns first, then `n`, `rng` and `epsilon`:
#'   `dpMean("age", 1000, c(0, 100), 1)`. Give all arguments after these by name. `dpMean$new()`
#'   does the same as `dpMean()`, and so for every statistic.
#'
#'   [dpContingency()], [dpKMeans()], [dpMeanDifference()], [dpNaiveBayes()] and [dpPCA()] have
#'   other public facts, such as `k`, before `n`. Their usage shows the order.
#'
#'   Older scripts begin with the mechanism: `dpMean("mechanismLaplace", "numeric", "age", 1000)`.
#'   Such calls still work. If an argument without a name is a mechanism, or a `varType` where the
#'   order above has none, the call is matched in the older order. The plan and its hash are the
#'   same in either order.
#' @eval c("@section Questions and statistics:", questions_table())
#' @eval c("@section What arguments must be:", arguments_table())
#' @seealso `vignette("PSIlence")` works one case from a table to a publication. Use
#'   [dp_tbl()] if a person has several rows.
#' @examples
#' share <- dpMean("married", n = 10000, epsilon = 0.1, varType = "logical")
#' share$accuracy
#' @name statistics
NULL

#' Errors of statistics
#'
#' A statistic checks its arguments when you build it, and the columns of `data` before it reads any
#' value. So neither the class nor the message of an error depends on private values.
#'
#' * `dp_error_invalid_argument`: for invalid arguments, before any data are read, and for
#'   unsuitable `data`, before any value is read.
#' * `dp_error_rows`: if the number of rows differs from `n`.
#' * `dp_error_make_domain`, `dp_error_make_transformation`, `dp_error_search`: for ranges or losses
#'   that the arithmetic cannot represent.
#' * `dp_error_stale_object`: if another version of the package saved the object, and its release
#'   cost less there.
#'
#' The message about `data` names the kind of column, such as a factor or a Date, and depends on
#' nothing else. The message about rows contains neither number.
#' @examples
#' mean_age <- dpMean("age", n = 5, rng = c(18, 93), epsilon = 1)
#' try(mean_age$release(data.frame(age = c("23", "45", "31", "60", "52"))))
#' try(mean_age$release(data.frame(age = c(23, 45))))
#' @seealso [dp_errors] for all classes
#' @name statistic_errors
NULL
