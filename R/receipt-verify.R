#' @rdname dp_receipt
#' @export
verify_release <- function(x, ledger = NULL, pubkey = NULL, value = NULL) {
  check_class(ledger, "dp_ledger", null = TRUE)
  receipt <- read_receipt(x, environment())
  pubkey <- public_key(pubkey, ledger, environment())
  state <- if (!is.null(ledger)) state_of(ledger)
  object <- object_of_plan(receipt)
  checks <- lapply(list(
    form = function() verified_form(receipt),
    signature = function() verified_signature(receipt, pubkey),
    release = function() verified_hash(receipt, value, object),
    plan = function() verified_plan(receipt, object),
    unit = function() verified_unit(receipt, object),
    facts = function() verified_facts(receipt, object),
    loss = function() verified_loss(receipt, object),
    record = function() verified_record(receipt, ledger, state),
    head = function() verified_head(receipt, ledger),
    advisories = function() verified_advisories(receipt, object)
  ), made_check)
  structure(
    data.frame(
      check = names(checks), result = vapply(checks, `[[`, "", 1),
      detail = vapply(checks, `[[`, "", 2), row.names = NULL
    ),
    class = c("dp_checks", "data.frame")
  )
}

# An untrusted receipt can have any form, so an unexpected error fails the check.
made_check <- function(check) {
  suppressWarnings(or_else(check(), function(error) failed("the receipt is malformed")))
}

passed <- function(detail) c("passed", detail)
failed <- function(detail) c("failed", detail)
unmade <- function(detail) c("not checked", detail)
# A condition that cannot be computed does not hold.
passed_if <- function(holds, yes, no) {
  if (isTRUE(or_else(holds))) passed(yes) else failed(no)
}

# Only a complete table with all digits can prove that it is a different release.
disagreement <- function(value, object, tables) {
  if (is.data.frame(value) && has_row_numbers(value)) value <- value[-1]
  why <- or_else(why_not_comparable(value, object, tables), function(error) "its form is unknown")
  if (is.null(why)) failed("a different release") else unmade(paste0("cannot be compared: ", why))
}

# The release of a statistic, if `value` is its result or the statistic.
released_value <- function(value) {
  if (is_statistic(value)) value <- value$result
  if (inherits(value, "dp_result") && is_of_statistic(value)) value$release else value
}

verified_record <- function(receipt, ledger, state) {
  if (is.null(ledger)) {
    return(unmade("the ledger was not given"))
  }
  if (!isTRUE(or_else(has_charge(ledger, state, receipt)))) {
    return(failed("the ledger has no such charge"))
  }
  stored <- receipt_of_charge(ledger, receipt$ledger$charge_seq)
  if (is.null(stored)) {
    return(unmade("the ledger has this charge, but its stored release is gone"))
  }
  passed_if(identical(unsigned_text(receipt), unsigned_text(stored)),
    "the ledger has this charge and its release", "the ledger stored a different release or receipt"
  )
}

has_charge <- function(ledger, state, receipt) {
  record <- core_ledger_record(ledger_handle(ledger), receipt$ledger$charge_seq)
  identical(state$id, receipt$ledger$id) && identical(record$kind, "charge") &&
    identical(record$plan, receipt$plan_hash) && identical(record$loss, receipt$loss) &&
    identical(record$version, receipt$version) && identical(record$time, receipt$time) &&
    identical(record$promise %||% "", receipt$promise %||% "") &&
    identical(record$table, receipt$table) &&
    identical(state$dataset, receipt$dataset) && identical(state$unit, receipt$unit) &&
    identical(state$measure, receipt$measure)
}

verified_head <- function(receipt, ledger) {
  if (is.null(ledger)) {
    return(unmade("the ledger was not given"))
  }
  passed_if(core_ledger_has(ledger_handle(ledger), receipt$ledger$head),
    "the ledger continues from it", "the ledger lacks it: an older copy, or a different ledger"
  )
}

#' @export
print.dp_checks <- function(x, ...) {
  # The caller can have chosen columns, and the receipt can be a stranger's.
  columns <- lapply(unname(unclass(x)), function(column) format(printable(column)))
  cat(sub(" +$", "", do.call(paste, c(columns, sep = "  "))), sep = "\n")
  invisible(x)
}

