# D-R-8: no call into the core crashes. The tests record arguments that the package passes, corrupt
# one or two at a time, and pass them again in a child process that may die.

entries <- function() getDLLRegisteredRoutines("PSIlence")$.Call

# Entry points that build an object take a step and a list of its arguments. Each step counts as a
# separate entry point.
builds <- function(entry) startsWith(entry, "_PSIlence_core_build")

entry_of <- function(way) sub(" .*", "", way)

# Runs `use` and returns up to `most` argument lists per entry point.
recorded_calls <- function(use, most = 8) {
  calls <- new.env()
  record <- function(entry, arguments) {
    way <- if (builds(entry)) paste(entry, arguments[[1]]) else entry
    if (length(calls[[way]]) < most) calls[[way]] <- c(calls[[way]], list(arguments))
  }
  wrappers <- sub("_PSIlence_", "", names(entries()), fixed = TRUE)
  where <- asNamespace("PSIlence")
  traced <- function(action) {
    for (wrapper in wrappers) suppressMessages(action(wrapper))
  }
  traced(function(wrapper) {
    entry <- paste0("_PSIlence_", wrapper)
    arguments <- lapply(names(formals(get(wrapper, where))), as.name)
    tracer <- bquote((.(record))(.(entry), list(..(arguments))), splice = TRUE)
    trace(wrapper, tracer, print = FALSE, where = where)
  })
  on.exit(traced(function(wrapper) untrace(wrapper, where = where)))
  use()
  as.list(calls)
}

# Uses the whole framework and some statistics.
use_everything <- function() {
  for (name in names(all_examples())) {
    example <- all_examples()[[name]]
    object <- built_by(name, example)
    try(object(d_in = example$d_in[[2]]), silent = TRUE)
    try(object(d_in = example$d_in[[2]], d_out = 1), silent = TRUE)
    for (arg in list(1L, 0.5, c(1L, 3L, 2L), c("a", "b"), "a,b\n1,2", data.frame(a = "x", b = 1))) {
      try(object(arg = arg), silent = TRUE)
    }
  }
  compose_pld(list(make_laplace(atom_domain(.T = "i32"), absolute_distance("i32"), 2)), 1L)
  binned <- histogram_of(nBins = 4, rng = c(1, 16))
  aggregates <- lapply(aggregators_of_all_kinds(), \(options) do.call(tiny_aggregate, options))
  for (statistic in aggregates) statistic$release(data.frame(x = c(0, 1, 0.5, 1)))
  for (statistic in models_and_choices()) {
    statistic$release(data.frame(x = c(0, 1, 0.5, 1), y = c(1, 1, 0, 0), text = letters[c(1:3, 1)]))
  }
  for (statistic in list(mean_of(), variance_of(), aggregate_of(), binned)) released(statistic)
  use_ledger()
  use_query()
}

use_query <- function() {
  session <- dp_session(dp_epsilon(10, delta = 1e-6))
  rows <- data.frame(id = rep(1:20, 2), g = rep(c("a", "b"), 20), x = c(1, NA, 3, 4), k = 1:4)
  table <- dp_tbl(session, rows,
    unit = dp_unit(id = id),
    domain = dp_domain(g = dp_text(), x = dp_num(0, 5), k = dp_int(1, 4))
  )
  query <- table |>
    dplyr::filter(x > 0 | is.na(x)) |>
    dplyr::mutate(y = pmin(k, 3L)) |>
    dplyr::left_join(data.frame(k = 1:4, z = c(2, 1, 2, 1)), by = "k") |>
    dp_truncate(max_groups = 2, max_rows_per_group = 2, by = g) |>
    dplyr::group_by(g) |>
    dplyr::summarise(
      n = dp_count(), mean = dp_mean(x), q = dp_median(y, at = 1:3), v = dp_var(x)
    )
  for (keys in list(data.frame(g = c("a", "b")), "threshold", "select")) {
    release(dp_keys(query, keys), epsilon = 1, delta = 1e-8)
  }
  dp_solve(dp_keys(query, data.frame(g = "a")), accuracy = c(n = 20))
  dp_spent(session)
}

# The folder stays until R ends, because the recorded calls refer to it.
use_ledger <- function() {
  where <- file.path(tempfile(), "survey.ledger")
  dir.create(dirname(where))
  key <- dp_key(paste0(where, ".pem"), create = TRUE)
  ledger <- create_ledger(where, "survey", dp_unit(changes = 1), dp_epsilon(10),
    version = "2026-03", key = key
  )
  statistic <- mean_age()
  with_ledger(ledger, statistic$release(hundred))
  table <- dp_tbl(dp_session(ledger = ledger), data_of_kinds, dp_unit(changes = 1),
    dp_domain(age = dp_int(0, 100))
  )
  release(dplyr::summarise(table, n = dp_count()), epsilon = 0.5)
  dp_new_version(ledger, "2026-04")
  dp_history(ledger)
  dp_ledger_verify(where, dp_ledger_head(ledger), key)
  file <- write_receipt(statistic, paste0(where, ".json"))
  verify_release(file, ledger)
}

