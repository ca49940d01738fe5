condition_of <- function(expr) tryCatch(expr, error = identity)

test_that("every kind has its own class and its published variant", {
  for (kind in names(error_variants)) {
    error <- condition_of(stop_dp("`size` is wrong.", kind))
    expect_s3_class(
      error, c(paste0("dp_error_", kind), "dp_error", "rlang_error", "error", "condition"),
      exact = TRUE
    )
    expect_identical(error$variant, error_variants[[kind]])
  }
})

test_that("framework messages start with their variant, other messages with the sentence", {
  message_of <- function(kind) conditionMessage(condition_of(stop_dp("No.", kind)))
  expect_identical(message_of("failed_function"), "[FailedFunction] : No.")
  expect_identical(message_of("ffi"), "[FFI] : No.")
  expect_identical(message_of("search"), "No.")
  expect_identical(message_of("invalid_argument"), "No.")
  expect_identical(message_of("rows"), "No.")
  expect_identical(message_of("missing_feature"), "No.")
  expect_identical(message_of("missing_package"), "No.")
  expect_identical(message_of("serialization"), "No.")
})

test_that("running out of memory has a separate error class", {
  huge <- rows_of("i32") |> then_resize(size = 2^50, constant = 0L)
  expect_error(huge(arg = 1L), "not enough memory", class = "dp_error_memory")
  expect_error(huge(arg = integer()), class = "dp_error_memory")
})

test_that("an unknown kind is a bug in the package, not a new class", {
  expect_error(stop_dp("No.", "surprise"), "subscript out of bounds")
})

test_that("templates are filled once, so braces in a value stay braces", {
  value <- "{stop('evaluated')} <Vec<i32>>"
  error <- condition_of(stop_dp("got {value}", "type"))
  expect_identical(conditionMessage(error), paste("[Type] :", "got", value))
})

test_that("a sentence from the core is not a template", {
  core_make <- function() stop_core("make_domain", "MakeDomain", "{stop('evaluated')} {.arg x}")
  error <- condition_of(core_make())
  expect_identical(conditionMessage(error), "[MakeDomain] : {stop('evaluated')} {.arg x}")
})

test_that("messages carry no terminal codes and are not wrapped", {
  long <- paste(rep("word", 100), collapse = " ")
  error <- withr::with_options(
    list(cli.num_colors = 256L, cli.width = 40L, width = 40L),
    condition_of(stop_dp("{.arg size} {long}", "type"))
  )
  expect_identical(conditionMessage(error), paste("[Type] : `size`", long))
})

test_that("handlers receive the fields", {
  error <- condition_of(stop_dp("No.", "missing_feature", feature = "contrib"))
  expect_identical(error$feature, "contrib")
})

test_that("the call is the name of the called function, without arguments", {
  fails <- function(x) stop_dp("No.", "type")
  expect_identical(conditionCall(condition_of(fails(1))), quote(fails()))
  object <- list(release = fails)
  expect_identical(conditionCall(condition_of(object$release(1))), quote(object$release()))
  expect_null(conditionCall(condition_of((function(x) stop_dp("No.", "type"))(1))))
  expect_null(conditionCall(condition_of(stop_dp("No.", "type", call = NULL))))
})

test_that("an error of the core names the caller of the binding, however deep Rcpp's frames are", {
  # Rcpp calls the function from the global environment, inside a tryCatch().
  callback <- as.call(list(stop_core, "type", "Type", "No."))
  core_make_sum <- function(x) tryCatch(eval(callback, globalenv()), interrupt = identity)
  make_total <- function(x) identity(core_make_sum(x))
  expect_identical(conditionCall(condition_of(make_total(1))), quote(make_total()))
  expect_null(conditionCall(condition_of(stop_core("type", "Type", "No."))))
})

test_that("D-R-3: no condition holds the data of the failed call", {
  canary <- 7417.3391
  text <- "zq9_canary"
  core_make <- function(x) stop_core("failed_cast", "FailedCast", "`arg` has the wrong type.")
  failures <- list(
    function(data) stop_dp("`arg` has the wrong type.", "type"),
    function(data) core_make(data),
    function(data) check_whole(data),
    function(data) check_bounds(list(data, Inf)),
    function(data) check_string(data),
    function(data) rt_assert("u32", rt_infer(data), data),
    function(data) hashitems(data, "HashMap<i32, i32>"),
    function(data) enable_features(data, 1),
    # A missing argument, an invalid one, and several of both, and an error caught by a search.
    function(data) dpMean(varType = "numeric", variable = "x", n = 10, epsilon = 1),
    function(data) dpMean(variable = "x", n = -1, rng = c(0, 1), epsilon = 1),
    function(data) dpMean(variable = 1, n = -1),
    function(data) calibrate(function(x) stop_dp("No.", "invalid_argument"), d_in = 1, d_out = 1)
  )
  for (fails in failures) {
    for (data in list(c(canary, canary), canary, data.frame(x = canary, y = text))) {
      error <- condition_of(do.call(fails, list(data)))
      expect_s3_class(error, "dp_error")
      bytes <- paste(as.character(serialize(error, NULL)), collapse = "")
      shown <- paste(c(format(error), conditionMessage(error)), collapse = " ")
      for (endian in c("big", "little")) {
        pattern <- paste(as.character(writeBin(canary, raw(), endian = endian)), collapse = "")
        expect_false(grepl(pattern, bytes, fixed = TRUE))
      }
      expect_false(grepl("7417|zq9", shown))
      expect_false(grepl(paste(charToRaw(text), collapse = ""), bytes, fixed = TRUE))
      expect_null(error$trace)
    }
  }
})

