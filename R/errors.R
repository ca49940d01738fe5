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

# The call that an error names ---------------------------------------------------------------------

# The one that the user wrote.

# `f()` for a frame or a call of `f`: the name identifies the function, the arguments can be data.
# An anonymous function has no name, and its body can hold anything: it gives `NULL`.
bare_call <- function(call) {
  if (is.environment(call)) {
    call <- rlang::frame_call(call)
  }
  if (is.call(call) && is_name(call[[1]])) as.call(list(call[[1]]))
}

# Whether an expression is `f`, `pkg::f` or `object$method`.
is_name <- function(expr) {
  if (!is.call(expr)) {
    return(is.symbol(expr))
  }
  is.symbol(expr[[1]]) && as.character(expr[[1]]) %in% c("::", ":::", "$") &&
    all(vapply(as.list(expr)[-1], is_name, logical(1)))
}

# Rcpp can put any number of frames between a binding's wrapper `core_*()` and this frame, so the
# wrapper is found by its name. The user's call is the next outer frame of a function that users
# know. If there is none, it is the binding's caller.
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

# The call, if users know the function: an export, a method (named by its generic), a public method
# of an R6 object, or a function with a class, such as a measurement. NULL for other calls.
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

# True for `object$method()`, but not for `private$.method()`.
is_public_method <- function(call, fun) {
  home <- environment(fun)
  is.call(call[[1]]) && identical(call[[1]][[1]], quote(`$`)) && is.environment(home) &&
    exists("self", home, inherits = FALSE) && !startsWith(as.character(call[[1]][[3]]), ".")
}

# Time limits and interrupts -----------------------------------------------------------------------

# R has no class for an expired time limit (setTimeLimit(), setSessionTimeLimit()), so this matches
# R's messages, in the language of the session.
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

# Raises a time limit again, as R did, but without the call, which can hold data.
pass_time_limit <- function(condition) {
  while (inherits(condition$parent, "condition")) condition <- condition$parent
  if (is_time_limit(condition)) stop(simpleError(condition$message))
}

# The value of `code`, or `otherwise(error)` if it fails. A time limit passes, because the caller
# set it to end their own code. So code that handles any error calls this function instead of
# tryCatch().
or_else <- function(code, otherwise = function(error) NULL) {
  tryCatch(code, error = function(error) {
    pass_time_limit(error)
    hear_interrupt()
    otherwise(error)
  })
}

# Database drivers turn an interrupt into an error, and R notices the interrupt later, perhaps
# inside an outer handler, where no handler of the caller can catch it. Sleeping makes R notice it
# now.
hear_interrupt <- function() Sys.sleep(0)

# For cleanup code that must not fail. Limits and interrupts wait for it.
cleaned_up <- function(code, otherwise = NULL) {
  suspendInterrupts(tryCatch(suppressWarnings(code), error = function(error) otherwise))
}

# Warnings and messages between a charge and its release -------------------------------------------

# A handler that jumps, or options(warn = 2), would discard the value, so they are held until the
# value is safe.

# list(value, held). Progress lines are shown at once.
holding_conditions <- function(code) {
  held <- list()
  hold <- function(condition, restart) {
    held[[length(held) + 1]] <<- condition
    invokeRestart(restart)
  }
  value <- withCallingHandlers(code,
    warning = function(condition) hold(condition, "muffleWarning"),
    message = function(condition) {
      if (!inherits(condition, "cliMessage")) hold(condition, "muffleMessage")
    }
  )
  list(value = value, held = held)
}

# Signals held conditions, each with the `release` for handlers that jump. If R would turn warnings
# into errors, they are printed instead, because the caller has no other copy of the release.
signal_held <- function(held, release) {
  before <- options(warn = min(getOption("warn"), 1L))
  on.exit(options(before))
  for (condition in held) {
    condition$release <- release
    if (inherits(condition, "warning")) warning(condition) else message(condition)
  }
}

# Former names -------------------------------------------------------------------------------------

# Former names of constructors: they check their feature, then warn with the new name.
deprecate_name <- function(former, today) {
  assert_features("contrib")
  .Deprecated(today, msg = paste0(former, "() is deprecated. Use ", today, "() instead."))
}
