# Checks of the plan of a receipt: unit, facts and loss.

# The object that the plan builds. NULL without a plan, or if it builds nothing.
object_of_plan <- function(receipt) {
  if (!is_string(receipt$plan) || !nzchar(receipt$plan)) {
    return(NULL)
  }
  # The warning of its noise went to the author of the plan.
  plan <- function() suppressWarnings(planned_in(from_json(receipt$plan)))
  or_else(with_features("contrib", plan()), function(error) {
    # Older versions wrote queries in the form of stored values.
    form <- or_else(value_in_text(receipt$plan, planned_classes))
    if (inherits(form, names(planned_classes))) form
  })
}

# Marks the text of a plan as planned.
planned_in <- function(x) UseMethod("planned_in")

#' @exportS3Method
planned_in.default <- function(x) x # nolint: object_name_linter.

# Returns the plans of a batch, by name. Any other plan returns itself.
planned_members <- function(x) UseMethod("planned_members")

#' @exportS3Method
planned_members.default <- function(x) list(x) # nolint: object_name_linter.

# Whether a plan loses at most `loss`, a text, in that measure.
loses_within <- function(x, measure, loss, d_in) UseMethod("loses_within")

#' @exportS3Method
loses_within.default <- function(x, measure, loss, d_in) { # nolint: object_name_linter.
  core_loss_covers(measure, loss, list(as_measurement(x)), d_in)
}

# The rule of each cap of a plan, as text.
planned_caps <- function(x) UseMethod("planned_caps")

#' @exportS3Method
planned_caps.default <- function(x) character() # nolint: object_name_linter.

# The plan of a statistic may describe its measurement, which charge() released.
hashes_of <- function(object) {
  c(plan_hash(object), if (is_statistic(object)) plan_hash(object$measurement))
}

verified_plan <- function(receipt, object) {
  if (identical(receipt$plan, "")) {
    return(unmade("the plan holds a user function, and is not in the receipt"))
  }
  holds <- is_string(receipt$plan_hash) && isTRUE(or_else(receipt$plan_hash %in% hashes_of(object)))
  caps <- if (holds) planned_caps(object)
  passed_if(holds, paste(c("the plan has the hash of the receipt", caps), collapse = "; "),
    "another plan, or none"
  )
}

# A plan sorts the columns of an id by name, but a ledger keeps the curator's order.
unit_text_fields <- function(unit) {
  count <- regmatches(unit, regexpr("^[0-9]+ ", unit))
  columns <- strsplit(sub("^[0-9]+ ", "", unit), " and ", fixed = TRUE)[[1]]
  c(count, sort(columns, method = "radix"))
}

# The receipt must not choose the distance for its loss check.
verified_unit <- function(receipt, object) {
  if (identical(receipt$plan, "")) {
    return(unmade("there is no plan"))
  }
  if (is.null(object)) {
    return(failed("another plan, or none"))
  }
  planned <- release_unit(object, whole_in_text(receipt$map$d_in))
  if (is.null(planned)) {
    return(unmade("a measurement of this metric does not say which data are neighbours"))
  }
  if (!identical(receipt$map$d_in, distance_text(planned$count))) {
    return(failed("`d_in` differs from the plan"))
  }
  if (is.list(receipt$unit)) {
    return(verified_parts(receipt, planned, is_promised(receipt)))
  }
  if (is_planned(object)) {
    # Ledgers of older versions name their unit freely.
    return(if (is_statistic(object)) {
      passed("`d_in` agrees with the plan")
    } else {
      unmade("the ledger describes its unit in words")
    })
  }
  holds <- is_string(receipt$unit) &&
    identical(unit_text_fields(receipt$unit), unit_text_fields(format(planned)))
  passed_if(holds, "`unit` and `d_in` agree with the plan", "`unit` differs from the plan")
}

is_promised <- function(receipt) is_string(receipt$promise) && nzchar(receipt$promise)

# The person who charged made the promise. No promise is needed if the number of units is protected.
verified_parts <- function(receipt, planned, promised) {
  protected <- protects(unit_fields(planned), receipt$unit)
  if (protected) {
    return(passed("the plan protects the unit of the receipt"))
  }
  if (promised && identical(receipt$unit$relation, "replace") &&
    protects(unit_fields(planned), as_rows(receipt$unit))) {
    return(unmade(paste0("promised by the caller: \"", receipt$promise, "\"")))
  }
  failed(paste0("the plan protects ", unit_words(planned), ", not the unit of the receipt"))
}

whole_in_text <- function(text) {
  if (is_string(text) && grepl("^[1-9][0-9]{0,9}$", text)) as.double(text)
}

# Checks that domain, accuracy and events follow from the plan.
verified_facts <- function(receipt, object) {
  if (identical(receipt$plan, "")) {
    return(unmade("there is no plan"))
  }
  passed_if(
    {
      facts <- planned_facts(object, distance_in(receipt, object))
      identical(core_to_canonical_json(facts), core_to_canonical_json(receipt[names(facts)]))
    },
    "domain, accuracy and events are those of the plan",
    "domain, accuracy or events are not those of the plan"
  )
}

# Checks that the privacy map of the plan, in the receipt's measure, is at most the receipt's loss.
verified_loss <- function(receipt, object) {
  if (identical(receipt$plan, "")) {
    return(unmade("there is no plan"))
  }
  passed_if(
    {
      d_in <- distance_in(receipt, object)
      loses_within(object, receipt$measure, receipt$loss, d_in) &&
        identical(receipt$map$d_out, receipt$loss)
    },
    "the map of the plan loses no more", "the map of the plan loses more"
  )
}

# The distance of neighbouring data, from the plan if it has one. Distances in rows are whole
# numbers, whose type depends on the metric.
distance_in <- function(receipt, object) {
  # Uses the distance of the plan, not of the receipt. verified_unit() compares them.
  planned <- release_unit(object, whole_in_text(receipt$map$d_in))
  text <- if (is.null(planned)) receipt$map$d_in else distance_text(planned$count)
  d_in <- as.double(strsplit(text, ",", fixed = TRUE)[[1]])
  if (length(d_in) == 1) d_in else as.list(d_in)
}
