# Warnings and messages between a charge and its release. A handler that jumps, or options(warn =
# 2), would discard the value, so they are held until the value is safe.

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
