# Every function of hostile_functions() at every place of callback_sites().

# Visible effects of a call: its conditions, its output, and changes that it leaves behind.
observed <- function(run) {
  conditions <- list()
  shown <- tempfile()
  sunk <- file(shown, "w")
  outside <- sink.number()
  sink(sunk)
  sink(sunk, type = "message")
  on.exit({
    while (sink.number() > outside) sink()
    sink(type = "message")
    close(sunk)
    unlink(shown)
  })
  depth <- sink.number()
  before <- state_now()
  result <- withRestarts(
    tryCatch(
      withCallingHandlers(run(), condition = function(condition) {
        conditions <<- c(conditions, list(condition))
        tryInvokeRestart("muffleWarning")
        tryInvokeRestart("muffleMessage")
      }),
      error = identity, interrupt = identity
    ),
    outside = function(text) stop("a restart of the caller's was reached")
  )
  left <- changed_since(before)
  flush(sunk)
  list(
    result = result, conditions = conditions, left = left,
    output = readChar(shown, file.size(shown), useBytes = TRUE), sinks = sink.number() - depth
  )
}

# Some of these functions may change the kind of R's generators, which would outlast this file.
kinds <- RNGkind()
withr::defer(do.call(RNGkind, as.list(kinds)), testthat::teardown_env())

# Packages of test frameworks have their own options and variables.
state_now <- function() {
  list(
    options = options()[c("digits", "hostile", "warn", "device")], folder = getwd(),
    path = search(), globals = ls(globalenv(), all.names = TRUE),
    seed = get0(".Random.seed", globalenv()), kind = RNGkind(),
    devices = grDevices::dev.list(), messages = sink.number("message")
  )
}

changed_since <- function(before) {
  now <- state_now()
  names(before)[!vapply(names(before), function(part) identical(now[[part]], before[[part]]), NA)]
}

# All faults in the observed effects.
faults <- function(seen, site) {
  text <- function(condition) paste(class(condition), toString(condition$message))
  allowed <- function(condition) inherits(condition, c("dp_error", "dp_warning"))
  foreign <- Filter(Negate(allowed), seen$conditions)
  said <- c(vapply(seen$conditions, function(c) toString(c$message), ""), seen$output)
  c(
    if (length(foreign) > 0) paste("condition:", text(foreign[[1]])),
    if (nzchar(seen$output)) paste("output:", seen$output),
    if (!isTRUE(site$public) && any(grepl(canary, said))) "the argument was shown",
    if (length(seen$left) > 0 && !isTRUE(site$stateful)) paste("left:", toString(seen$left)),
    if (seen$sinks != 0) "a sink was left open"
  )
}

sites <- callback_sites()

# Functions that may change this session, if the place allows it.
stateful <- c(
  "options", "folder", "attach", "seed", "assign", "remove", "superassign", "promise", "active"
)

test_that("D_CTL_1 no effect of a user function is visible, wherever it is called", {
  local_hostile_methods()
  set.seed(1)
  assign("canary_neighbour", 1, envir = globalenv())
  on.exit(rm("canary_neighbour", envir = globalenv()))
  for (name in names(sites)[!vapply(sites, function(site) isTRUE(site$slow), NA)]) {
    functions <- hostile_functions()
    for (how in names(functions)) {
      if (isTRUE(sites[[name]]$stateful) && how %in% stateful) next
      seen <- observed(function() sites[[name]]$run(functions[[how]]))
      expect_identical(faults(seen, sites[[name]]), NULL, label = paste(name, how))
    }
  }
})

test_that("every place calls its function", {
  for (name in names(sites)[!vapply(sites, function(site) isTRUE(site$slow), NA)]) {
    calls <- call_counter()
    observed(function() {
      sites[[name]]$run(function(x) {
        calls$note()
        3
      })
    })
    expect_gt(calls$count(), 0, label = name)
  }
})

test_that("the checks of hostile functions find planted effects", {
  plain <- function(f) function() f(canary)
  functions <- hostile_functions()
  silent <- c(names(hostile_values()), "abort", "deep", "sink", "loop", "jump", "error",
    "rlang_error", "classed_error", "restart", "plot", "remove", "silent_interrupt",
    "silent_warning", "frame")
  for (how in setdiff(names(functions), silent)) {
    before <- options()
    seen <- observed(function() try(functions[[how]](canary), silent = TRUE))
    expect_gt(length(faults(seen, list())), 0, label = how)
    options(before)
    suppressWarnings(rm(list = intersect("hostile", ls(globalenv())), envir = globalenv()))
    if ("hostile" %in% search()) detach("hostile", character.only = TRUE)
  }
})

