# The plan of a query or a batch, without data, as receipts store it. See release_form().

# A query with its loss and the alpha of its intervals. The canonical form makes the hash
# independent of the column order.
planned_query <- function(query, loss, alpha) {
  structure(
    list(query = canonical_query(form_of_query(query)), loss = unclass(loss), alpha = alpha),
    class = "dp_planned_query"
  )
}

hash_of_query <- function(query, loss, alpha) plan_hash(planned_query(query, loss, alpha))

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @rdname plans
#' @export
plan_hash.dp_query <- function(x, loss, alpha = 0.05, ...) {
  check_names(...)
  check_class(loss, "dp_loss")
  check_probability(alpha)
  hash_of_query(x, loss, alpha)
}

#' @exportS3Method
plan_hash.dp_planned_query <- function(x, ...) {
  check_names(...)
  hash_of(core_node_digest(list(statistic = "dp_query", args = given_fields(unclass(x)))))
}

#' @exportS3Method
as_measurement.dp_planned_query <- function(x, ...) {
  check_names(...)
  measurement_of(compiled_plan(x))
}

#' @exportS3Method
release_unit.dp_planned_query <- function(x, d_in = NULL) {
  unit <- x$query$source$unit
  # A receipt can come from anybody, so its plan can be malformed.
  if (!is_string(unit$kind) || !unit$kind %in% c("rows", "changes", "id")) {
    stop_dp("a planned query must have a unit.", "serialization", call = NULL)
  }
  structure(unit[c("kind", "id", "count")], class = "dp_unit")
}

#' @exportS3Method
planned_facts.dp_planned_query <- function(x, d_in) {
  compiled <- compiled_plan(x)
  preview <- as_columns(compiled$preview)
  list(
    domain = declaration_hash(x$query$source),
    accuracy = rows_in_text(list(
      alpha = x$alpha, column = preview$column, part = preview$part, value = preview$accuracy
    )),
    events = rows_in_text(unclass(compiled$events))
  )
}

#' @exportS3Method
plan_text.dp_planned_query <- function(form) text_of_planned(form)

#' @rdname plans
#' @export
plan_hash.dp_batch <- function(x, loss, alpha = 0.05, ...) {
  check_names(...)
  plan_hash(planned_batch(x, loss, alpha, environment()))
}

#' @exportS3Method
plan_hash.dp_planned_batch <- function(x, ...) {
  check_names(...)
  hash_of(core_node_digest(list(
    statistic = "dp_plan",
    args = list(members = lapply(x$members, plan_hash), accountant = x$accountant)
  )))
}

#' @rdname as_measurement
#' @export
as_measurement.dp_batch <- function(x, loss, ...) {
  check_names(...)
  as_measurement(planned_batch(x, loss, 0.05, environment()))
}

#' @exportS3Method
as_measurement.dp_planned_batch <- function(x, ...) {
  check_names(...)
  with_features("contrib", make_composition(unname(measurements_in(x))))
}

#' @exportS3Method
release_unit.dp_planned_batch <- function(x, d_in = NULL) {
  units <- lapply(x$members, release_unit)
  if (length(unique(lapply(units, unit_fields))) != 1) {
    stop_dp("the members of a batch must have one unit.", "serialization", call = NULL)
  }
  units[[1]]
}

#' @exportS3Method
planned_facts.dp_planned_batch <- function(x, d_in) {
  facts <- lapply(x$members, planned_facts, d_in)
  rows <- function(part) {
    named <- Map(function(fact, member) lapply(fact[[part]], c, list(member = member)), facts,
      names(facts)
    )
    unlist(unname(named), recursive = FALSE)
  }
  domains <- vapply(facts, `[[`, "", "domain")
  list(
    domain = core_sha256(paste(domains, collapse = "\n")), accuracy = rows("accuracy"),
    events = rows("events")
  )
}

#' @exportS3Method
planned_members.dp_planned_batch <- function(x) x$members

#' @exportS3Method
loses_within.dp_planned_batch <- function(x, measure, loss, d_in) {
  measurements <- unname(measurements_in(x))
  adds_up <- core_loss_covers(measure, loss, measurements, d_in)
  if (adds_up || x$accountant == "additive") {
    return(adds_up)
  }
  most <- lapply(loss, function(part) core_within_decimal(as.numeric(part)))
  compose_pld(measurements, d_in = d_in)$epsilon(most$delta) <= most$epsilon
}

# nolint end

measurements_in <- function(batch) lapply(batch$members, as_measurement)

planned_batch <- function(batch, loss, alpha, call) {
  check_class(loss, "dp_loss", call = call)
  check_probability(alpha, call = call)
  release_form(batch_with_cost(batch, loss, alpha, call))
}

compiled_plan <- function(x) {
  loss <- new_loss(names(x$loss)[[1]], x$loss[[1]], x$loss$delta)
  core_query_compile(x$query, within_asked(loss), x$alpha)
}
