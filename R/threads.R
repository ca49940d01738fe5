#' Threads
#'
#' Passes over data of more than about half a million rows are shared among threads: two by default,
#' or one where there is but one core. A process that has the machine to itself is faster with more:
#' `set_threads(parallel::detectCores())`. Results never depend on how many there are.
#'
#' `options(PSIlence.threads = 8)`, in a profile for instance, is a default of your own. It is read
#' when the package is loaded, and by `set_threads(NULL)`. A value that is no such number is ignored
#' with a warning of class `dp_warning_threads` when the package is loaded; `set_threads(NULL)`
#' refuses it.
#'
#' @param count (whole number) From 1 to 1024. `NULL` for the default: the option
#'   `PSIlence.threads`, or else two, and no more than there are cores.
#' @returns `count`, invisibly; for `NULL`, the number that it stands for.
#' @section Errors: `dp_error_invalid_argument` if `count`, or the option in its place, is not such
#'   a number.
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

# What the option asks for, if it is set.
chosen_threads <- function(call = rlang::caller_env()) {
  asked <- getOption("PSIlence.threads")
  if (is.null(asked)) default_threads() else check_threads(asked, "PSIlence.threads", call)
}

# A package must not take more of a shared machine than two cores unless it is asked to.
default_threads <- function() at_most_two(parallel::detectCores())

at_most_two <- function(cores) min(2L, cores, na.rm = TRUE)

# A mistake in a profile must not keep the package from being loaded.
set_threads_at_load <- function() {
  tryCatch(set_threads(NULL), dp_error_invalid_argument = function(error) {
    core_set_threads(default_threads())
    warn_dp(
      "options(PSIlence.threads = ) is ignored: {conditionMessage(error)}", "threads",
      call = NULL
    )
  })
}