# Checks of the plan of a receipt: unit, facts and loss --------------------------------------------

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

# Checks of a receipt that need no ledger: form, signature and hash --------------------------------

# Parses strictly: it rejects any byte that the writer would not have written.
read_receipt <- function(x, call, arg = "x") {
  if (inherits(x, "dp_receipt")) {
    return(if (is.list(x)) unclass(x) else list())
  }
  if (is_string(x) && utils::file_test("-f", x)) {
    bytes <- readBin(x, "raw", min(file.size(x), most_bytes_of_receipt + 1))
    parts <- if (length(bytes) <= most_bytes_of_receipt) {
      tryCatch(core_parse_canonical_json(text_of_bytes(bytes)),
        dp_error_ledger = function(error) NULL
      )
    }
    return(if (is.list(parts)) parts else list())
  }
  given <- if (is_string(x)) paste("not the path of a file,", name_public(x)) else describe(x)
  stop_argument("a receipt, or the path of a receipt's file", given, arg, call)
}

# A batch of hundreds of queries takes a few MB.
most_bytes_of_receipt <- 2^26

# Drops the end of the last line. R ends a text at a byte 0 and would ignore the rest, so bytes with
# a 0 give no text.
text_of_bytes <- function(bytes) {
  if (any(bytes == 0)) {
    return("")
  }
  ends <- length(bytes) > 0 && bytes[[length(bytes)]] == charToRaw("\n")
  rawToChar(utils::head(bytes, length(bytes) - ends))
}

receipt_fields <- c(
  "accuracy", "dataset", "domain", "engine", "events", "format", "ledger", "loss", "map", "measure",
  "package", "plan", "plan_hash", "release", "rounded", "salt", "signature", "sql", "time", "unit",
  "version"
)

verified_form <- function(receipt) {
  # Receipts of older versions have no `rounded`.
  expected <- c(
    receipt_fields, if (is.list(receipt$unit)) "promise",
    if (is_string(receipt$table) && nzchar(receipt$table)) "table"
  )
  names <- c(names(receipt), if (!"rounded" %in% names(receipt)) "rounded")
  passed_if(
    identical(sort(names, method = "radix"), sort(expected, method = "radix")) &&
      identical(receipt$format, receipt_format(receipt$unit)),
    "a receipt in canonical form", "not a receipt in canonical form")
}

public_key <- function(pubkey, ledger, call) {
  if (is.raw(pubkey) && length(pubkey) == 32) {
    return(pubkey)
  }
  if (is.null(pubkey) && !is.null(ledger)) {
    return(ledger$key$public %||% ledger$pubkey)
  }
  if (is_string(pubkey) && file.exists(pubkey)) pubkey <- readLines(pubkey, n = 1, warn = FALSE)
  if (is.null(pubkey) || (is_string(pubkey) && grepl("^[0-9a-f]{64}$", pubkey))) {
    return(if (!is.null(pubkey)) hex_to_raw(pubkey))
  }
  came <- if (is_string(pubkey)) "neither digits nor a file that exists" else describe(pubkey)
  stop_argument("32 bytes, 64 hexadecimal digits or a file of them", came, "pubkey", call)
}

verified_signature <- function(receipt, pubkey) {
  signature <- receipt$signature
  if (!is_string(signature) || !nzchar(signature)) {
    unsigned <- "the receipt is not signed"
    return(if (is.null(pubkey)) unmade(unsigned) else failed(paste0(unsigned, ", but should be")))
  }
  if (is.null(pubkey)) {
    return(unmade("the public key was not given"))
  }
  passed_if(is_signed(unsigned_text(receipt), signature, pubkey), "signed with the curator's key",
    "not signed with this key, or changed"
  )
}

verified_hash <- function(receipt, value, object) {
  if (is.null(value)) {
    return(unmade("the release was not given as `value`"))
  }
  value <- read_published(value)
  tables <- or_else(planned_tables(object))
  switch(agreement_with(receipt, value, tables),
    exact = passed("the release is the one of the receipt"),
    rounded = unmade(paste("the release agrees in 15 digits: `value` must be the saved object, or",
      "have 17 digits")),
    disagreement(value, object, tables)
  )
}
