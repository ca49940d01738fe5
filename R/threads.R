#' Threads
#'
#' Passes over data of more than about half a million rows are shared among threads. Results never
#' depend on how many there are.
#'
#' @param count (whole number) From 1 to 1024. `NULL` for the default: all cores, at most 2 while a
#'   package is checked.
#' @returns `count`, invisibly.
#' @section Errors: `dp_error_invalid_argument` if `count` is not such a number.
#' @examples
#' set_threads(2)
#' set_threads(NULL)
#' @export
set_threads <- function(count) {
  count <- if (is.null(count)) default_threads() else check_whole(count, min = 1, max = 1024)
  core_set_threads(count)
  invisible(count)
}

threads_at_load <- function() getOption("PSIlence.threads", default_threads())

# CRAN's machines are shared: a check may use two cores.
default_threads <- function() {
  cores <- parallel::detectCores()
  if (is.na(cores)) cores <- 1L
  limit <- tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_"))
  if (nzchar(limit) && limit != "false") min(cores, 2L) else cores
}
