# Whose workers run blocks: daemons of package mirai, or those of a plan of package future.
#
# A pool says how many `workers` there are, and how many parts may be under way, its `slots`. It can
# `send(task, blocks)`, bytes and rows; of what was sent it says whether it `is_done()`, gives the
# `value()`, and can `cancel()` it; and it says whether it `is_deserted()`, so that nothing will
# ever be done. What goes wrong in it is an error, or a value that is none.

# The pool that the caller has set up, or NULL.
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

# A package that is not loaded has set up nothing.
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
    # A second part is there when a daemon has done its first.
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

# A sequential plan has this process alone.
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

# Before version 1.49 a future cannot be cancelled, and its worker ends the part that it has.
cancel_future <- function(sent) {
  cancel <- get0("cancel", asNamespace("future"), mode = "function", inherits = FALSE)
  if (!is.null(cancel)) cancel(sent)
}

# Both ends must be of one mind about what is sent.
own_version <- function() getNamespaceInfo("PSIlence", "spec")[["version"]]
