# How statistics are released, see release_on().

plan_in <- function(x) x$.__enclos_env__$private$.plan

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname release
#' @export
release.dpStatistic <- function(x, ..., data = NULL, on = NULL, version = NULL, reuse = NULL,
                                promise = NULL, table = NULL) {
  call <- quote(release())
  check_names(..., hints = loss_is_known)
  released_by_statistic(x, data, account_for(on, version, reuse, promise, table, call), call)
}

released_by_statistic <- function(x, data, account, call) {
  private <- x$.__enclos_env__$private
  # Keeps the charged release before anything else can fail or be interrupted.
  keep <- function(drawn, result = bare_result(x, drawn)) private$.result <- result
  release_on(x, data, account, keep, call)
}

#' @exportS3Method
release_form.dpStatistic <- function(x) x

#' @exportS3Method
release_unit.dpStatistic <- function(x, d_in = NULL) dp_unit(changes = protected_rows)

#' @exportS3Method
release_loss.dpStatistic <- function(x) list(plan_in(x)$fields$measurement, protected_rows)

#' @exportS3Method
release_open.dpStatistic <- function(x, data) check_columns(plan_in(x), data)

#' @exportS3Method
release_source.dpStatistic <- function(x, data) identity_of_data(data, columns_used(plan_in(x)))

#' @exportS3Method
release_ready.dpStatistic <- function(x) {
  progress <- plan_in(x)$progress
  if (!is.null(progress)) progress$ready()
}

#' @exportS3Method
release_run.dpStatistic <- function(x, data, mark) {
  list(value = release_statistic(plan_in(x), data, mark), ran = list())
}

#' @exportS3Method
release_describe.dpStatistic <- function(x, drawn) {
  with_payment_noted(described_result(plan_in(x), drawn$value), drawn)
}

#' @exportS3Method
release_label.dpStatistic <- function(x) {
  list(subject = paste0(class(x)[[1]], "()"), what = plan_in(x)$about$name)
}

# nolint end

bare_result <- function(x, drawn) with_payment_noted(bare_values(plan_in(x), drawn$value), drawn)

with_payment_noted <- function(result, drawn) {
  attr(result, "reused") <- drawn$reused
  attr(result, "receipt") <- drawn$receipt
  result
}

# Checks types and lengths of columns before the charge. read_columns() checks the numbers of rows
# in groups.
check_columns <- function(plan, data) {
  tryCatch(read_columns(plan, without_rows(data)), dp_error_rows = function(error) NULL)
  check_row_number(lapply(columns_used(plan), function(column) one_column(data, column)),
    plan$fields
  )
}

columns_used <- function(plan) unlist(plan$columns %||% plan$fields$variable)

# Spends `epsilon`. The release as the measurement gives it.
release_statistic <- function(plan, data, mark = no_mark) {
  column <- read_columns(plan, data)
  if (!is.null(plan$progress)) {
    plan$progress$start()
    on.exit(plan$progress$stop())
  }
  mark()
  released_by(plan, column)
}

# The release of the measurement of a plan, from private data.
released_by <- function(plan, columns) {
  released <- plan$fields$measurement(arg = columns)
  in_doubles(if (is.null(plan$found)) released else two_releases(plan$found, released))
}

# A statistic that was saved before plans named their columns reads its variables.
read_columns <- function(plan, data) {
  columns <- plan$read(data, plan$columns %||% plan$fields$variable)
  if (is.null(plan$converts_to)) columns else converted_columns(columns, plan$converts_to)
}

# The release with its derived numbers, or without them if their computation fails.
described_result <- function(plan, release) {
  result <- or_else(followed_result(plan, release), identity)
  if (!inherits(result, "error")) {
    return(result)
  }
  warn_dp("The release could not be described, and is all there is in the result.", "description",
    call = NULL
  )
  bare_values(plan, release)
}

followed_result <- function(plan, release) {
  if (!is.null(plan$found)) {
    return(two_described(plan, release))
  }
  new_result(plan$describe(release, plan$fields), plan$about, plan$class)
}

bare_values <- function(plan, release) {
  fields <- plan$fields
  values <- list(
    release = release, variable = fields$variable, accuracy = NA_real_, epsilon = fields$epsilon,
    globalEps = fields$globalEps, delta = fields$delta
  )
  new_result(Filter(Negate(is.null), values), plan$about)
}
