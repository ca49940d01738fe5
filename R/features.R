#' Enable or disable features
#'
#' Enables parts of the package that have terms which you must accept once. The R option
#' `opendp_features` holds the enabled features.
#'
#' * `"contrib"`: components whose privacy proof has not been vetted externally. Every `make_*` and
#'   `then_*` function needs it.
#' * `"honest-but-curious"`: the guarantee holds only if you keep a promise, for example that your
#'   function is as stable as you declare.
#' * `"idealized-numerics"`: the guarantee holds for real numbers, but not for computer arithmetic.
#'   No function here needs it. `"floating-point"` is its old name, still accepted, with a warning.
#'
#' @param ... (`character`) Names of features, one or more. Unknown names are kept.
#' @returns (`character`) The enabled features, invisibly.
#' @section Errors: Raises `dp_error_invalid_argument` if an argument does not consist of strings. A
#'   function whose feature is not enabled raises `dp_error_missing_feature` before any other check.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' disable_features("honest-but-curious")
#' @export
enable_features <- function(...) {
  set_features(union(enabled_features(), feature_names(...)))
}

#' @rdname enable_features
#' @export
disable_features <- function(...) {
  set_features(setdiff(enabled_features(), feature_names(...)))
}

# Stops at the first feature that is not enabled. The message shows no call, because its text
# already says what to do.
assert_features <- function(...) {
  needed <- feature_names(...)
  for (feature in needed[!needed %in% enabled_features()]) {
    stop_dp(
      paste0(
        "Attempted to use function that requires {feature} but {feature} is not enabled. ",
        "See ?enable_features, then call enable_features(\"{feature}\")"
      ),
      "missing_feature",
      feature = feature, call = NULL
    )
  }
}

# Evaluates `expr` with more features enabled. Statistics are built from gated parts whose terms
# they keep themselves, so users need not enable anything.
with_features <- function(features, expr) {
  before <- options(opendp_features = union(enabled_features(), feature_names(features)))
  on.exit(options(before))
  expr
}

enabled_features <- function() as.character(unlist(getOption("opendp_features")))

set_features <- function(features) {
  options(opendp_features = features)
  invisible(features)
}

feature_names <- function(...) {
  call <- rlang::caller_env()
  for (names in list(...)) {
    if (!is.character(names) || anyNA(names)) {
      stop_argument("strings", describe(names), "...", call)
    }
  }
  names <- c(...)
  if ("floating-point" %in% names) {
    warning('"floating-point" is deprecated. Use "idealized-numerics" instead.', call. = FALSE)
    names[names == "floating-point"] <- "idealized-numerics"
  }
  as.character(names)
}

#' Set the number of threads
#'
#' Sets how many threads share a pass over more than about half a million rows: two by default, or
#' one on a single core. If no other process needs the machine, use more:
#' `set_threads(parallel::detectCores())`. Results never depend on the number of threads.
#'
#' To set your own default, for example in a profile, use `options(PSIlence.threads = 8)`. The
#' option is read when the package is loaded, and by `set_threads(NULL)`. An invalid value gives a
#' warning of class `dp_warning_threads` when the package is loaded, and an error in
#' `set_threads(NULL)`.
#'
#' @param count (whole number) Number of threads, from 1 to 1024. `NULL` is the default: the option
#'   `PSIlence.threads`, or else two, but at most the number of cores.
#' @returns `count`, invisibly. For `NULL`, the default number.
#' @section Errors: Raises `dp_error_invalid_argument` if `count`, or the option that replaces it,
#'   is not such a number.
#' @examples
#' set_threads(1)
#' set_threads(NULL)
#' @export
set_threads <- function(count) {
  count <- if (is.null(count)) chosen_threads() else check_threads(count)
  core_set_threads(count)
  invisible(count)
}

check_threads <- function(count, arg = "count", call = rlang::caller_env()) {
  check_whole(count, min = 1, max = 1024, arg = arg, call = call)
}

# The number in the option, if it is set.
chosen_threads <- function(call = rlang::caller_env()) {
  asked <- getOption("PSIlence.threads")
  if (is.null(asked)) default_threads() else check_threads(asked, "PSIlence.threads", call)
}

# A package must not use more than two cores of a shared machine unless asked to.
default_threads <- function() at_most_two(parallel::detectCores())

at_most_two <- function(cores) min(2L, cores, na.rm = TRUE)

# A mistake in a profile must not prevent the package from loading.
set_threads_at_load <- function() {
  tryCatch(set_threads(NULL), dp_error_invalid_argument = function(error) {
    core_set_threads(default_threads())
    warn_dp(
      "options(PSIlence.threads = ) is ignored: {conditionMessage(error)}", "threads",
      call = NULL
    )
  })
}
