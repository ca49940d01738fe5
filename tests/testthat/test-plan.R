# Constructors and what they build ----------------------------------------------------------------

exported_steps <- function() intersect(names(catalogue()), getNamespaceExports("PSIlence"))

test_that("every step but those of statistics is exported, with its arguments", {
  own <- vapply(catalogue(), function(row) row$module == "statistics", NA)
  expect_setequal(exported_steps(), names(catalogue())[!own])
  for (step in exported_steps()) {
    arguments <- as.character(names(formals(get(step, asNamespace("PSIlence")))))
    expect_identical(arguments, as.character(catalogue()[[step]]$arguments), info = step)
  }
})

test_that("there is an example of every step", {
  expect_identical(setdiff(exported_steps(), names(built_examples())), character())
})

test_that("constructors are filed where the framework files them", {
  published <- read_fixture("r_api.csv")
  filed <- published[published$name %in% exported_steps(), ]
  expect_gt(nrow(filed), 80)
  for (i in seq_len(nrow(filed))) {
    expect_identical(module_of(filed$name[[i]]), filed$module[[i]], info = filed$name[[i]])
  }
})

test_that("every object knows its step and all its arguments", {
  objects <- built_examples()
  for (name in exported_steps()) {
    log <- objects[[name]]("log")
    expect_identical(log$`_type`, "constructor", info = name)
    expect_identical(log$name, name)
    expect_identical(names(log$kwargs), published_name(names(formals(name))))
  }
  expect_identical(objects$linf_distance$log$kwargs, list(T = "f64", monotonic = TRUE))
})

test_that("an old name stands for the step that it is another name of", {
  objects <- built_examples()
  for (name in setdiff(names(objects), exported_steps())) {
    expect_true(objects[[name]]("log")$name %in% exported_steps(), info = name)
  }
})

test_that("it does not matter how a constructor was called", {
  named <- function(object) object("log")$name
  space <- rows_of("i32")
  calls <- list(
    make_clamp(space[[1]], space[[2]], c(0L, 1L)),
    space |> then_clamp(c(0L, 1L)),
    do.call("make_clamp", c(space, list(c(0L, 1L))), quote = TRUE),
    do.call(make_clamp, list(bounds = c(0L, 1L), space[[1]], space[[2]])),
    lapply(list(c(0L, 1L)), function(bounds) make_clamp(space[[1]], space[[2]], bounds))[[1]],
    PSIlence::make_clamp(space[[1]], space[[2]], c(0L, 1L))
  )
  expect_identical(vapply(calls, named, ""), rep("make_clamp", length(calls)))
  expect_length(unique(lapply(calls, to_json)), 1)
})

test_that("a constructor of the caller leaves the logs of what it is made of", {
  make_clamped_sum <- function(input_domain, input_metric, bounds) {
    c(input_domain, input_metric) |> then_clamp(bounds) |> then_sum()
  }
  total <- rows_of("i32") |> to_then(make_clamped_sum)(c(0L, 3L))
  expect_identical(total("log")$name, "make_chain_tt")
  expect_identical(total("log")$kwargs$transformation0("log")$name, "make_clamp")
})

test_that("parts say of what they are the part", {
  clamped <- rows_of("i32") |> then_clamp(c(0L, 1L))
  log <- clamped$output_domain("log")
  expect_identical(log[c("_type", "name")], list(`_type` = "part", name = "output_domain"))
  expect_identical(log$of("log")$name, "make_clamp")
  expect_identical(transformation_output_domain(clamped)$json, clamped$output_domain$json)
})

test_that("`$` and calls give the same text and list", {
  laplace <- number_of("i32") |> then_laplace(2)
  objects <- c(list(laplace), part_examples(list(laplace)))
  for (object in objects) {
    expect_identical(object$log, object("log"))
    expect_identical(object$json, object("json"))
    expect_identical(object("json"), to_json(object))
  }
})

test_that("what is no work of an exported constructor has no log, and says so", {
  mean <- mean_of()
  expect_error(mean$measurement("json"), class = "dp_error_serialization")
  expect_error(to_json(mean$measurement), class = "dp_error_serialization")
})

# Saved and loaded --------------------------------------------------------------------------------

test_that("every object prints and maps the same after saving and loading", {
  objects <- built_examples()
  objects <- c(objects, part_examples(objects))
  before <- lapply(objects, public_face)
  loaded <- saved_and_loaded(objects)
  expect_true(all(vapply(loaded, \(x) core_is_null(environment(x)$handle), NA)))
  expect_identical(lapply(loaded, public_face), before)
})

test_that("every object prints and maps the same in another session", {
  objects <- built_examples()
  objects <- c(objects, part_examples(objects))
  shipped <- list(objects = objects, public_face = public_face, plain = plain)
  after <- in_new_session(shipped, "plain <- input$plain
    environment(input$public_face) <- globalenv()
    enable_features('honest-but-curious')
    faces <- lapply(input$objects, input$public_face)
    stopifnot(identical(getOption('opendp_features'), 'honest-but-curious'))
    faces"
  )
  expect_identical(after, lapply(objects, public_face))
})

