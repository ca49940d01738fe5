# What all statistics share. A statistic is a plan (a list of public fields, its measurement among
# them, made by a plan_* function) and the result of the last release.

dpStatistic <- R6::R6Class("dpStatistic",
  public = list(
    release = function(data) {
      private$.result <- release_statistic(private$.plan, data)
      private$.result
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
  private = list(.plan = NULL, .result = NULL)
)

# A plan: `fields`, all of them public; `describe(release, fields)`, the result that follows from
# these; if a release may take long, what shows its progress; `read(data, variable)`, which takes
# the columns out of the data; and of the result its class, its name, and what it is that stays
# `within` the accuracy. It must hold no closure made in the frame of a constructor: an argument
# that was never evaluated keeps the frames of its callers alive, and the data in them. A copy of a
# statistic that was loaded or sent elsewhere must not release on its own what the original accounts
# for, so its measurement is not to be built again.
new_plan <- function(fields, describe, progress = NULL, read = column_of, class = NULL,
                     name = fields$name, within = "the noise") {
  forget_log(fields$measurement)
  list(
    fields = fields, describe = describe, progress = progress, read = read, class = class,
    about = list(
      name = name, n = fields$n, alpha = fields$alpha, within = within,
      adds_rows = adds_rows(fields)
    )
  )
}

# Whether neighbours differ by a row that one of them lacks; else by one that is replaced.
adds_rows <- function(fields) identical(fields$scheme, "labels")

# Checks the type of the data, then spends `epsilon`.
release_statistic <- function(plan, data) {
  column <- plan$read(data, plan$fields$variable)
  if (!is.null(plan$progress)) {
    plan$progress$start()
    on.exit(plan$progress$stop())
  }
  release <- snapped(plan$fields$measurement(arg = column), plan$fields)
  new_result(plan$describe(release, plan$fields), plan$about, plan$class)
}

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

new_result <- function(values, about, class = NULL) {
  structure(values, class = c(class, "dp_result"), about = about)
}