test_that("D_SEN_1 a block that returns anything spoils no other block", {
  local_hostile_methods()
  rows <- data.frame(x = as.double(c(canary, 1:11)))
  for (how in names(hostile_functions())) {
    hostile <- hostile_functions()[[how]]
    inner <- function(x) if (any(x == canary)) hostile(x) else 20
    mean <- exact_aggregate(rows,
      innerFun = inner, rng = c(0, 1e4), numSubsets = 4, outputRange = c(-10, 20)
    )
    expect_gte(mean, (3 * 20 - 10) / 4 - 1e-6, label = how)
  }
})

test_that("D_SEN_1 a block whose process returns anything spoils no other block", {
  local_hostile_methods()
  rows <- data.frame(x = as.double(c(canary, 1:11)))
  for (how in c("classed", "error", "remove", "sink", "null")) {
    hostile <- hostile_functions()[[how]]
    inner <- function(x) if (any(x == canary)) hostile(x) else 20
    mean <- exact_aggregate(rows,
      innerFun = inner, rng = c(0, 1e4), numSubsets = 4, outputRange = c(-10, 20), timeLimit = 600
    )
    expect_gte(mean, (3 * 20 - 10) / 4 - 1e-6, label = how)
  }
})

test_that("D_CTL_1 effects of a function on a worker stay there and spoil no other block", {
  local_workers("mirai")
  local_hostile_methods()
  set.seed(1)
  rows <- data.frame(x = as.double(c(canary, 1:11)))
  # Test files share their variables in an environment that is not sent to workers.
  row <- canary
  for (how in names(hostile_functions())) {
    hostile <- hostile_functions()[[how]]
    inner <- function(x) if (any(x == row)) hostile(x) else 20
    seen <- observed(function() {
      exact_aggregate(rows,
        innerFun = inner, rng = c(0, 1e4), numSubsets = 4, outputRange = c(-10, 20)
      )
    })
    expect_identical(faults(seen, list()), NULL, label = how)
    expect_gte(seen$result, (3 * 20 - 10) / 4 - 1e-6, label = how)
  }
})

test_that("no method of a result is ever called", {
  local_untried()
  calls <- local_hostile_methods()
  value <- structure(c(1, 1), class = "hostile")
  rows <- data.frame(x = as.double(1:12))
  result <- exact_aggregate(rows,
    innerFun = function(x) value, rng = c(0, 100), numSubsets = 4, outputRange = c(-10, 20)
  )
  expect_equal(result, 5, tolerance = 1e-6)
  sites$mechanism$run(function(x) value)
  sites$stability$run(function(x) structure("a", class = "hostile"))
  sites$block_votes$run(function(x) structure("3", class = "hostile"))
  expect_identical(calls$count, 0)
  length(value)
  expect_gt(calls$count, 0) # the methods work
})

test_that("the sites list every place where the package takes a user function", {
  namespace <- asNamespace("PSIlence")
  takes <- function(name) {
    value <- get0(name, namespace, inherits = FALSE)
    is.function(value) && "new_callback" %in% all.names(body(value))
  }
  # Steps of the catalogue seal their functions with these two, and keep them in their plans.
  sealing <- c("isolated_argument", "isolated_loss_argument")
  is_users <- function(x) is.function(x) && !is_framework_object(x)
  takes_function <- function(object) any(vapply(plan_of(object)$args, is_users, NA))
  steps <- Filter(takes_function, built_examples())
  expect_setequal(
    c(setdiff(Filter(takes, ls(namespace)), sealing), names(steps)),
    unlist(lapply(sites, `[[`, "of"))
  )
})

test_that("a factor votes with its code, however it was made", {
  vote <- read_vote(c("a", "b"))
  expect_identical(vote(factor("b", c("z", "b"))), 1)
  expect_identical(vote(structure(2L, levels = c("b", "a"), class = c("odd", "factor"))), 0)
  for (code in list(0L, -1L, 3L, NA_integer_)) {
    expect_identical(vote(structure(code, levels = c("a", "b"), class = "factor")), 2)
  }
})
