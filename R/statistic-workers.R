#' Workers for the blocks of sample and aggregate
#'
#' [dpSampleAndAggregate()] runs the blocks of your R function on workers, if you have set up some.
#' Workers are processes of this machine or of other machines. They help if the function takes hours
#' while the noise takes microseconds. Your session draws the blocks, and the noise from the secure
#' generator. A block has the same result wherever R and its libraries are the same. The place where
#' a block runs is not part of a plan or its hash.
#'
#' * **Daemons of package mirai**: `mirai::daemons(4)` starts four on this machine. With a `url`,
#'   daemons of other machines connect, by SSH or from a scheduler. They wait for blocks, so sending
#'   one takes milliseconds.
#' * **A plan of package future**: for example `future::plan(future::multisession, workers = 4)`, or
#'   `future::plan(future.batchtools::batchtools_slurm)`, which makes each part of the blocks a job
#'   of Slurm. The plan `sequential` means your session.
#'
#' If you have set up both, the daemons run the blocks. To choose, set
#' `options(PSIlence.workers = )` to `"mirai"`, `"future"`, or `"none"` for your session. Each
#' release reads this option.
#'
#' @section What workers need: Workers need the same version of PSIlence, and the packages that are
#'   attached in your session. Before a release charges the budget, it asks one worker to load them.
#'   With a package future plan, the release waits as long as the scheduler does. With daemons, one
#'   must connect within two minutes.
#'
#'   A worker gets the same objects as a child process without fork: the isolated function, the
#'   functions of the global environment and the objects that they name, options that are plain
#'   vectors, and the state of R's generator. Data frames among these are not sent, nor is any
#'   object above 1 MiB with all its contents. After its blocks, the worker is restored to its
#'   earlier state.
#' @section Lost workers: Each worker has about four parts of blocks. If the worker of a part is
#'   lost, the part is sent once more, with the same blocks and rows. If that worker is lost too,
#'   the part runs in a child process of your session, and then each block in a separate child
#'   process. Only there does a block that kills its process count as failed. If no daemon is
#'   connected for five seconds, all remaining parts run in this way.
#'
#'   So a lost worker costs time, but it does not change any block or the loss of a release. No
#'   message reports it, because a block may have been the reason. If a machine vanishes without
#'   closing its connection, the release keeps waiting: interrupt it.
#'
#'   With `timeLimit`, each block has a child process on its worker, and the worker's clock measures
#'   its time.
#'
#'   If you interrupt a release, parts that have not begun are withdrawn, and daemons stop their
#'   work. Workers of package future stop from version 1.49 on. In earlier versions they finish
#'   their current part. A charged budget stays charged.
#' @section Who sees the rows: The workers see the rows, and so does everyone who can read their
#'   memory. Everyone who can connect to the address of the daemons can also be sent blocks. Local
#'   daemons on Linux connect through an abstract socket. Every user of the machine who learns its
#'   random name can reach it. Between machines, use an encrypted connection,
#'   `mirai::daemons(url = mirai::host_url(tls = TRUE))`, and a network that only you use.
#'
#'   PSIlence does not write rows to files for workers. Child processes without fork get their rows
#'   through the folder of temporary files, on workers as in your session. Package future.batchtools
#'   does write files: the blocks, the function and the results of each job. They are below the
#'   folder in option `future.cache.path`, by default `.future` in the working directory, which all
#'   machines must reach. Your umask sets their permissions. They are deleted when a job ends well,
#'   but files of a lost job or an interrupted release stay. Choose a folder that only you can
#'   enter, call `Sys.umask("077")` before the release, and check the folder after it.
#'
#'   A worker returns only doubles, as bytes, which are read without calling a method. Any other
#'   answer counts as a lost part. Output and conditions of a worker are neither sent to you nor
#'   shown. Forged block results would be clamped to `outputRange` like all others. But mirai and
#'   future unserialize a worker's answer before PSIlence sees it: use only machines that you trust
#'   like this one.
#' @section Errors: `release()` raises these before it charges the budget:
#'
#' * `dp_error_failed_function` if no worker can load the required packages.
#' * `dp_error_invalid_argument` if the option `PSIlence.workers` has another value, or is `"mirai"`
#'   while no daemons are set.
#' * `dp_error_missing_package` if the package in the option is not installed. On a system without
#'   fork, also if package callr is not installed, which runs lost blocks again.
#' @seealso The article "Sample and aggregate on workers", and `demo("lost-worker")`.
#' @examples
#' if (interactive() && requireNamespace("mirai", quietly = TRUE)) {
#'   trimmed <- dpSampleAndAggregate(
#'     innerFun = function(x) mean(x, trim = 0.1), outputRange = c(0, 100000),
#'     mechanism = "mechanismLaplace", numSubsets = 200, varType = "numeric", variable = "income",
#'     n = 10000, rng = c(0, 750000), epsilon = 0.5
#'   )
#'   mirai::daemons(2)
#'   print(trimmed$release(PUMS5extract10000))
#'   mirai::daemons(0)
#' }
#' @name block_workers
NULL

