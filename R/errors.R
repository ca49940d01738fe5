#' Handle errors of the package
#'
#' Describes the error classes of the package. Every deliberate error is a condition of class
#' `dp_error` and of one more specific class, so a handler can match the class instead of the
#' wording. No condition holds data: its message names only arguments and public parameters, its
#' call is the bare name of a function, and it carries no trace.
#'
#' Errors of the framework start with their published name in brackets, for example
#' `[MakeDomain] : ...`. Errors of the searches, of queries and ledgers (`dp_error_unbounded` to
#' `dp_error_ledger`) and of the R functions (the last seven rows) do not.
#'
#' | class | `variant` | raised when |
#' |---|---|---|
#' | `dp_error_ffi` | `FFI` | an argument cannot be passed to the core |
#' | `dp_error_type_parse` | `TypeParse` | a type descriptor cannot be read |
#' | `dp_error_type` | `Type` | a type is not allowed here, or is not the expected one |
#' | `dp_error_failed_function` | `FailedFunction` | a function, or a user's function, fails |
#' | `dp_error_failed_map` | `FailedMap` | a stability or privacy map has no answer |
#' | `dp_error_relation_debug` | `RelationDebug` | a relation between distances does not hold |
#' | `dp_error_failed_cast` | `FailedCast` | a value does not fit the required type |
#' | `dp_error_domain_mismatch` | `DomainMismatch` | two steps of a chain have different domains |
#' | `dp_error_metric_mismatch` | `MetricMismatch` | two steps of a chain have different metrics |
#' | `dp_error_measure_mismatch` | `MeasureMismatch` | privacy measures differ |
#' | `dp_error_make_domain` | `MakeDomain` | a domain cannot be made |
#' | `dp_error_make_transformation` | `MakeTransformation` | a transformation cannot be made |
#' | `dp_error_make_measurement` | `MakeMeasurement` | a measurement cannot be made |
#' | `dp_error_metric_space` | `MetricSpace` | a domain and a metric do not belong together |
#' | `dp_error_invalid_distance` | `InvalidDistance` | a distance or privacy parameter is invalid |
#' | `dp_error_search` | `Search` | a search finds no boundary |
#' | `dp_error_overflow` | `Overflow` | a number leaves the range of its type |
#' | `dp_error_not_implemented` | `NotImplemented` | a combination is not supported |
#' | `dp_error_entropy` | `Entropy` | the operating system provides no randomness |
#' | `dp_error_memory` | `Memory` | there is not enough memory |
#' | `dp_error_stale_object` | `StaleObject` | an object came from a file or another process |
#' | `dp_error_storage` | `Storage` | a file cannot be locked, or written to stable storage |
#' | `dp_error_unbounded` | `Unbounded` | one person can change a query without limit |
#' | `dp_error_keys` | `Keys` | groups are not public, or no budget covers their release |
#' | `dp_error_domain` | `Domain` | a column is not declared, or its declaration is not valid |
#' | `dp_error_unsupported` | `Unsupported` | a verb or function would show rows or combine them |
#' | `dp_error_budget` | `Budget` | a release exceeds the budget, or its measure differs |
#' | `dp_error_source` | `Source` | data have a different form than declared |
#' | `dp_error_backend` | `Backend` | reading the data of a query failed. The charge stays |
#' | `dp_error_ledger` | `Ledger` | a ledger is damaged or an older copy, or lacks a named object |
#' | `dp_error_key_reused` | `KeyReused` | the key of a release was used for a different release |
#' | `dp_error_unit` | `Unit` | a ledger protects a different unit than the release |
#' | `dp_error_invalid_argument` | `InvalidArgument` | an argument is not valid |
#' | `dp_error_audit_data` | `AuditData` | an audit was given a table with data |
#' | `dp_error_rows` | `Rows` | data have a different number of rows than declared |
#' | `dp_error_missing_feature` | `MissingFeature` | a feature must be enabled first |
#' | `dp_error_missing_package` | `MissingPackage` | a suggested package must be installed first |
#' | `dp_error_serialization` | `Serialization` | an object cannot be written as text, or read |
#'
#' Deliberate warnings have the class `dp_warning` in the same way, see [dpMean()].
#'
#' @section Fields:
#' * `variant` (`character(1)`): the variant in the table.
#' * `argument` (`character`): for `dp_error_invalid_argument` and `dp_error_rows`, the names of the
#'   arguments that are missing or wrong.
#' * `feature` (`character(1)`): for `dp_error_missing_feature`, the name to pass to
#'   [enable_features()].
#' * `package` (`character(1)`): for `dp_error_missing_package`, the name of the package.
#'
#' @examples
#' tryCatch(
#'   laplacian_scale_to_accuracy(scale = -1, alpha = 0.05),
#'   dp_error_invalid_distance = function(error) error$variant
#' )
#' @name dp_errors
NULL

