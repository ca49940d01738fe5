# How a function of the user's meets one block of data.
#
# The guarantee of sample and aggregate needs a result that depends on its own block alone, and
# control flow that shows nothing. So nothing that goes wrong comes out (an error, a warning, a
# jump, a result that is no number: NaN, which the core turns into the middle of the declared
# range, or a vote for nobody), and what a well-meant function might carry from block to block is
# put back: the state of R's generators, and variables that it assigns with `<<-` in the environment
# it was made in. A hostile function in the same process can get around this; that is documented.

# A closure from a block to numbers, never a condition. `read` makes them of what `inner` gives, or
# of NULL if it fails.
guarded_inner <- function(inner, read) {
  force(inner)
  force(read)
  function(block) with_generators_kept(read(quietly(fresh_copy(inner), block)))
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

# `width` numbers; NaN for one that is missing, and for all if these are not so many numbers.
read_numbers <- function(width) {
  force(width)
  function(x) {
    usable <- is.atomic(x) && !is.object(x) && length(x) == width && typeof(x) %in%
      c("logical", "integer", "double")
    numbers <- if (usable) as.double(x) else rep(NaN, width)
    numbers[is.na(numbers)] <- NaN
    numbers
  }
}

# The place of a vote among the public outcomes, from 0; behind the last if it is none of them.
read_vote <- function(outcomes) {
  force(outcomes)
  function(x) {
    usable <- is.atomic(x) && length(x) == 1 && typeof(x) %in%
      c("logical", "integer", "double", "character")
    place <- if (usable) match(as.vector(x), outcomes)
    if (is.null(place) || is.na(place)) length(outcomes) else place - 1
  }
}

# A formula stands for the coefficients of its linear regression on the rows of a block.
inner_function <- function(inner) {
  if (!inherits(inner, "formula")) {
    return(inner)
  }
  function(block) unclass(stats::coef(stats::lm(inner, data = block)))
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