# The core draws all blocks before the first is sent, so a lost part is sent again unchanged. Rows
# and a isolated function go to the worker. Doubles come back, as bytes.

chunks_per_worker <- 4

# Number of times that a part is sent before it runs here.
most_sends <- 2

# Seconds without any worker, after which no worker is awaited.
deserted_limit <- 5

run_on_workers <- function(pool, block, count, callback, read, limit, tick) {
  check_children(call = NULL)
  chunks <- min(count, chunks_per_worker * min(pool$workers, count))
  members <- unname(split(seq_len(count), sort(rep_len(seq_len(chunks), count))))
  task <- task_for_workers(callback, read, limit)
  arrived <- function(part) if (!is.null(tick)) tick(length(members[[part]]))
  answers <- through_pool(pool, lengths(members) * length(read(NULL)), deserted_limit,
    send = function(part) pool$send(task, lapply(members[[part]], block)),
    arrived = arrived
  )
  results <- lapply(seq_along(members), function(part) {
    ids <- members[[part]]
    if (!is.null(answers[[part]])) return(cut_numbers(answers[[part]], length(ids)))
    on.exit(arrived(part))
    run_lost(lapply(ids, block), callback, read, limit)
  })
  unlist(results, recursive = FALSE)
}

# Stops unless a worker can take blocks. The worker gets no block, so its answer says nothing about
# data.
check_workers <- function() {
  pool <- worker_pool()
  if (is.null(pool)) {
    return(invisible())
  }
  check_children(call = NULL)
  nothing <- list(fun = identity, environments = list(), hermetic = FALSE)
  task <- task_for_workers(nothing, identity, NULL)
  answers <- through_pool(pool, 0, start_limit,
    send = function(part) pool$send(task, list()), arrived = function(part) NULL
  )
  if (is.null(answers[[1]])) {
    stop_dp(
      paste(
        "no worker could take a block. One must be connected, and each must load version",
        own_version(), "of package PSIlence and the packages that are attached in this session."
      ),
      "failed_function",
      call = NULL
    )
  }
}

# Everything that a worker needs, as bytes: the function, and the objects of this session that it
# can see. A isolated function includes the objects that it names. Large objects and tables are left
# out, because it may not have named them.
task_for_workers <- function(callback, read, limit) {
  job <- session_job(callback$fun)
  job$objects <- Filter(is_light, job$objects)
  job$task <- list(callback = callback, read = read, limit = limit)
  serialize(job, NULL)
}

is_light <- function(x) {
  !is.data.frame(x) && utils::object.size(x) <= largest_captured &&
    length(serialize(x, NULL)) <= largest_captured
}

# Runs on a worker, and restores its state afterwards.
serve_blocks <- function(version, task, blocks) {
  if (!identical(version, own_version())) stop("another version")
  state <- kept_state(list())
  on.exit(state$end())
  task <- enter_session(unserialize(task))
  block <- function(b) blocks[[b]]
  numbers <- run_here(block, length(blocks), task$callback, task$read, task$limit)
  writeBin(as.double(unlist(numbers)), raw(), endian = "little")
}

# Returns the numbers that a worker has sent, or NULL if it sent anything else. Does not call any
# function that has methods.
doubles_sent <- function(bytes, count) {
  if (typeof(bytes) == "raw" && is.null(attributes(bytes)) && length(bytes) == 8 * count) {
    readBin(bytes, "double", count, endian = "little")
  }
}

cut_numbers <- function(numbers, count) {
  unname(split(numbers, rep(seq_len(count), each = length(numbers) / count)))
}

# Pools of workers ---------------------------------------------------------------------------------

# Pools of workers that run blocks: daemons of package mirai, or workers of a package future plan.
#
# A pool has `workers`, their number, and `slots`, the number of parts that can run at once. It
# sends blocks (bytes and rows) with `send(task, blocks)`. For a sent part, `is_done()` says whether
# it ended, `value()` returns its value and `cancel()` cancels it. `is_deserted()` says whether no
# part will ever end. Failures inside a pool are errors or invalid values.

# Pool that the user has set up, or NULL.
worker_pool <- function(call = NULL) {
  choice <- check_choice(getOption("PSIlence.workers"), c("mirai", "future", "none"), null = TRUE,
    arg = "PSIlence.workers", call = call
  )
  if (!is.null(choice) && choice != "none") check_workers_package(choice, call)
  switch(choice %||% pool_at_hand(),
    mirai = mirai_pool(call),
    future = future_pool(),
    none = NULL
  )
}

# A package that is not loaded has set up no pool.
pool_at_hand <- function() {
  if (isNamespaceLoaded("mirai") && mirai::daemons_set()) {
    "mirai"
  } else if (isNamespaceLoaded("future")) {
    "future"
  } else {
    "none"
  }
}

