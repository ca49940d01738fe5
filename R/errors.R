#' Errors of the package
#'
#' Every error that the package raises on purpose is a condition of class `dp_error`, and of one
#' class more that says what went wrong, so that a handler can match on class instead of wording.
#' No condition holds data: its message names arguments and public parameters only, its call is
#' the bare name of a function, and it carries no trace.
#'
#' Errors of the framework start with their published name in brackets, as in
#' `[MakeDomain] : ...`. Those of the searches, of queries and ledgers (`dp_error_unbounded` to
#' `dp_error_ledger`) and of the R surface (the last six rows) do not.
#'
#' | class | `variant` | raised when |
#' |---|---|---|
#' | `dp_error_ffi` | `FFI` | an argument cannot be handed to the core |
#' | `dp_error_type_parse` | `TypeParse` | a type descriptor cannot be read |
#' | `dp_error_type` | `Type` | a type is not allowed here, or is not the expected one |
#' | `dp_error_failed_function` | `FailedFunction` | a function, or a function of the user, fails |
#' | `dp_error_failed_map` | `FailedMap` | a stability or privacy map has no answer |
#' | `dp_error_relation_debug` | `RelationDebug` | a relation between distances does not hold |
#' | `dp_error_failed_cast` | `FailedCast` | a value does not fit the type it is needed in |
#' | `dp_error_domain_mismatch` | `DomainMismatch` | a chain meets a domain it was not made for |
#' | `dp_error_metric_mismatch` | `MetricMismatch` | a chain meets a metric it was not made for |
#' | `dp_error_measure_mismatch` | `MeasureMismatch` | privacy measures differ |
#' | `dp_error_make_domain` | `MakeDomain` | a domain cannot be made |
#' | `dp_error_make_transformation` | `MakeTransformation` | a transformation cannot be made |
#' | `dp_error_make_measurement` | `MakeMeasurement` | a measurement cannot be made |
#' | `dp_error_metric_space` | `MetricSpace` | a domain and a metric do not belong together |
#' | `dp_error_invalid_distance` | `InvalidDistance` | a distance or privacy parameter is invalid |
#' | `dp_error_search` | `Search` | a search finds no boundary |
#' | `dp_error_overflow` | `Overflow` | a number leaves the range of its type |
#' | `dp_error_not_implemented` | `NotImplemented` | a combination is not supported |
#' | `dp_error_entropy` | `Entropy` | the operating system gives no randomness |
#' | `dp_error_memory` | `Memory` | the machine has not as much memory as this takes |
#' | `dp_error_stale_object` | `StaleObject` | an object came from a file or another process |
#' | `dp_error_storage` | `Storage` | a file cannot be locked, or written to stable storage |
#' | `dp_error_unbounded` | `Unbounded` | one person may change a query without limit |
#' | `dp_error_keys` | `Keys` | groups are not public, or nothing pays for their release |
#' | `dp_error_domain` | `Domain` | a column is not declared, or not as it has to be |
#' | `dp_error_unsupported` | `Unsupported` | a verb or function would show rows or mix them |
#' | `dp_error_budget` | `Budget` | a release costs more than is left, or has another currency |
#' | `dp_error_source` | `Source` | data have another form than was declared |
#' | `dp_error_backend` | `Backend` | reading the data of a query failed; the charge stays |
#' | `dp_error_ledger` | `Ledger` | a ledger is damaged, is an older copy, or lacks what is named |
#' | `dp_error_key_reused` | `KeyReused` | the key of a release was used for another one |
#' | `dp_error_unit` | `Unit` | a ledger protects another unit than what would be released |
#' | `dp_error_invalid_argument` | `InvalidArgument` | an argument is not what it must be |
#' | `dp_error_rows` | `Rows` | data have another number of rows than was declared |
#' | `dp_error_missing_feature` | `MissingFeature` | a feature must be enabled first |
#' | `dp_error_missing_package` | `MissingPackage` | a suggested package must be installed first |
#' | `dp_error_serialization` | `Serialization` | an object cannot be written as text, or read |
#'
#' Warnings that are raised on purpose have the class `dp_warning` in the same way, see [dpMean()].
#'
#' @section Fields:
#' * `variant` (`character(1)`): as in the table.
#' * `argument` (`character`): of `dp_error_invalid_argument` and `dp_error_rows`, the name of the
#'   argument, or the names of all that were left out or are wrong.
#' * `feature` (`character(1)`): of `dp_error_missing_feature`, what to pass to
#'   [enable_features()].
#' * `package` (`character(1)`): of `dp_error_missing_package`, its name.
#'
#' @examples
#' tryCatch(
#'   laplacian_scale_to_accuracy(scale = -1, alpha = 0.05),
#'   dp_error_invalid_distance = function(error) error$variant
#' )
#' @name dp_errors
NULL

