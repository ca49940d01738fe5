# Objects that must not leave this process: rows, keys, connections, user functions. core_hide()
# puts them behind a handle that is empty once R saves, sends or prints it.

# Returns the object that core_hide() hid. `again` tells users how to recreate an object whose
# handle is empty.
revealed <- function(handle, again) {
  if (core_is_null(handle)) stop_stale(again)
  core_hidden(handle)
}

stop_stale <- function(again) {
  stop_dp("stale object: it was saved, loaded or sent to another process. {again}", "stale_object",
    call = NULL
  )
}

# A formula is read, never evaluated, so it is kept without its environment, which can hold data.
without_surroundings <- function(x) {
  if (inherits(x, "formula")) {
    environment(x) <- emptyenv()
  } else if (is.list(x) && !is.object(x)) {
    x[] <- lapply(x, without_surroundings)
  }
  x
}
