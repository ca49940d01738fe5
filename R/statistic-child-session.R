# Child processes without fork: R sessions in the background.
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