# In the order of the core's ErrorKind (src/core/error.h), then the kinds that only R raises. The
# core's `interrupted` is no error in R: the boundary turns it into R's own interrupt.
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
  rows = "Rows",
  missing_feature = "MissingFeature",
  missing_package = "MissingPackage",
  serialization = "Serialization"
)

# The searches run in R and were never announced by their variant; queries have no published ones;
# the others are R's own.
unannounced_kinds <- c(
  "search", "invalid_argument", "rows", "missing_feature", "missing_package", "serialization",
  "unbounded", "keys", "domain", "unsupported", "budget", "source", "backend", "ledger",
  "key_reused", "unit"
)

# Raises a `dp_error`. `message` is a cli template: `{name}` is replaced by its value in `.envir`,
# and braces within that value stay as they are. `call` is a frame or a call; only the name of its
# function is kept. Fields that a handler may want come through `...`; none may hold data.
stop_dp <- function(message, kind, ..., call = rlang::caller_env(),
                    .envir = rlang::caller_env()) {
  sentence <- cli::ansi_strip(cli::format_inline(message, .envir = .envir))
  raise(sentence, kind, error_variants[[kind]], ..., call = call)
}

# A sentence with what must hold and what came, then a line that says what to do. Neither is a
# template, since names of columns may have braces.
stop_with_hint <- function(kind, sentence, hint = NULL, call = rlang::caller_env(), ...) {
  message <- paste0(sentence, if (!is.null(hint)) paste0("\ni ", hint))
  raise(message, kind, error_variants[[kind]], ..., call = call_of_verb(call))
}

# The bare call of a verb: `filter()`, where R calls `filter.dp_tbl()`.
call_of_verb <- function(call) {
  call <- bare_call(call)
  if (is.call(call) && is.symbol(call[[1]])) {
    verb <- sub("[.]dp_(tbl|query|written_query|private|plan|batch)$", "", as.character(call[[1]]))
    call <- as.call(list(as.name(verb)))
  }
  call
}

# Called from C++ only. The sentence is a value, not a template: its braces are not evaluated.
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

# Raises an error as it is. rlang's own ways would add a trace, whose frames hold the data of
# `do.call(f, list(data))`.
raise_again <- function(error) stop(error)

# R has no class for a time limit that has passed (setTimeLimit(), setSessionTimeLimit()): these are
# its sentences, in the language of the session.
time_limits <- c(
  "reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
  "reached session CPU time limit"
)

is_time_limit <- function(condition) {
  if (inherits(condition$parent, "condition") && is_time_limit(condition$parent)) {
    return(TRUE)
  }
  inherits(condition, "simpleError") &&
    isTRUE(condition$message %in% gettext(time_limits, domain = "R"))
}

# Raises a time limit again, as R did, but without the call, which may hold data.
pass_time_limit <- function(condition) {
  while (inherits(condition$parent, "condition")) condition <- condition$parent
  if (is_time_limit(condition)) stop(simpleError(condition$message))
}

# The value of `code`, or `otherwise(error)` if it fails. A time limit passes: it is the caller's,
# and ends what they wanted to end. So code that handles any error calls this, not tryCatch().
or_else <- function(code, otherwise = function(error) NULL) {
  tryCatch(code, error = function(error) {
    pass_time_limit(error)
    hear_interrupt()
    otherwise(error)
  })
}

