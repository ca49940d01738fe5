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