test_that("what rests on a promise needs the feature in every session that uses it", {
  shipped <- list(
    plain = rows_of("i32") |> then_clamp(c(0L, 1L)) |> then_sum() |> then_laplace(1),
    promised = number_of("i32") |> then_user_measurement(max_divergence(), identity, \(d_in) 0)
  )
  after <- in_new_session(shipped, "list(
    plain = input$plain(d_in = 1L),
    promised = tryCatch(input$promised(arg = 1L), error = class)
  )")
  expect_identical(after$plain, 1)
  expect_true("dp_error_missing_feature" %in% after$promised)
})

test_that("what was loaded works like the first, with functions of the caller, and again", {
  offset <- 5L
  space <- rows_of("i32")
  shifted <- make_user_transformation(
    space[[1]], space[[2]], space[[1]], space[[2]], \(x) x + offset, \(d_in) d_in
  )
  noisy <- shifted |> then_clamp(c(0L, 100L)) |> then_sum() |> then_laplace(0) |>
    then_postprocess(\(x) -x)
  again <- saved_and_loaded(saved_and_loaded(noisy))
  expect_identical(again(arg = 1:3), -21L)
  expect_identical(saved_and_loaded(again)(arg = 1:3), -21L)
  expect_identical(again$map(0L), noisy$map(0L))
  even <- user_domain("Even", \(x) x %% 2 == 0)
  expect_identical(saved_and_loaded(even)(member = 3L), FALSE)
})

test_that("loaded objects are arguments like others", {
  loaded <- saved_and_loaded(list(
    domain = atom_domain(.T = "i32"), metric = absolute_distance("i32"),
    total = bounded_rows(c(0L, 9L)) |> then_sum()
  ))
  noisy <- make_laplace(loaded$domain, loaded$metric, scale = 2)
  expect_identical(noisy(d_in = 1L), 0.5)
  chained <- saved_and_loaded(loaded$total) |> then_laplace(scale = 9)
  expect_identical(chained(d_in = 1L), 1)
  expect_identical(make_composition(list(saved_and_loaded(noisy), noisy))(d_in = 1L), 1)
  profile <- (number_of("i32") |> then_gaussian(1) |> then_zCDP_to_approxDP())(d_in = 1L)
  expect_identical(saved_and_loaded(profile)(delta = 1e-6), profile(delta = 1e-6))
})

test_that("workers get objects that work", {
  cluster <- parallel::makeCluster(1)
  withr::defer(parallel::stopCluster(cluster))
  parallel::clusterCall(cluster, .libPaths, .libPaths())
  total <- bounded_rows(c(0L, 9L)) |> then_sum()
  expect_identical(parallel::clusterApply(cluster, list(1:3, 4:6), function(x, total) {
    total(arg = x)
  }, total), list(6L, 15L))
})

test_that("a chain of hundreds of steps is loaded without recursion", {
  chain <- rows_of("i32")
  for (i in 1:300) chain <- chain |> then_clamp(c(0L, 10L))
  loaded <- saved_and_loaded(chain)
  expect_identical(loaded(d_in = 3L), 3)
  expect_identical(to_json(loaded), to_json(chain))
})

test_that("a plan is no way around a check: what a constructor refuses is refused again", {
  laplace <- number_of("i32") |> then_laplace(2)
  log <- plan_of(laplace)
  log$args$scale <- -1
  expect_error(rebuild(log), class = "dp_error_make_measurement")
  expect_error(rebuild(list(constructor = "system", args = list("true"))), class = "dp_error")
  expect_error(rebuild(list(constructor = "core_map", args = list())), class = "dp_error")
})

test_that("the features of the session are left as they are", {
  laplace <- saved_and_loaded(number_of("i32") |> then_laplace(2))
  withr::local_options(opendp_features = "mine")
  expect_identical(laplace(d_in = 1L), 0.5)
  expect_identical(getOption("opendp_features"), "mine")
})

test_that("D-R-5, D-LED-3: no statistic releases anything after it was loaded", {
  statistics <- list(
    mean_of(), variance_of(), aggregate_of(), histogram_of(nBins = 16, rng = c(0, 16)),
    histogram_of(varType = "logical", variable = "sex"),
    dpMedian(varType = "numeric", variable = "age", n = 10000, rng = c(0, 100), epsilon = 1)
  )
  for (statistic in statistics) {
    expect_null(plan_of(statistic$measurement))
    loaded <- saved_and_loaded(statistic)
    info <- class(statistic)[[1]]
    expect_error(loaded$release(PUMS5extract10000), class = "dp_error_stale_object", info = info)
    expect_error(loaded$measurement(d_in = 1L), class = "dp_error_stale_object", info = info)
    expect_error(to_json(statistic$measurement), class = "dp_error_serialization", info = info)
    expect_identical(loaded$epsilon, statistic$epsilon)
  }
})

