# Runs each call of a task in a separate process, so calls cannot share state, and a time limit can
# end them.
#
# Two methods give the same numbers. If the system has fork, the process is a copy of this one, made
# in milliseconds. Otherwise package callr starts a new R session (statistic-child-session.R).

# Prepares at most `runs` runs of `task`, a function of one argument that returns `width` doubles.
# `run(x, limit)` returns the numbers. It returns NULL after `limit` seconds, or if the process ends
# early, whatever it has sent. `end()` ends processes that were started ahead.
start_children <- function(task, width, runs) {
  check_children(call = NULL)
  switch(child_way(),
    fork = forked_children(task, width),
    session = session_children(task, width, runs)
  )
}

# Returns "fork", "session" or "none". Tests set the option to choose a different method.
child_way <- function() {
  getOption("PSIlence.child_way") %||% if (has_fork()) {
    "fork"
  } else if (requireNamespace("callr", quietly = TRUE)) {
    "session"
  } else {
    "none"
  }
}

# Tells whether package parallel can fork. On Windows it has no such function.
has_fork <- function() "mcparallel" %in% getNamespaceExports("parallel")

# Stops if no child process can be started.
check_children <- function(call) {
  if (child_way() == "none") {
    stop_dp(
      paste(
        "blocks with a time limit, and blocks on workers, need separate processes.",
        "On this system they need package callr."
      ),
      "missing_package",
      package = "callr", call = call
    )
  }
}

forked_children <- function(task, width) {
  force(task)
  force(width)
  list(
    run = function(x, limit) {
      in_fork(function() {
        forget_parent()
        task(x)
      }, width, limit)
    },
    end = function() invisible()
  )
}

# Detaches a fork from the parent: its output, and its exit. A fork that quits normally would delete
# the temporary files and run all finalizers. The finalizer registered last runs first.
forget_parent <- function() {
  nowhere <- file(nullfile(), "w")
  sink(nowhere)
  sink(nowhere, type = "message")
  reg.finalizer(topenv(), end_this_process, onexit = TRUE)
}

end_this_process <- function(...) tools::pskill(Sys.getpid(), tools::SIGKILL)

in_fork <- function(task, width, limit) {
  deadline <- now() + limit
  suspendInterrupts({
    job <- of_parallel("mcparallel")(task(), mc.set.seed = FALSE, silent = TRUE)
    on.exit(end_fork(job))
  })
  # Waits briefly each time, because R only notices an interrupt between waits.
  repeat {
    left <- deadline - now()
    collected <- suppressWarnings(
      of_parallel("mccollect")(job, wait = FALSE, timeout = max(0, min(left, 0.2)))
    )
    if (!is.null(collected) || left <= 0) break
  }
  value <- if (is.list(collected) && length(collected) == 1) collected[[1]]
  if (is.double(value) && length(value) == width) value
}

end_fork <- function(job) {
  tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(of_parallel("mccollect")(job))
}

# Gets a function of package parallel that does not exist on every system.
of_parallel <- function(name) getExportedValue("parallel", name)

now <- function() proc.time()[["elapsed"]]