models_and_choices <- function() {
  ranges <- list(c(0, 1), c(0, 1))
  hitters <- function(mechanism, bins) {
    suppressWarnings(dpHeavyHitters(mechanism, "character", "text", 4, 1, 1, bins))
  }
  list(
    dpCovariance("mechanismLaplace", "numeric", 4, c("x", "y"), ranges, globalEps = 1),
    dpGLM("mechanismObjective", "numeric", 4, ranges, "y ~ x", "logit", 1),
    dpTree("numeric", "x", 4, 2, c(0, 1), globalEps = 1),
    hitters("mechanismExponential", letters[1:3]), hitters("mechanismStability", letters[1:3]),
    hitters("mechanismStability", NULL)
  )
}

# Values that the package would never pass.
strangers <- function(calls) {
  passed <- unlist(unlist(calls, FALSE), FALSE, use.names = FALSE)
  pointers <- Filter(function(x) typeof(x) == "externalptr", passed)
  objects <- Filter(is_framework_object, unlist(passed, use.names = FALSE))
  nil <- unserialize(serialize(pointers[[1]], NULL))
  c(
    list(
      NULL, nil, "i32", "f64", "String", "Vec<f64>", NA_character_, "", strrep("x", 2^16),
      rawToChar(as.raw(c(0xc3, 0x28))), letters, c("a", NA), TRUE, NA, logical(0),
      0L, -1L, NA_integer_, .Machine$integer.max, integer(0), 1:2, seq_len(2^16),
      0, -0, -1, 0.5, NaN, NA_real_, Inf, -Inf, 1e-320, 1e308, 2^53 + 2, numeric(0), c(1, 0),
      1i, raw(0), as.raw(1:3), list(), list(NULL), list(list(1L, "a"), NULL), list(a = 1, b = "x"),
      data.frame(x = 1:2, y = c("a", "b")), factor(c("a", "b")),
      structure(c(1L, 9L), levels = c("a", "b"), class = "factor"), bit64::as.integer64(3),
      structure(5L, class = "factor"), structure(list(1), class = "dp_domain"), Sys.Date(),
      quote(x), quote(x + y), expression(x), function(x) x, function() stop("no"), sum,
      globalenv(), new.env(), c(a = 1, b = NaN), matrix(1:4, 2)
    ),
    utils::head(pointers, 40), utils::head(objects, 40)
  )
}

# Replaces `value` by a stranger, a recycled stranger, a copy with one part replaced, or a copy
# without attributes.
spoilt <- function(value, others) {
  stranger <- others[[sample.int(length(others), 1)]]
  if (!is.vector(value) || is.object(value)) {
    return(stranger)
  }
  switch(sample.int(5, 1),
    stranger,
    stranger,
    rep_len(value, sample(0:9, 1)),
    if (is.list(value) && length(value)) replace(value, 1, list(stranger)) else stranger,
    as.vector(value)
  )
}

# Corrupts one or two of the arguments.
some_spoilt <- function(arguments, others) {
  for (place in sample.int(length(arguments), min(sample(2, 1), length(arguments)))) {
    arguments[place] <- list(spoilt(arguments[[place]], others))
  }
  arguments
}

# Mostly corrupts inside the list that holds a step's arguments.
some_spoilt_of_step <- function(arguments, others) {
  last <- length(arguments)
  if (length(arguments[[last]]) == 0 || stats::runif(1) < 0.2) {
    return(some_spoilt(arguments, others))
  }
  arguments[[last]] <- some_spoilt(arguments[[last]], others)
  arguments
}

# Calls every entry point `runs` times with corrupt arguments. `log` names the current call.
call_spoilt <- function(calls, runs, log) {
  others <- strangers(calls)
  never <- setdiff(names(entries()), entry_of(names(calls)))
  vapply(c(names(calls), never), function(way) {
    routine <- entries()[[entry_of(way)]]
    sum(vapply(seq_len(runs), function(run) {
      known <- calls[[way]]
      arguments <- if (length(known)) {
        known[[sample.int(length(known), 1)]]
      } else {
        rep(list(NULL), routine$numParameters)
      }
      spoil <- if (builds(way)) some_spoilt_of_step else some_spoilt
      arguments <- spoil(arguments, others)
      writeLines(paste(way, run), log)
      tryCatch(
        {
          suppressWarnings(do.call(.Call, c(list(routine), unname(arguments)), quote = TRUE))
          TRUE
        },
        error = function(error) FALSE
      )
    }, logical(1)))
  }, numeric(1))
}

# The calls may crash, so they run in a fork.
if (has_fork()) {
  test_that("D-R-8: no entry of the core crashes on arguments that the package would not pass", {
    withr::local_seed(20261121)
    calls <- suppressWarnings(recorded_calls(use_everything))
    expect_gt(length(calls), 100)
    log <- withr::local_tempfile()
    # Runs in a separate folder, because some calls write files.
    child <- parallel::mcparallel(
      withr::with_dir(tempdir(), call_spoilt(calls, 25, log)),
      silent = TRUE, mc.set.seed = FALSE
    )
    accepted <- parallel::mccollect(child)[[1]]
    # A child that died has no result. The log then names the call.
    expect(is.numeric(accepted), paste("The process died in", readLines(log)))
    # Most corrupt calls are rejected. If all were, the fuzzer would only test the first check.
    expect_gt(sum(accepted > 0), 50)
  })

  test_that("D-R-8: the check notices a child that dies", {
    child <- parallel::mcparallel(tools::pskill(Sys.getpid(), 9), silent = TRUE)
    expect_null(suppressWarnings(parallel::mccollect(child))[[1]])
  })
}
