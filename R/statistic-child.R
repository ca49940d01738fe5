# Runs each call of a task in a separate process, so calls cannot share state, and a time limit can
# end them.
#
# Two methods give the same numbers. If the system has fork, the process is a copy of this one, made
# in milliseconds. Otherwise package callr starts a new R session (see below).

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

# Child processes without fork ---------------------------------------------------------------------

# These are R sessions in the background.
#
# Each session serves one call. The next one starts while a call runs. This hides the cost of
# starting R and loading packages, and no time limit counts it. The task's objects and its argument
# go to the session in files in the temporary folder, which are deleted once they are read. The
# session returns doubles as bytes, so nothing that it sends is evaluated or unserialized.

# Seconds that a session has to load its packages and objects.
start_limit <- 120

session_children <- function(task, width, runs) {
  home <- tempfile("children-")
  dir.create(home)
  job <- file.path(home, "job")
  saveRDS(session_job(task), job, compress = FALSE)
  started <- 0
  ahead <- NULL
  start <- function() {
    ahead <<- if (started < runs) start_session(file.path(home, started), job)
    started <<- started + 1
  }
  start()
  list(
    run = function(x, limit) {
      session <- ahead
      on.exit(end_session(session))
      await_session(session)
      start()
      call_session(session, x, width, limit)
    },
    end = function() {
      if (!is.null(ahead)) end_session(ahead)
      unlink(home, recursive = TRUE)
    }
  )
}

start_session <- function(folder, job) {
  dir.create(folder)
  # Package processx draws a name for the process with R's random number generator.
  process <- with_generators_kept(callr::r_bg(
    function(folder, job) asNamespace("PSIlence")$serve_session(folder, job),
    list(folder, job),
    stdin = "|", stdout = NULL, stderr = NULL, user_profile = FALSE, system_profile = FALSE
  ))
  list(process = process, folder = folder)
}

end_session <- function(session) {
  session$process$kill()
  unlink(session$folder, recursive = TRUE)
}

# Waits for a session. A session that cannot start says nothing about any block.
await_session <- function(session) {
  if (!appears("ready", session, now() + start_limit)) {
    stop_dp(
      paste(
        "no process for a block could be started;",
        "a new session of R must be able to load the packages that are attached in this one."
      ),
      "failed_function",
      call = NULL
    )
  }
}

call_session <- function(session, x, width, limit) {
  saveRDS(x, file.path(session$folder, "argument"), compress = FALSE)
  deadline <- now() + limit
  # Writing to a process that has just died raises an error.
  or_else(session$process$write_input("\n"))
  result <- file.path(session$folder, "result")
  if (appears("result", session, deadline) && identical(file.size(result), 8 * width)) {
    readBin(result, "double", width)
  }
}

# Tells whether the session makes a file of this name before the deadline, and before it ends.
appears <- function(name, session, deadline) {
  path <- file.path(session$folder, name)
  while (!file.exists(path)) {
    if (now() >= deadline || !session$process$is_alive()) {
      return(file.exists(path))
    }
    session$process$wait(timeout = 5)
  }
  TRUE
}

# Code that runs in the session. Its input ends when the parent process does.
serve_session <- function(folder, job) {
  path <- function(name) file.path(folder, name)
  task <- enter_session(readRDS(job))
  file.create(path("ready"))
  if (length(readLines(file("stdin"), 1)) == 0) {
    return()
  }
  x <- readRDS(path("argument"))
  unlink(path("argument"))
  writeBin(as.double(task(x)), path("unfinished"))
  file.rename(path("unfinished"), path("result"))
}

# Collects the objects of this session that a fork would see.
session_job <- function(task) {
  list(
    task = task,
    objects = global_objects(task),
    packages = sub("package:", "", rev(grep("^package:", search(), value = TRUE))),
    options = Filter(is_plain, options()),
    seed = get0(".Random.seed", globalenv(), inherits = FALSE)
  )
}

# Tells whether an option can be copied. Functions and environments belong to the session.
is_plain <- function(x) is.atomic(x) && !is.object(x)

enter_session <- function(job) {
  for (package in setdiff(job$packages, .packages())) {
    suppressPackageStartupMessages(
      library(package, character.only = TRUE, warn.conflicts = FALSE, quietly = TRUE)
    )
  }
  options(job$options)
  list2env(job$objects, globalenv())
  restore_seed(job$seed)
  job$task
}

# Global objects of a function ---------------------------------------------------------------------

# Finds the objects of the global environment that a function needs in another session.
#
# All functions are sent, because methods are called without being named. Other objects are sent if
# one of these functions names them, or if code that comes with the function does: its body, and
# functions and formulas in its enclosing environments, which are sent whole. Names built at run
# time, as in get(paste0("x", 1)), are not found.

global_objects <- function(fun) {
  places <- user_places()
  functions <- lapply(places, functions_in)
  code <- c(reachable_code(fun), do.call(c, functions))
  named <- unique(unlist(lapply(code, names_in)))
  objects <- list()
  for (i in seq_along(places)) {
    objects[names(functions[[i]])] <- functions[[i]]
    wanted <- intersect(named, bindings_of(places[[i]]))
    objects[wanted] <- mget(wanted, places[[i]])
  }
  objects
}

# Global environment, preceded by the attached environments except packages.
user_places <- function() {
  places <- grep("^(package:|tools:|Autoloads$)", search(), invert = TRUE)
  lapply(rev(places), as.environment)
}

# Skips active bindings, because reading one runs it.
bindings_of <- function(env) {
  names <- setdiff(ls(env, all.names = TRUE, sorted = FALSE), "...")
  names[!rlang::env_binding_are_active(env, names)]
}

functions_in <- function(env) {
  names <- bindings_of(env)
  Filter(is.function, mget(names[!rlang::env_binding_are_lazy(env, names)], env))
}

# Collects the function, and all functions and code in its enclosing environments, recursively.
reachable_code <- function(fun) {
  code <- list()
  seen <- list()
  visit <- function(x) {
    code <<- c(code, list(x))
    for (frame in frames_of(x)) {
      if (any(vapply(seen, identical, TRUE, frame))) next
      seen <<- c(seen, frame)
      values <- values_in(frame)
      for (i in seq_along(values)) if (is_code(values[[i]])) visit(values[[i]])
    }
  }
  visit(fun)
  code
}

is_code <- function(x) is.function(x) || is.language(x)

# Environments that are sent along with a function or a formula.
frames_of <- function(x) {
  frames <- list()
  env <- environment(x)
  while (!is.null(env) && !is_shared(env)) {
    frames <- c(frames, env)
    env <- parent.env(env)
  }
  frames
}

# Values in a frame. For an argument that is not yet evaluated, its code.
values_in <- function(frame) {
  names <- bindings_of(frame)
  lazy <- rlang::env_binding_are_lazy(frame, names)
  code_of <- function(name) eval(call("substitute", as.name(name), frame))
  dots <- if (exists("...", frame, inherits = FALSE)) eval(quote(substitute(list(...))), frame)
  unname(c(mget(names[!lazy], frame), lapply(names[lazy], code_of), list(dots)))
}

names_in <- function(x) {
  if (is.function(x)) x <- as.call(unname(c(as.name("function"), as.list(x))))
  all.names(x, unique = TRUE)
}
