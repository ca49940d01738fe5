# State that a user's function could leave behind for its next call, and output that it could show.

# `restore()` undoes changes to the global environment (including R's random state), to
# `environments`, to options, to the working directory and to the search path. `end()` restores for
# the last time.
kept_state <- function(environments) {
  restore_generators <- kept_generators()
  environments <- c(list(globalenv()), environments)
  bindings <- core_bindings(environments)
  options <- as.list(.Options)
  folder <- getwd()
  path <- search()
  restore <- function() {
    core_restore_bindings(environments, bindings)
    if (!core_same_options(options)) restore_options(options)
    if (!identical(getwd(), folder)) setwd(folder)
    if (!identical(search(), path)) restore_path(path)
  }
  end <- function() {
    restore()
    restore_generators()
  }
  list(restore = restore, end = end)
}

no_state <- list(restore = function() NULL, end = function() NULL)

restore_options <- function(options) {
  new <- setdiff(names(.Options), names(options))
  options(c(options, stats::setNames(vector("list", length(new)), new)))
}

# Detaches new entries. Detached entries cannot be reattached at their old position.
restore_path <- function(path) {
  for (name in setdiff(search(), path)) detach(name, character.only = TRUE)
}

# Evaluates `expr` with printed and graphical output suppressed.
silently <- function(expr) {
  depth <- sink.number()
  messages <- sink.number("message")
  device <- grDevices::dev.cur()
  # dev.cur() is 1 only if no device is open, and is cheaper than listing the devices.
  devices <- if (device > 1) grDevices::dev.list()
  nowhere <- file(nullfile(), "w")
  before <- options(device = function(...) grDevices::pdf(NULL))
  on.exit({
    for (extra in seq_len(max(0, sink.number() - depth))) sink()
    sink(if (messages != 2) getConnection(messages), type = "message")
    close(nowhere)
    if (grDevices::dev.cur() > 1) {
      for (new in setdiff(grDevices::dev.list(), devices)) grDevices::dev.off(new)
    }
    options(before)
    if (device > 1) grDevices::dev.set(device)
  })
  sink(nowhere)
  sink(nowhere, type = "message")
  if (device > 1) grDevices::pdf(NULL)
  expr
}

# Evaluates `expr`, then restores the state and kind of R's random number generators.
with_generators_kept <- function(expr) {
  restore <- kept_generators()
  on.exit(restore())
  expr
}

# Returns a function that restores the generators.
kept_generators <- function() {
  without_seed <- !exists(".Random.seed", globalenv(), inherits = FALSE)
  # Without a seed, the kind of generator would not be restored.
  if (without_seed) set.seed(NULL)
  seed <- get(".Random.seed", globalenv(), inherits = FALSE)
  function() {
    assign(".Random.seed", seed, envir = globalenv())
    # R reads the kind of generator from the seed when asked for it.
    RNGkind()
    if (without_seed) rm(".Random.seed", envir = globalenv())
  }
}

# `seed` is NULL if none was set.
restore_seed <- function(seed) {
  if (!is.null(seed)) {
    assign(".Random.seed", seed, envir = globalenv())
  } else if (exists(".Random.seed", globalenv(), inherits = FALSE)) {
    rm(".Random.seed", envir = globalenv())
  }
}