# In the order of the core's ErrorKind (src/core/error.h), then the kinds that only R raises. The
# core's `interrupted` is not an R error: the boundary turns it into R's own interrupt.
error_variants <- c(
  ffi = "FFI",
  type_parse = "TypeParse",
  type = "Type",
  failed_function = "FailedFunction",
  failed_map = "FailedMap",
  relation_debug = "RelationDebug",
  failed_cast = "FailedCast",
  domain_mismatch = "DomainMismatch",
  metric_mismatch = "MetricMismatch",
  measure_mismatch = "MeasureMismatch",
  make_domain = "MakeDomain",
  make_transformation = "MakeTransformation",
  make_measurement = "MakeMeasurement",
  metric_space = "MetricSpace",
  invalid_distance = "InvalidDistance",
  search = "Search",
  overflow = "Overflow",
  not_implemented = "NotImplemented",
  entropy = "Entropy",
  memory = "Memory",
  stale_object = "StaleObject",
  storage = "Storage",
  unbounded = "Unbounded",
  keys = "Keys",
  domain = "Domain",
  unsupported = "Unsupported",
  budget = "Budget",
  source = "Source",
  backend = "Backend",
  ledger = "Ledger",
  key_reused = "KeyReused",
  unit = "Unit",
  invalid_argument = "InvalidArgument",
  audit_data = "AuditData",
  rows = "Rows",
  missing_feature = "MissingFeature",
  missing_package = "MissingPackage",
  serialization = "Serialization"
)

# Kinds whose messages do not show a variant: searches run in R, queries have no published variants,
# and the others exist only in R.
unannounced_kinds <- c(
  "search", "invalid_argument", "rows", "missing_feature", "missing_package", "serialization",
  "unbounded", "keys", "domain", "unsupported", "budget", "source", "backend", "ledger",
  "key_reused", "unit", "audit_data"
)

# Raises a `dp_error`. `message` is a cli template: `{name}` is replaced by its value in `.envir`,
# and braces within that value stay. `call` is a frame or a call. Only the name of its function is
# kept. Pass fields for handlers through `...`, but never data.
stop_dp <- function(message, kind, ..., call = rlang::caller_env(),
                    .envir = rlang::caller_env()) {
  sentence <- cli::ansi_strip(cli::format_inline(message, .envir = .envir))
  raise(sentence, kind, error_variants[[kind]], ..., call = call)
}

# Joins a problem sentence and an instruction. Neither is a template, because column names can have
# braces.
stop_with_hint <- function(kind, sentence, hint = NULL, call = rlang::caller_env(), ...) {
  message <- paste0(sentence, if (!is.null(hint)) paste0("\ni ", hint))
  raise(message, kind, error_variants[[kind]], ..., call = call_of_verb(call))
}

# The bare call of a verb: `filter()` if R calls `filter.dp_tbl()`.
call_of_verb <- function(call) {
  call <- bare_call(call)
  if (is.call(call) && is.symbol(call[[1]])) {
    verb <- sub("[.]dp_(tbl|query|written_query|private|plan|batch)$", "", as.character(call[[1]]))
    call <- as.call(list(as.name(verb)))
  }
  call
}

# Called only from C++. The sentence is a value, not a template: its braces are not evaluated.
stop_core <- function(kind, variant, sentence) {
  raise(sentence, kind, variant, call = caller_of_binding())
}

raise <- function(sentence, kind, variant, ..., call) {
  if (!kind %in% unannounced_kinds) {
    sentence <- paste0("[", variant, "] : ", sentence)
  }
  raise_again(rlang::error_cnd(
    class = c(paste0("dp_error_", kind), "dp_error"),
    variant = variant,
    ...,
    message = sentence,
    call = bare_call(call),
    trace = NULL
  ))
}

# Raises an error unchanged. rlang's functions would add a trace, whose frames hold the data of
# `do.call(f, list(data))`.
raise_again <- function(error) stop(error)

# A warning of class `dp_warning`, under the rules of stop_dp(): no data, no trace.
warn_dp <- function(message, kind, call = rlang::caller_env(), .envir = rlang::caller_env()) {
  warn_as_is(cli::ansi_strip(cli::format_inline(message, .envir = .envir)), kind, call)
}

# The sentence is a value, not a template: building it directly takes a tenth of the time.
warn_as_is <- function(sentence, kind, call) {
  warning(rlang::warning_cnd(
    class = c(paste0("dp_warning_", kind), "dp_warning"),
    message = sentence,
    call = bare_call(call)
  ))
}
