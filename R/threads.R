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
