# Facts of a plan that a receipt states.

# Facts that follow from a plan, which a receipt shows: list(domain, accuracy, events), all
# of text. Neighbouring data are `d_in` apart.
planned_facts <- function(x, d_in) UseMethod("planned_facts")

#' @exportS3Method
planned_facts.default <- function(x, d_in) { # nolint: object_name_linter.
  x <- planned(x)
  measurement <- as_measurement(x)
  domain <- core_sha256(enc2utf8(paste(format(measurement$input_domain), collapse = "\n")))
  list(domain = domain, accuracy = if (is_statistic(x)) stated_accuracy(x) else list(),
    events = noise_events(x, d_in))
}

stated_accuracy <- function(statistic) {
  accuracy <- statistic[["accuracy"]]
  if (!is.numeric(accuracy)) {
    return(list())
  }
  about <- list(
    alpha = statistic[["alpha"]], column = toString(statistic[["variable"]]), value = accuracy
  )
  rows_in_text(about)
}

# Converts a list of equally long columns to a list of rows. Numbers are written so that they read
# back exactly. Missing values are left out.
rows_in_text <- function(columns) {
  columns <- lapply(columns, function(x) {
    if (is.numeric(x)) ifelse(is.na(x), NA, sprintf("%.17g", x)) else enc2utf8(as.character(x))
  })
  lapply(seq_len(max(lengths(columns))), function(i) {
    row <- lapply(columns, function(x) x[[min(i, length(x))]])
    row[!is.na(row)]
  })
}

# The plan in its form for receipts: empty if it holds a user function.
plan_text <- function(form) UseMethod("plan_text")

#' @exportS3Method
plan_text.default <- function(form) { # nolint: object_name_linter.
  tryCatch(
    enc2utf8(as.character(to_json(planned(form)))), dp_error_serialization = function(error) ""
  )
}

# Returns the statistic behind a measurement, or the measurement.
planned <- function(measurement) {
  node <- plan_of(measurement)
  if (identical(node$part, "measurement") && is_statistic(node$of)) node$of else measurement
}

# Writes numbers as text that reads back exactly.
distance_text <- function(d_in) paste(sprintf("%.17g", unlist(d_in)), collapse = ",")