test_that("D-LED-3: a queryable that was saved and loaded cannot spend, the original goes on", {
  space <- number_of("i32")
  laplace <- make_laplace(space[[1]], space[[2]], scale = 2)
  composition <- make_adaptive_composition(
    space[[1]], space[[2]], max_divergence(),
    d_in = 1L, d_mids = c(0.5, 0.5)
  )
  odometer <- make_fully_adaptive_composition(space[[1]], space[[2]], max_divergence())
  for (origin in list(composition, odometer)) {
    original <- origin(arg = 1L)
    copies <- list(saved_and_loaded(original), saved_and_loaded(list(origin, original))[[2]])
    original(query = laplace)
    for (copy in copies) {
      expect_null(plan_of(copy))
      expect_error(copy(query = laplace), class = "dp_error_stale_object")
      expect_error(print(copy), class = "dp_error_stale_object")
      expect_error(copy("json"), class = "dp_error")
      expect_error(to_json(copy), class = "dp_error_serialization")
    }
    expect_type(original(query = laplace), "integer")
  }
  expect_error(
    saved_and_loaded(odometer(arg = 1L))(d_in = 1L), class = "dp_error_stale_object"
  )
  mine <- saved_and_loaded(new_queryable(function(query) query))
  expect_error(mine(query = 1), class = "dp_error_stale_object")
})

test_that("D-R-3: a plan holds no data", {
  canary <- 7417.3391
  floats <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), symmetric_distance())
  clamped <- floats |> then_clamp(c(0, 1e4))
  noisy <- clamped |> then_sum() |> then_laplace(1e9)
  data <- c(canary, canary)
  clamped(arg = data)
  do.call(noisy, list(arg = data))
  parts <- list(clamped("output_domain"), noisy$output_measure, clamped$`function`)
  parts[[3]](arg = data)
  bytes <- serialize(lapply(c(clamped, noisy, parts), plan_of), NULL)
  expect_length(grepRaw(writeBin(canary, raw(), endian = "big"), bytes, fixed = TRUE), 0)
  kept <- serialize(plan_of(floats |> then_clamp(c(0, canary))), NULL)
  expect_length(grepRaw(writeBin(canary, raw(), endian = "big"), kept, fixed = TRUE), 1)
})

# Identity ----------------------------------------------------------------------------------------

test_that("a plan is known by what it makes of what, however it was written", {
  space <- rows_of("i32")
  piped <- space |> then_clamp(c(0L, 10L)) |> then_sum() |> then_laplace(2)
  clamp <- make_clamp(space[[1]], space[[2]], c(0L, 10L))
  total <- make_chain_tt(make_sum(clamp$output_domain, clamp$output_metric), clamp)
  written <- make_chain_mt(
    make_laplace(total$output_domain, total$output_metric, scale = 2, k = NULL), total
  )
  expect_match(plan_hash(piped), "^[0-9a-f]{64}$")
  expect_identical(plan_hash(written), plan_hash(piped))
  expect_identical(plan_hash(from_json(to_json(piped))), plan_hash(piped))
  expect_identical(plan_hash(saved_and_loaded(piped)), plan_hash(piped))
  # JSON writes out what was piped, and the object keeps that.
  before <- rows_of("i32") |> then_clamp(c(0L, 10L)) |> then_sum()
  hash <- plan_hash(before)
  to_json(before)
  expect_identical(plan_hash(before), hash)
})

test_that("whatever is other about a plan gives it another hash", {
  space <- rows_of("i32")
  plans <- list(
    space |> then_clamp(c(0L, 10L)),
    space |> then_clamp(c(0L, 11L)),
    space |> then_clamp(c(a = 0L, b = 10L)),
    space |> then_clamp(list(0L, 10L)),
    rows_of("i64") |> then_clamp(c(0L, 10L)),
    rows_of("i32", insert_delete_distance()) |> then_clamp(c(0L, 10L)),
    space |> then_cast("i64"),
    space |> then_cast("f64"),
    space |> then_clamp(c(0L, 10L)) |> then_clamp(c(0L, 10L)),
    space[[1]], space[[2]]
  )
  hashes <- vapply(plans, plan_hash, "")
  expect_identical(anyDuplicated(hashes), 0L)
})

test_that("a function of the user's is known by what it says and what it sees", {
  identified <- function(f) plan_hash(new_function(f, "i32"))
  offset <- 5
  by_offset <- function(x) x + offset
  expect_identical(identified(function(x) x + 1), identified(function(x)   x + 1))
  expect_false(identified(function(x) x + 1) == identified(function(x) x + 2))
  expect_false(identified(function(x) x + 1) == identified(function(y) y + 1))
  before <- identified(by_offset)
  offset <- 6
  expect_false(identified(by_offset) == before)
  recursive <- function(x) if (x > 0) recursive(x - 1) else x
  expect_match(identified(recursive), "^[0-9a-f]{64}$")
})

test_that("what has no plan has no hash, and neither has what holds it", {
  mean <- mean_of()
  expect_null(plan_hash(mean$measurement))
  expect_null(plan_hash(make_composition(list(mean$measurement))))
})

# Identities are kept in ledgers and receipts, so none may change.
test_that("the hash of each example is what it was", {
  objects <- built_examples()
  hashes <- vapply(objects[!names(objects) %in% has_function], plan_hash, "")
  expect_snapshot_value(as.list(hashes[order(names(hashes), method = "radix")]), style = "json2")
})
