#' Workers for the blocks of sample and aggregate
#'
#' An R function of blocks can take hours where the noise takes microseconds. So
#' [dpSampleAndAggregate()] runs it on workers if you have set up some: processes of this machine,
#' or of others. Blocks are drawn in your session, and so is the noise, from the secure generator.
#' A block has the same result wherever R and its libraries are the same. Where it runs is no part
#' of a plan or of its hash.
#'
#' * **Daemons of package mirai**: `mirai::daemons(4)` starts four on this machine. With a `url`
#'   those of other machines come in, by SSH or from a scheduler. They wait for blocks, so that
#'   sending one takes milliseconds.
#' * **A plan of package future**: `future::plan(future::multisession, workers = 4)`, say, or
#'   `future::plan(future.batchtools::batchtools_slurm)`, where each part of the blocks becomes a
#'   job of Slurm. The plan `sequential` stands for your session itself.
#'
#' If you have set up both, the daemons run the blocks. `options(PSIlence.workers = )` chooses:
#' `"mirai"`, `"future"`, or `"none"` for your session. It is read at each release.
#'
#' @section What workers need: The same version of PSIlence, and the packages that are attached in
#'   your session. Before anything is paid a release asks one worker to load them. A plan of package
#'   future waits for it as long as its scheduler does; of daemons one must be connected within two
#'   minutes.
#'
#'   A worker gets what your function can see, as a child process without fork does: the sealed
#'   function, the functions of the global environment and what is named in these, options that are
#'   plain vectors, and the state of R's generator. Of that, a data frame by itself stays at home,
#'   and what has more than 1 MiB with all that it holds. When its blocks are done, the worker is as
#'   it was.
#' @section Lost workers: There are about four parts of blocks for each worker. A part whose worker
#'   is lost is sent once more, the same blocks with the same rows. If that worker is lost, too, the
#'   part runs in a child process of your session, and then each of its blocks in one of its own;
#'   only there a block that takes its process down counts as failed. If no daemon is connected for
#'   five seconds, all that is left runs in this way. So a lost worker costs time. It changes no
#'   block, and nothing of what a release loses; nothing says that it was lost, because a block may
#'   have been the reason. A machine that vanishes without closing its connection is waited for:
#'   interrupt the release.
#'
#'   With `timeLimit` each block has a child process on its worker, and its time is that of the
#'   worker's clock.
#'
#'   If you interrupt a release, parts that have not begun are taken back, and daemons stop what
#'   they do; so do workers of package future from version 1.49 on, and those of earlier versions
#'   end the part that they have. A budget stays charged.
#' @section Who sees the rows: The workers, and so all who can read their memory; also who can
#'   connect to the address of the daemons, because whatever connects there may be handed blocks.
#'   Local daemons on Linux meet at an abstract socket, which every user of the machine can reach
#'   who learns its random name. Between machines take an encrypted connection,
#'   `mirai::daemons(url = mirai::host_url(tls = TRUE))`, and a network in which nobody else
#'   connects.
#'
#'   PSIlence writes no row to a file for workers; child processes without fork get theirs through
#'   the folder of temporary files, on workers as in your session. Package future.batchtools does:
#'   the blocks, the function and the results of each job are files below the folder that the option
#'   `future.cache.path` names, by default `.future` in the working directory, which all machines
#'   must reach. They have the permissions that your umask leaves, and are deleted when a job has
#'   ended well; those of a lost job, or of a release that was interrupted, stay. Take a folder that
#'   you alone can enter, `Sys.umask("077")` before the release, and look into the folder after it.
#'
#'   From a worker come doubles only, as bytes, which are read without calling a method; any other
#'   answer is a loss. What it prints and signals is neither sent to you nor shown. Results of
#'   blocks that it forged would be moved into `outputRange` like any other. But these packages
#'   unserialize what a worker sends before PSIlence sees it: let machines work for you that you
#'   trust as you trust your own.
#' @section Errors: In `release()`, before it is paid:
#'
#' * `dp_error_failed_function` if no worker can load what it needs.
#' * `dp_error_invalid_argument` if the option `PSIlence.workers` is none of the above, or `"mirai"`
#'   while no daemons are set.
#' * `dp_error_missing_package` if the package that the option names is not installed; or, on a
#'   system without fork, package callr, by which lost blocks run again.
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

# The core has drawn all blocks before the first is sent, so a part that is lost is sent again as it
# was. There go rows and a sealed function, and back come doubles, as bytes.

chunks_per_worker <- 4

# How often a part is sent before it runs here.
most_sends <- 2

# Seconds without any worker, after which none is waited for.
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

# Stops unless a worker can take blocks. It gets none, so what it answers says nothing about data.
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
        "no worker could take a block; one must be connected, and each be able to load version",
        own_version(), "of package PSIlence and the packages that are attached in this session."
      ),
      "failed_function",
      call = NULL
    )
  }
}

# What a worker needs to know, as bytes: the function, and what it can see of this session. A sealed
# function has what it names; what is large, or a table, it may not have named.
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

# What runs on a worker, and leaves it as it was.
serve_blocks <- function(version, task, blocks) {
  if (!identical(version, own_version())) stop("another version")
  state <- kept_state(list())
  on.exit(state$end())
  task <- enter_session(unserialize(task))
  block <- function(b) blocks[[b]]
  numbers <- run_here(block, length(blocks), task$callback, task$read, task$limit)
  writeBin(as.double(unlist(numbers)), raw(), endian = "little")
}

# The numbers that a worker has sent, or NULL where it sent anything else. Nothing is called that
# has methods.
doubles_sent <- function(bytes, count) {
  if (typeof(bytes) == "raw" && is.null(attributes(bytes)) && length(bytes) == 8 * count) {
    readBin(bytes, "double", count, endian = "little")
  }
}

cut_numbers <- function(numbers, count) {
  unname(split(numbers, rep(seq_len(count), each = length(numbers) / count)))
}

# The numbers of each part, of which `counts` says how many; NULL for a part that was lost whenever
# it was sent, or that no worker was there for during `patience` seconds. `send(part)` sends it;
# `arrived(part)` hears that its numbers are there.
through_pool <- function(pool, counts, patience, send, arrived) {
  parts <- list2env(list(
    waiting = seq_along(counts), sends = integer(length(counts)), under_way = list(),
    numbers = vector("list", length(counts))
  ))
  # Some plans of package future draw names with the generator of R.
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

# Seconds between two looks at what workers have done; more where a look asks a scheduler, and takes
# long itself.
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

# Whether anything has ended. What could not be sent has, and what cannot be asked for.
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

# The value of `expr`, or NULL where it fails. What it says might be of the data.
quietly <- function(expr) {
  or_else(suppressWarnings(suppressMessages(expr)))
}
