# A process for each call of a task: nothing can be carried over from one to the next, and what
# takes too long can be ended.
#
# Two ways lead to the same numbers. Where the system has fork, the process is a copy of this one,
# made in milliseconds. Elsewhere package callr starts R once more (statistic-child-session.R).

# What runs `task`, a function of one argument that gives `width` doubles, `runs` times at most:
# `run(x, limit)` gives the numbers, or NULL if that takes longer than `limit` seconds, or the
# process ends otherwise, and whatever it has sent by itself. `end()` ends what was started ahead.
start_children <- function(task, width, runs) {
  check_children(call = NULL)
  switch(child_way(),
    fork = forked_children(task, width),
    session = session_children(task, width, runs)
  )
}

# "fork", "session" or "none". Tests set the option to take a way that the system would not.
child_way <- function() {
  getOption("PSIlence.child_way") %||% if (has_fork()) {
    "fork"
  } else if (requireNamespace("callr", quietly = TRUE)) {
    "session"
  } else {
    "none"
  }
}

# On Windows package parallel has no such function.
has_fork <- function() "mcparallel" %in% getNamespaceExports("parallel")

# Stops where no process can be had.
check_children <- function(call) {
  if (child_way() == "none") {
    stop_dp(
      paste(
        "blocks with a time limit, and blocks on workers, need processes of their own;",
        "on this system package callr must be installed for that."
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

# What a fork has inherited, and must not use: where this session writes what is printed; and how it
# ends, for a fork that quits would delete the temporary files, and run all finalizers. The one that
# is registered last is run first.
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
  # Not longer at a time, for a wish to stop is only noticed between.
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

# A function of package parallel that is not there on every system.
of_parallel <- function(name) getExportedValue("parallel", name)

now <- function() proc.time()[["elapsed"]]
