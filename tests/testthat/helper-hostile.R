# Functions that do what a user function must not be able to do, and every place where the package
# calls a user function. List new places here: test-callback-hostile.R compares.

canary <- 7417

# Methods that a reader of the value would call. The list is broad because any of them may be
# called.
hostile_methods <- c(
  "length", "[", "[[", "$", "as.double", "as.numeric", "as.integer", "as.character", "as.vector",
  "as.list", "as.logical", "is.na", "levels", "unlist", "format", "print", "mean", "dim", "names",
  "conditionMessage", "Ops", "Math", "Summary", "all.equal", "rep", "c", "unique", "as.data.frame"
)

local_hostile_methods <- function(frame = parent.frame()) {
  calls <- new.env()
  calls$count <- 0
  for (generic in hostile_methods) {
    local({
      method <- function(...) {
        calls$count <- calls$count + 1
        2L
      }
      registerS3method(generic, "hostile", method, envir = asNamespace("base"))
    })
  }
  calls
}

# Values that a function may return instead of a number.
hostile_values <- function() {
  list(
    null = NULL, empty = double(), two = c(1, 2), text = "3", raw = as.raw(3), complex = 3i,
    list = list(3), call = quote(stop("!")), symbol = quote(x), formula = y ~ x,
    expression = expression(3), closure = function() 3, builtin = sum, environment = new.env(),
    pointer = methods::new("externalptr"), s4 = methods::getClass("numeric"),
    classed = structure(3, class = "hostile"),
    classed_list = structure(list(3), class = "hostile"),
    classed_factor = structure(1L, levels = "3", class = c("hostile", "factor")),
    zero_code = structure(0L, levels = "3", class = "factor"),
    negative_code = structure(-1L, levels = c("1", "3"), class = "factor"),
    large_code = structure(99L, levels = "3", class = "factor"),
    double_code = structure(1.5, levels = "3", class = "factor"),
    classed_levels = structure(1L, levels = structure("3", class = "hostile"), class = "factor"),
    no_levels = structure(1L, class = "factor"),
    date = as.Date("2020-01-01"), long_time = as.POSIXlt("2020-01-01", tz = "UTC"),
    integer64 = structure(1e-320, class = "integer64"),
    infinite = Inf, missing = NA_real_, not_a_number = NaN
  )
}

# Functions of one argument. Their output, messages and conditions include the argument.
hostile_functions <- function() {
  said <- function(x) paste("saw", toString(unlist(x)))
  condition <- function(x, ...) {
    structure(class = c(..., "condition"), list(message = said(x), call = NULL))
  }
  c(lapply(hostile_values(), function(value) function(x) value), list(
    frame = function(x) data.frame(x = 3),
    error = function(x) stop(said(x)),
    rlang_error = function(x) rlang::abort(said(x)),
    classed_error = function(x) stop(condition(x, "hostile", "error")),
    warning = function(x) warning(said(x)),
    message = function(x) message(said(x)),
    signal = function(x) signalCondition(condition(x, "progression")),
    silent_warning = function(x) signalCondition(condition(x, "warning")),
    silent_interrupt = function(x) signalCondition(condition(x, "interrupt")),
    rlang_signal = function(x) rlang::signal(said(x), "progression"),
    restart = function(x) invokeRestart("outside", said(x)),
    abort = function(x) invokeRestart("abort"),
    jump = function(x) eval(quote(return("jumped")), sys.frame(1)),
    loop = function(x) eval(quote(break), parent.frame()),
    deep = function(x) (function(f) f(f))(function(f) f(f)),
    print = function(x) print(said(x)),
    write = function(x) write(said(x), stderr()),
    sink = function(x) sink(tempfile()),
    plot = function(x) plot(1),
    options = function(x) options(digits = 3, hostile = said(x), warn = 2),
    folder = function(x) setwd(tempdir()),
    attach = function(x) attach(list(hostile = said(x)), name = "hostile"),
    seed = function(x) set.seed(1, kind = "Wichmann-Hill"),
    assign = function(x) assign("hostile", said(x), envir = globalenv()),
    remove = function(x) rm(list = ls(globalenv()), envir = globalenv()),
    superassign = function(x) hostile <<- said(x),
    promise = function(x) delayedAssign("hostile", stop(said(x)), assign.env = globalenv()),
    active = function(x) makeActiveBinding("hostile", function() stop(said(x)), globalenv())
  ))
}