check_workers_package <- function(package, call) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop_dp("options(PSIlence.workers = ) asks for package {package}, which is not installed.",
      "missing_package",
      package = package, call = call
    )
  }
}

mirai_pool <- function(call) {
  if (!mirai::daemons_set()) {
    stop_argument("another one while mirai::daemons() sets none", '"mirai"', "PSIlence.workers",
      call
    )
  }
  connected <- function() mirai::status()$connections
  workers <- max(1, connected())
  list(
    # A second part waits at each daemon, ready to start when the first part ends.
    workers = workers, slots = 2 * workers,
    send = function(task, blocks) {
      mirai::mirai(
        asNamespace("PSIlence")$serve_blocks(version, task, blocks),
        .args = list(version = own_version(), task = task, blocks = blocks)
      )
    },
    is_done = function(sent) !mirai::unresolved(sent),
    value = function(sent) sent$data,
    cancel = function(sent) mirai::stop_mirai(sent),
    is_deserted = function() connected() == 0
  )
}

# A sequential plan has only this process.
future_pool <- function() {
  if (inherits(future::plan(), "sequential")) {
    return(NULL)
  }
  workers <- future::nbrOfWorkers()
  list(
    workers = workers, slots = workers,
    send = function(task, blocks) {
      before <- options(future.globals.maxSize = Inf)
      on.exit(options(before))
      future::future(
        asNamespace("PSIlence")$serve_blocks(version, task, blocks),
        globals = list(version = own_version(), task = task, blocks = blocks),
        seed = NULL, stdout = NA, conditions = character()
      )
    },
    is_done = function(sent) future::resolved(sent),
    value = function(sent) future::value(sent),
    cancel = cancel_future,
    is_deserted = function() FALSE
  )
}

# Before version 1.49, a future cannot be cancelled. Its worker finishes the current part.
cancel_future <- function(sent) {
  cancel <- get0("cancel", asNamespace("future"), mode = "function", inherits = FALSE)
  if (!is.null(cancel)) cancel(sent)
}

# Both ends must agree on the format of messages.
own_version <- function() getNamespaceInfo("PSIlence", "spec")[["version"]]

# Sends parts of the blocks to a pool of workers, and takes the answers ----------------------------

# Returns the numbers of each part. `counts` holds how many. A part is NULL if it was lost each
# time, or if no worker was connected for `patience` seconds. `send(part)` sends a part, and
# `arrived(part)` is called when its numbers have arrived.
through_pool <- function(pool, counts, patience, send, arrived) {
  parts <- list2env(list(
    waiting = seq_along(counts), sends = integer(length(counts)), under_way = list(),
    numbers = vector("list", length(counts))
  ))
  # Some plans of package future draw names with R's generator.
  restore_generators <- kept_generators()
  on.exit({
    for (each in parts$under_way) quietly(pool$cancel(each$sent))
    restore_generators()
  })
  inhabited <- now()
  pause <- shortest_pause
  while (length(parts$waiting) + length(parts$under_way) > 0) {
    send_waiting(parts, pool, send)
    looked <- now()
    if (take_ended(parts, pool, counts, arrived)) {
      pause <- shortest_pause
      next
    }
    if (!isTRUE(quietly(pool$is_deserted()))) inhabited <- now()
    if (now() - inhabited > patience) break
    Sys.sleep(max(pause, 4 * (now() - looked)))
    pause <- min(2 * pause, longest_pause)
  }
  parts$numbers
}

# Seconds between two polls of the workers. Polls of a scheduler are slow, so pauses are longer
# then.
shortest_pause <- 0.001
longest_pause <- 0.05

send_waiting <- function(parts, pool, send) {
  while (length(parts$waiting) > 0 && length(parts$under_way) < pool$slots) {
    part <- parts$waiting[[1]]
    parts$waiting <- parts$waiting[-1]
    parts$sends[[part]] <- parts$sends[[part]] + 1L
    parts$under_way <- c(parts$under_way, list(list(part = part, sent = quietly(send(part)))))
  }
}

# TRUE if any part has ended. Parts that could not be sent or polled count as ended.
take_ended <- function(parts, pool, counts, arrived) {
  ended <- vapply(parts$under_way, function(each) {
    is.null(each$sent) || !isFALSE(quietly(pool$is_done(each$sent)))
  }, NA)
  now_here <- parts$under_way[ended]
  parts$under_way <- parts$under_way[!ended]
  for (each in now_here) {
    part <- each$part
    numbers <- if (!is.null(each$sent)) {
      doubles_sent(quietly(pool$value(each$sent)), counts[[part]])
    }
    parts$numbers[part] <- list(numbers)
    if (!is.null(numbers)) {
      arrived(part)
    } else if (parts$sends[[part]] < most_sends) {
      parts$waiting <- c(parts$waiting, part)
    }
  }
  any(ended)
}

# Returns the value of `expr`, or NULL if it fails. Drops messages, which might reveal data.
quietly <- function(expr) {
  or_else(suppressWarnings(suppressMessages(expr)))
}
