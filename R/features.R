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