# Drivers of databases answer an interrupt with an error, and R hears it later, perhaps while an
# outer handler looks at the error, where no handler of the caller can catch it. Sleeping hears it.
hear_interrupt <- function() Sys.sleep(0)

# For what ends something that was begun, and must not fail. Limits and interrupts wait for it.
cleaned_up <- function(code, otherwise = NULL) {
  suspendInterrupts(tryCatch(suppressWarnings(code), error = function(error) otherwise))
}

# `f()` for a frame or a call of `f`: a name identifies the culprit, the arguments may be data.
# An anonymous function has no name, and its body may hold anything: it gives `NULL`.
bare_call <- function(call) {
  if (is.environment(call)) {
    call <- rlang::frame_call(call)
  }
  if (is.call(call) && is_name(call[[1]])) as.call(list(call[[1]]))
}

# `f`, `pkg::f` or `object$method`.
is_name <- function(expr) {
  if (!is.call(expr)) {
    return(is.symbol(expr))
  }
  is.symbol(expr[[1]]) && as.character(expr[[1]]) %in% c("::", ":::", "$") &&
    all(vapply(as.list(expr)[-1], is_name, logical(1)))
}

# Between a binding's wrapper `core_*()` and this frame lie as many frames as Rcpp likes to put
# there, so the wrapper is looked for by its name. What the user called is the next frame outwards
# of a function that users know; if there is none, the binding's caller.
caller_of_binding <- function() {
  parents <- sys.parents()
  binding <- length(parents)
  while (binding > 0 && !is_call_of_binding(sys.call(binding))) binding <- binding - 1
  if (binding == 0) {
    return(NULL)
  }
  caller <- frame <- parents[[binding]]
  while (frame > 0) {
    known <- call_of_users(sys.call(frame), sys.function(frame))
    if (!is.null(known)) {
      return(known)
    }
    frame <- parents[[frame]]
  }
  if (caller > 0) sys.call(caller)
}

is_call_of_binding <- function(call) {
  is_name(call[[1]]) && any(startsWith(all.names(call[[1]]), "core_"))
}

# The call, if users know the function: an export, a method of an export or of a generic that is not
# ours, such as print(), which is called by the generic's name, a public method of an R6 object, and
# a measurement or another function with a class. NULL for others.
call_of_users <- function(call, fun) {
  if (is.object(fun) || is_public_method(call, fun)) {
    return(call)
  }
  home <- parent.env(environment())
  name <- if (is_name(call[[1]])) utils::tail(all.names(call[[1]]), 1) else "function"
  if (!identical(get0(name, home, mode = "function", inherits = FALSE), fun)) {
    return(NULL)
  }
  methods <- getNamespaceInfo(home, "S3methods")
  generic <- methods[methods[, 3] == name, 1]
  exports <- getNamespaceExports(home)
  if (length(generic) == 1 && (generic %in% exports || !exists(generic, home, inherits = FALSE))) {
    call[[1]] <- as.name(generic)
    call
  } else if (name %in% exports) {
    call
  }
}

# `object$method()`, but `private$.method()`.
is_public_method <- function(call, fun) {
  home <- environment(fun)
  is.call(call[[1]]) && identical(call[[1]][[1]], quote(`$`)) && is.environment(home) &&
    exists("self", home, inherits = FALSE) && !startsWith(as.character(call[[1]][[3]]), ".")
}

# A warning of class `dp_warning`, under the rules of stop_dp(): no data, no trace.
warn_dp <- function(message, kind, call = rlang::caller_env(), .envir = rlang::caller_env()) {
  warn_as_is(cli::ansi_strip(cli::format_inline(message, .envir = .envir)), kind, call)
}

# The sentence is a value, not a template: to put it together without one takes a tenth of the time.
warn_as_is <- function(sentence, kind, call) {
  warning(rlang::warning_cnd(
    class = c(paste0("dp_warning_", kind), "dp_warning"),
    message = sentence,
    call = bare_call(call)
  ))
}