test_that("D-R-3: no error is raised in a way that captures a trace", {
  functions <- Filter(is.function, as.list(asNamespace("PSIlence"), all.names = TRUE))
  taking_traces <- Filter(function(f) {
    any(c("cnd_signal", "abort", "cli_abort") %in% all.names(body(f)))
  }, functions)
  expect_length(taking_traces, 0)
})

test_that("D-R-3: the search finds a planted canary", {
  fails <- function(data) stop("No.")
  error <- condition_of(do.call(fails, list(7417.3391)))
  bytes <- paste(as.character(serialize(error, NULL)), collapse = "")
  pattern <- paste(as.character(writeBin(7417.3391, raw(), endian = "big")), collapse = "")
  expect_true(grepl(pattern, bytes, fixed = TRUE))
})

test_that("no message names functions that only another package has", {
  foreign <- c("FfiSlice", "FfiResult", "opendp.org", "opendp::", "opendp/opendp")
  strings_in <- function(x) {
    if (is.function(x)) x <- list(formals(x), body(x))
    if (is.character(x)) x else unlist(lapply(as.list(x)[!is_missing_part(x)], strings_in))
  }
  is_missing_part <- function(x) {
    vapply(as.list(x), function(part) is.name(part) || is.atomic(part) && !is.character(part), NA)
  }
  home <- asNamespace("PSIlence")
  functions <- Filter(is.function, mget(ls(home, all.names = TRUE), envir = home))
  texts <- unlist(lapply(functions, strings_in), use.names = FALSE)
  expect_gt(length(texts), 3000)
  library <- getLoadedDLLs()[["PSIlence"]][["path"]]
  bytes <- readBin(library, "raw", file.size(library))
  for (word in foreign) {
    expect_identical(grep(word, texts, fixed = TRUE, value = TRUE), character(), label = word)
    expect_identical(grepRaw(word, bytes, fixed = TRUE), integer(), label = word)
  }
  expect_length(grepRaw("must be one value", bytes, fixed = TRUE), 1)
})

test_that("a time limit passes through handlers of any error, and cleanup code defers it", {
  limit <- simpleError(time_limits[[1]], quote(f(secret)))
  wrapped <- rlang::error_cnd(message = "in a step", parent = limit)
  for (error in list(limit, wrapped)) {
    seen <- tryCatch(or_else(stop(error), function(error) "handled"), error = identity)
    expect_identical(conditionMessage(seen), time_limits[[1]])
    expect_null(conditionCall(seen))
  }
  expect_identical(or_else(stop("no"), conditionMessage), "no")
  expect_null(or_else(stop("no")))
  steps <- character()
  ended <- tryCatch(
    {
      setTimeLimit(elapsed = 0.05)
      cleaned_up({
        late <- proc.time()[["elapsed"]] + 0.2
        while (proc.time()[["elapsed"]] < late) NULL
        steps <- c(steps, "ended")
      })
      for (i in 1:1e6) NULL
    },
    error = identity, finally = setTimeLimit()
  )
  expect_true(is_time_limit(ended))
  expect_identical(steps, "ended")
  expect_identical(cleaned_up(stop("no"), otherwise = 1), 1)
})

# Calls of tryCatch() or try() that handle any error.
takes_all_errors <- function(code) {
  if (!is.call(code)) {
    return(FALSE)
  }
  own <- is.symbol(code[[1]]) && (
    identical(code[[1]], quote(try)) ||
      identical(code[[1]], quote(tryCatch)) && any(c("error", "condition") %in% names(code))
  )
  own || any(vapply(as.list(code), function(part) {
    !missing(part) && (is.call(part) && takes_all_errors(part) ||
      is.pairlist(part) && any(vapply(as.list(part), takes_all_errors, NA)))
  }, NA))
}

test_that("only or_else() handles any error, and it passes time limits on", {
  home <- environment(release)
  functions <- Filter(is.function, mget(ls(home, all.names = TRUE), home))
  taking <- Filter(function(fun) takes_all_errors(body(fun)), functions)
  # cleaned_up() suspends limits. The others pass limits on after their cleanup.
  expect_setequal(names(taking), c("or_else", "cleaned_up", "or_engine_failed", "run_alone"))
  expect_true(takes_all_errors(quote(function(x) if (x) tryCatch(f(), error = identity))))
  expect_false(takes_all_errors(quote(tryCatch(f(), dp_error = identity))))
})
