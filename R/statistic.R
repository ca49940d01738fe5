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