# Places that call a user function. `of` is the package function that takes it, and `run(f)` calls
# that function. `public`: the argument of `f` may be shown. `stateful`: `f` may keep state.
callback_sites <- function() {
  space <- rows_of("i32")
  rows <- data.frame(x = as.double(c(canary, 1:11)))
  aggregate <- function(...) {
    function(f) exact_aggregate(rows, innerFun = f, rng = c(0, 1e4), numSubsets = 4, ...)
  }
  mechanism <- function(new, ...) {
    function(f) {
      public <- function(x) if (any(x == canary)) f(x) else 1
      new(
        varType = "numeric", variable = "x", n = 3, rng = c(0, 1e4), epsilon = 1, ...
      )$evaluate(public, c(canary, 1, 2), sens = 1)
    }
  }
  texts <- as.character(c(canary, 1, 2))
  list(
    block_numbers = list(
      of = c("aggregate_blocks", "trial_faults"), run = aggregate(outputRange = c(-10, 20))
    ),
    block_votes = list(
      of = "aggregate_blocks", run = function(f) {
        aggregate_of(
          innerFun = f, aggregationFun = "Mode", outcomes = c("1", "3"), rng = c(0, 1e4),
          numSubsets = 4, n = 12, variable = "x"
        )$release(rows)
      }
    ),
    block_processes = list(
      of = "aggregate_blocks", slow = TRUE,
      run = aggregate(outputRange = c(-10, 20), timeLimit = 30)
    ),
    range_helper = list(
      of = c("check_range_helper", "helped_measurement"), run = function(f) {
        rule <- function(x) if (identical(as.double(x), c(0, 1e4))) c(0, 1) else f(canary)
        aggregate_of(
          innerFun = mean, rangeMode = "helper", rangeHelper = rule, rng = c(0, 1e4),
          numSubsets = 4, n = 12, variable = "x"
        )$release(rows)
      }
    ),
    mechanism = list(of = "answered", run = mechanism(mechanismLaplace)),
    # Answer to public rows, which the mechanism asks for first.
    mechanism_public = list(of = "answered", run = function(f) {
      tryCatch(
        mechanismLaplace(
          varType = "numeric", variable = "x", n = 3, rng = c(0, 1e4), epsilon = 1
        )$evaluate(function(x) f(canary), c(canary, 1, 2), sens = 1),
        dp_error_invalid_argument = function(error) 1
      )
    }),
    stability = list(
      of = "stability_release", run = function(f) {
        mechanismStability(
          varType = "character", variable = "x", n = 3, epsilon = 1, delta = 1e-3
        )$evaluate(f, texts, sens = 2)
      }
    ),
    transformation = list(
      of = "make_user_transformation", run = function(f) {
        make_user_transformation(
          space[[1]], space[[2]], space[[1]], space[[2]], f, \(d_in) d_in
        )(arg = as.integer(canary))
      }
    ),
    stability_map = list(
      of = "make_user_transformation", public = TRUE, run = function(f) {
        make_user_transformation(
          space[[1]], space[[2]], space[[1]], space[[2]], identity, f
        )(d_in = 1L)
      }
    ),
    measurement = list(
      of = "make_user_measurement", run = function(f) {
        make_user_measurement(
          space[[1]], space[[2]], max_divergence(), f, \(d_in) 1, .TO = "f64"
        )(arg = as.integer(canary))
      }
    ),
    privacy_map = list(
      of = "make_user_measurement", public = TRUE, run = function(f) {
        make_user_measurement(
          space[[1]], space[[2]], max_divergence(), identity, f, .TO = "f64"
        )(d_in = 1L)
      }
    ),
    postprocessor = list(
      of = "new_function", public = TRUE, run = function(f) {
        (number_of("i32") |> then_laplace(0) |> then_postprocess(f, .TO = "f64"))(arg = 1L)
      }
    ),
    member = list(
      of = "user_domain", public = TRUE, run = function(f) {
        user_domain("Users", f)(member = 1)
      }
    ),
    profile = list(
      of = "new_privacy_profile", public = TRUE, run = function(f) {
        new_privacy_profile(f)(epsilon = 1)
      }
    ),
    curve = list(
      of = "curve_callback", public = TRUE, run = function(f) {
        make_user_measurement(
          space[[1]], space[[2]], renyi_divergence(), identity, \(d_in) f, .TO = "f64"
        )(d_in = 1L)(arg = 2)
      }
    ),
    dry_run = list(
      of = "dry_blocks", public = TRUE, run = function(f) {
        plan <- aggregate_of(
          innerFun = f, outputRange = c(-10, 20), rng = c(0, 1e4), numSubsets = 4, n = 12,
          variable = "x"
        )
        dry_run(plan, rows)
      }
    ),
    transition = list(
      of = "new_queryable", stateful = TRUE, run = function(f) {
        new_queryable(f, .A = "f64")(query = 1)
      }
    )
  )
}
