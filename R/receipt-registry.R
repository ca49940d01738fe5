#' Describe a release for a public registry
#'
#' `as_registry_entry()` turns a receipt into the facts that public registries of deployments of
#' differential privacy ask for, with a row for each field. It reads the receipt only and verifies
#' nothing: see [verify_release()].
#'
#' @param receipt (`dp_receipt`) Receipt of a release, [dp_receipt()].
#' @param ... Further fields by name, such as `data_holder = "City of X"`: strings. Public.
#' @returns A data frame with the columns `field` and `value`. The fields are `dataset`, `version`,
#'   `date`, `model`, `definition`, one for each part of the loss, `meaning`, `unit`, `neighbours`,
#'   `caps`, `mechanisms`, `software`, `ledger`, `plan`, `signed`, then yours.
#' @section Errors: `dp_error_invalid_argument` if `receipt` has a different class, or a field of
#'   yours has no name, the name of another field, or is not a string.
#' @references National Institute of Standards and Technology (2025), *Guidelines for
#'   Evaluating Differential Privacy Guarantees*.
#' @seealso [dp_receipt()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' ledger <- dp_ledger_create(tempfile(), "survey", dp_unit(rows = 1), dp_epsilon(1), version = "1")
#' people <- dp_tbl(dp_session(ledger = ledger), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(age = dp_int(18, 93))
#' )
#' released <- people |> dplyr::count() |> release(epsilon = 0.1)
#' as_registry_entry(dp_receipt(released), data_holder = "City of X")
#' @export
as_registry_entry <- function(receipt, ...) {
  check_class(receipt, "dp_receipt")
  loss <- receipt$loss[order(names(receipt$loss) == "delta")]
  amounts <- vapply(loss, shown_amount, "")
  caps <- or_else(planned_caps(object_of_plan(receipt)))
  mechanisms <- vapply(receipt$events, function(event) paste(event$mechanism), "")
  fields <- c(
    dataset = receipt$dataset, version = receipt$version, date = receipt$time,
    model = "central", definition = receipt$measure,
    stats::setNames(unname(amounts), names(loss)), meaning = meaning_of_receipt(receipt),
    unit = protected_in_words(receipt),
    neighbours = gsub("_", " or ", paste(receipt$unit$relation)),
    caps = paste(caps, collapse = "; "), mechanisms = paste(unique(mechanisms), collapse = "; "),
    software = receipt$package, ledger = receipt$ledger$id, plan = receipt$plan_hash,
    signed = if (nzchar(receipt$signature)) "yes" else "no"
  )
  fields <- c(fields, check_registry_fields(list(...), names(fields), environment()))
  data.frame(field = names(fields), value = unname(fields))
}

check_registry_fields <- function(given, known, call) {
  names <- names(given) %||% rep("", length(given))
  if (any(names == "") || anyDuplicated(names) || any(names %in% known)) {
    stop_argument("new fields with names", "others", "...", call)
  }
  for (name in names) check_string(given[[name]], arg = name, call = call)
  unlist(given)
}

meaning_of_receipt <- function(receipt) {
  loss <- lapply(receipt$loss, as.double)
  measure <- setdiff(names(loss), "delta")
  words <- or_else(loss_in_words(new_loss(measure, loss[[measure]], loss$delta)))
  paste(words, collapse = "; ")
}
