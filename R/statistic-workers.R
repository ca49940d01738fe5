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
