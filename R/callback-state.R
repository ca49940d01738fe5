# What a function of the caller might leave behind for the next call, and what it shows.

# `restore()` puts back what was changed since: variables of the global environment, and so the
# state of R's generators, and of `environments`; options, the working directory and the search
# path. `end()` does so for the last time.
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

# What was attached goes; what was detached cannot be had back in the same place.
restore_path <- function(path) {
  for (name in setdiff(search(), path)) detach(name, character.only = TRUE)
}

# Evaluates `expr` while nothing that is printed or drawn is seen.
silently <- function(expr) {
  depth <- sink.number()
  messages <- sink.number("message")
  device <- grDevices::dev.cur()
  # Device 1 is the current one only where none is open, which costs less to ask than a list.
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

# Evaluates `expr`, and gives R's generators back the state and kind that they had.
with_generators_kept <- function(expr) {
  restore <- kept_generators()
  on.exit(restore())
  expr
}

# A function that gives them back.
kept_generators <- function() {
  without_seed <- !exists(".Random.seed", globalenv(), inherits = FALSE)
  # Without a seed nothing would bring back the kind of generator.
  if (without_seed) set.seed(NULL)
  seed <- get(".Random.seed", globalenv(), inherits = FALSE)
  function() {
    assign(".Random.seed", seed, envir = globalenv())
    # R takes the kind of generator from the seed when it is asked.
    RNGkind()
    if (without_seed) rm(".Random.seed", envir = globalenv())
  }
}

# `seed` is NULL if there was none.
restore_seed <- function(seed) {
  if (!is.null(seed)) {
    assign(".Random.seed", seed, envir = globalenv())
  } else if (exists(".Random.seed", globalenv(), inherits = FALSE)) {
    rm(".Random.seed", envir = globalenv())
  }
}
