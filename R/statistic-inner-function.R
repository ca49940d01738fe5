# How a function of the user's meets one block of data.
#
# The guarantee of sample and aggregate needs a result that depends on its own block alone, and
# control flow that shows nothing. So nothing that goes wrong comes out (an error, a warning, a
# jump, a result that is no number: NaN, which the core turns into the middle of the declared
# range), and what a well-meant function might carry from block to block is put back: the state of
# R's generators, and variables that it assigns with `<<-` in the environment it was made in. A
# hostile function in the same process can get around this; that is documented.

# A closure from a block (`numeric`) to `numeric(1)`; `tick` is called once for each block.
guarded_inner <- function(inner, tick) {
  force(inner)
  force(tick)
  function(block) {
    tick()
    with_generators_kept(as_result(quietly(fresh_copy(inner), block)))
  }
}

quietly <- function(inner, block) {
  tryCatch(
    withRestarts(
      withCallingHandlers(
        inner(block),
        warning = function(condition) invokeRestart("muffleWarning"),
        message = function(condition) invokeRestart("muffleMessage")
      ),
      abort = function() NULL
    ),
    error = function(condition) NULL
  )
}

as_result <- function(x) {
  usable <- is.atomic(x) && !is.object(x) && length(x) == 1 && typeof(x) %in%
    c("logical", "integer", "double")
  if (usable) as.double(x) else NaN
}

# The function in a copy of the environment that it was made in, if that is nobody else's.
fresh_copy <- function(inner) {
  env <- environment(inner)
  if (!is.null(env) && !is_shared(env)) environment(inner) <- rlang::env_clone(env)
  inner
}

is_shared <- function(env) {
  identical(env, globalenv()) || isNamespace(env) || environmentName(env) != ""
}

with_generators_kept <- function(expr) {
  seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(restore_seed(seed))
  expr
}

restore_seed <- function(seed) {
  if (!is.null(seed)) {
    assign(".Random.seed", seed, envir = globalenv())
  } else if (exists(".Random.seed", globalenv(), inherits = FALSE)) {
    rm(".Random.seed", envir = globalenv())
  }
}

# A progress bar over `total` blocks, updated at most a hundred times: `start()` and `stop()` by who
# releases, `tick()` by who computes. It holds counts only.
block_progress <- function(total) {
  step <- max(1, total %/% 100)
  done <- 0
  bar <- NULL
  list(
    start = function() {
      done <<- 0
      bar <<- cli::cli_progress_bar("Blocks", total = total, .auto_close = FALSE)
    },
    tick = function() {
      done <<- done + 1
      if (!is.null(bar) && done %% step == 0) cli::cli_progress_update(set = done, id = bar)
    },
    stop = function() {
      if (!is.null(bar)) cli::cli_progress_done(id = bar)
      bar <<- NULL
    }
  )
}
