# Workers for tests: two daemons of package mirai, or two workers of a package future plan.

local_workers <- function(pool, frame = parent.frame()) {
  # A progress bar shows after two seconds. It is not a message of the function.
  withr::local_options(PSIlence.workers = pool, cli.progress_show_after = 1e6, .local_envir = frame)
  if (pool == "mirai") {
    # Without automatic cleaning, so tests would see anything that blocks leave behind.
    mirai::daemons(2, cleanup = FALSE)
    withr::defer(mirai::daemons(0), envir = frame)
  } else {
    before <- future::plan(future::multisession, workers = 2)
    withr::defer(future::plan(before), envir = frame)
  }
}

# Runs named tests on workers of each kind. Tests of one call share workers, because starting
# workers takes longer than most tests. Later tests therefore run on used workers.
test_each_pool <- function(...) {
  for (pool in c("mirai", "future")) test_on_pool(pool, list(...))
}

test_on_pool <- function(pool, tests) {
  stopifnot(rlang::is_named(tests)) # unnamed tests would not run
  local_workers(pool)
  for (sentence in names(tests)) {
    test_that(paste0(sentence, " (", pool, ")"), {
      tests[[sentence]]()
    })
  }
}

# Pool of one worker that answers a part with `answer(blocks, sends)`: the bytes that a worker would
# send, given how often these blocks were sent. Remembers its requests.
scripted_pool <- function(answer, slots = 2, deserted = FALSE) {
  seen <- new.env()
  seen$sent <- list()
  seen$cancelled <- 0
  list(
    workers = 1, slots = slots, seen = seen,
    send = function(task, blocks) {
      seen$sent <- c(seen$sent, list(blocks))
      sends <- sum(vapply(seen$sent, identical, NA, blocks))
      list(answer = function() {
        answer(function() serve_blocks(own_version(), task, blocks), blocks, sends)
      })
    },
    is_done = function(sent) !deserted,
    value = function(sent) sent$answer(),
    cancel = function(sent) seen$cancelled <- seen$cancelled + 1,
    is_deserted = function() deserted
  )
}

# Sends five blocks of one row each through a pool.
five_through <- function(pool, fun = function(x) 10 * x, limit = NULL, tick = NULL) {
  run_on_workers(
    pool, function(b) as.double(b), 5, new_callback(fun), read_numbers(1), limit, tick
  )
}
five_here <- as.list(10 * c(1, 2, 3, 4, 5))
