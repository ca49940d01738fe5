# What must not leave this process: rows, keys, connections, functions of the caller. core_hide()
# puts it behind a handle that is empty once R saves, sends or prints it.

# What core_hide() hid. `again` says how to make the object again whose handle is empty.
revealed <- function(handle, again) {
  if (core_is_null(handle)) stop_stale(again)
  core_hidden(handle)
}

stop_stale <- function(again) {
  stop_dp("stale object: it was saved, loaded or sent to another process. {again}", "stale_object",
    call = NULL
  )
}

# A formula is read, never evaluated, so it is kept without the environment that it was written in:
# that may hold data.
without_surroundings <- function(x) {
  if (inherits(x, "formula")) {
    environment(x) <- emptyenv()
  } else if (is.list(x) && !is.object(x)) {
    x[] <- lapply(x, without_surroundings)
  }
  x
}
