#' Enable or disable features
#'
#' Parts of the package are gated by a feature that the user enables once, to say that its terms
#' are understood. The enabled features are kept in the R option `opendp_features`.
#'
#' * `"contrib"`: components whose privacy proof has not been vetted from outside. Every `make_*`
#'   and `then_*` needs it.
#' * `"honest-but-curious"`: the guarantee holds only if the user keeps a promise, for instance
#'   that a function of theirs is as stable as they say.
#' * `"idealized-numerics"`: the guarantee holds for real numbers, not for those of a machine.
#'   Nothing here needs it. `"floating-point"` is its old name, still accepted, with a warning.
#'
#' @param ... (`character`) Names of features, one or more. Names that the package does not know
#'   are kept as they are.
#' @returns The enabled features, `character`, invisibly.
#' @section Errors: `dp_error_invalid_argument` if an argument is not made of strings. A function
#'   whose feature is not enabled raises `dp_error_missing_feature`, before anything else.
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

# Stops at the first feature that is not enabled. The message shows no call: the text alone says
# what to do.
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

# Evaluates `expr` with more features enabled: the statistics are built from gated parts whose
# terms they keep themselves, so their users need not enable anything.
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
