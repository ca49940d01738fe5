# Replaces a function of the package while `env` lives.
local_replaced <- function(name, value, env = parent.frame()) {
  home <- environment(release)
  former <- home[[name]]
  bind <- function(value) {
    unlockBinding(name, home)
    assign(name, value, home)
    lockBinding(name, home)
  }
  bind(value)
  withr::defer(bind(former), envir = env)
}
