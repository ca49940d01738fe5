# No function swallows an argument. An unknown name, the beginning of a name, and a name that dplyr
# gives a meaning are either used or rejected. The test walks over the namespace, so it includes new
# functions.

home <- asNamespace("PSIlence")

unknown <- "no_such_argument"

of_dplyr <- c(
  ".by", ".groups", ".before", ".after", ".keep", ".drop", ".keep_all", "sort", "wt", "name",
  "copy", "suffix", "multiple", "na_matches", "unmatched", "relationship", "keep"
)

# Names that R would complete to one of `known`.
beginnings <- function(known) {
  each <- lapply(known, function(name) substr(rep(name, 2), 1, c(1, nchar(name) - 1)))
  setdiff(unlist(each), c(known, "", "."))
}

# Whether R's error is about no matching argument, or about several.
is_from_r <- function(message, name) {
  any(startsWith(message, paste0("unused argument (", name, " = "))) ||
    grepl("matches multiple formal arguments", message, fixed = TRUE)
}

# Outcome of a call with an extra name. "refused": a dp_error names the argument. "unused": R
# rejects it before anything runs. Otherwise: a description of the outcome.
outcome <- function(fun, args, name) {
  args[[name]] <- 1
  error <- tryCatch({
    suppressMessages(do.call(fun, args, quote = TRUE))
    NULL
  }, error = identity)
  if (is.null(error)) {
    "accepted"
  } else if (inherits(error, "dp_error_invalid_argument") && identical(error$argument, name)) {
    "refused"
  } else if (is_from_r(conditionMessage(error), name)) {
    "unused"
  } else {
    paste(class(error)[[1]], conditionMessage(error))
  }
}

# Outcomes of `fun` with these names that are not in `allowed`, for the failure message.
swallowed <- function(fun, args, names, allowed) {
  seen <- vapply(stats::setNames(nm = names), function(name) outcome(fun, args, name), "")
  bad <- seen[!seen %in% allowed]
  for (name in names(bad)) fail(paste0(deparse1(args(fun)), " takes `", name, "`: ", bad[[name]]))
  bad
}

# Functions ----------------------------------------------------------------------------------------

exported <- Filter(function(name) typeof(get(name, home)) == "closure", getNamespaceExports(home))

# Scripts for OpenDP's R bindings and for the old package use these functions with their published
# arguments, which R matches. The beginning of a name means the only argument that starts with it.
is_published <- function(name) {
  grepl("^(make|then)_|[A-Z]", name) && !inherits(get(name, home), "dp_generator")
}

# Functions whose `...` takes names chosen by the user.
takes_names <- c(
  dp_domain = "columns", dp_shards = "labels of places", dp_batch = "queries", dp_plan = "queries",
  as_registry_entry = "fields", dp_per_unit = "columns",
  mechanism = "arguments, which their own check refuses",
  enable_features = "features, whose names mean nothing", disable_features = "features",
  assert_features = "features"
)
mechanisms <- grep("^mechanism", exported, value = TRUE)

# Generics. The test walks over their methods below.
dispatch <- c("release", "as_measurement", "plan_hash", "dp_allocate")

# Read as code within `summarise()`, see below.
aggregates <- names(aggregate_kinds)

test_that("no exported function swallows a name", {
  ours <- Filter(function(name) !is_published(name), exported)
  ours <- setdiff(ours, c(names(takes_names), mechanisms, dispatch, aggregates))
  expect_gt(length(ours), 150)
  # These look at names after other arguments are there.
  given <- list(
    dp_preview = list(dplyr::count(people_to_plan(), region)),
    fit_private_model = list(
      formula = y ~ x, data = NULL, model = "linear_reg",
      n = 1000, epsilon = 1, rng = list(x = c(0, 1), y = c(0, 1))
    )
  )
  for (name in ours) {
    fun <- get(name, home)
    known <- setdiff(names(formals(fun)), "...")
    names <- c(beginnings(known), setdiff(c(unknown, of_dplyr), known))
    expect_length(swallowed(fun, given[[name]], names, c("refused", "unused")), 0)
  }
})

test_that("functions with data or declarations refuse unknown names with our own error", {
  is_generic <- function(name) "UseMethod" %in% all.names(body(get(name, home)))
  ours <- Filter(function(name) startsWith(name, "dp_") || name == "bounds", exported)
  ours <- setdiff(Filter(Negate(is_generic), ours), c(names(takes_names), dispatch, aggregates))
  ours <- Filter(function(name) length(formals(get(name, home))) > 0, ours)
  expect_gt(length(ours), 30)
  given <- list(dp_preview = list(dplyr::count(people_to_plan(), region)))
  for (name in ours) {
    names <- setdiff(c(unknown, "min", "max", "by_group"), names(formals(get(name, home))))
    seen <- vapply(names, function(arg) outcome(get(name, home), given[[name]], arg), "")
    expect_identical(unname(seen), rep("refused", length(seen)), info = name)
  }
})

test_that("published functions reject names that they do not have", {
  for (name in Filter(is_published, exported)) {
    fun <- get(name, home)
    known <- setdiff(names(formals(fun)), "...")
    # Functions that take data reject names with their own message.
    takes_data <- "data" %in% known && "..." %in% names(formals(fun))
    expect_identical("..." %in% names(formals(fun)), takes_data, info = name)
    none <- setdiff(c(unknown, of_dplyr), known)
    none <- Filter(function(name) !any(startsWith(as.character(known), name)), none)
    expect_length(swallowed(fun, list(), none, if (takes_data) "refused" else "unused"), 0)
  }
})

test_that("names chosen by users must not be names that dplyr gives a meaning", {
  local_verbs()
  stays <- stays_in(plenty(), data = NULL)
  for (name in c(grep("^[.]", of_dplyr, value = TRUE), ".g", ".b")) {
    expect_identical(outcome(dp_domain, list(), name), "refused", info = name)
    expect_identical(outcome(dp_batch, list(plenty()), name), "refused", info = name)
    if (name != ".by") {
      call <- rlang::call2("dp_per_unit", quote(stays), !!name := quote(n()))
      expect_error(eval(call), class = "dp_error_invalid_argument", info = name)
    }
  }
  expect_error(dp_shards(1, split_by_i = TRUE), "`split_by_id`",
    class = "dp_error_invalid_argument"
  )
  # A query can have the beginning of an argument as its name.
  session <- plenty()
  expect_s3_class(dp_batch(session, s = count(people_to_plan(session), region)), "dp_batch")
  for (name in mechanisms) {
    expect_error(do.call(get(name, home), stats::setNames(list(1), unknown)), info = name)
  }
})

test_that("no aggregate swallows a name within summarise()", {
  local_verbs()
  table <- people_to_plan()
  for (fun in aggregates) {
    known <- names(formals(get(fun, home)))
    first <- if ("x" %in% known) list(quote(age))
    for (name in c(setdiff(c(unknown, of_dplyr), known), beginnings(known))) {
      call <- as.call(c(as.name(fun), first, stats::setNames(list(1), name)))
      refusing <- function() rlang::inject(summarise(table, a = !!call))
      expect_identical(outcome(function(...) refusing(), list(), name), "refused",
        info = paste(fun, name)
      )
    }
  }
})

test_that("no function inside an expression swallows a name", {
  local_verbs()
  table <- people_to_plan(size = dp_int(1, 9))
  refused <- c("na.rm", "nar", "ptype", "bogus", "tru", "labels", "breaks_at", "cond", "tes")
  calls <- rlang::exprs(
    pmin(age, size, na.rm = TRUE), pmin(age, size, nar = TRUE), pmax(age, size, bogus = 1L),
    coalesce(age, size, ptype = 1L), abs(bogus = age), is.na(bogus = age),
    if_else(age > 1, tru = 1L, false = 2L), if_else(cond = age > 1, 1L, 2L),
    ifelse(tes = age > 1, 1L, 2L), between(age, 1, 2, bogus = 3), cut(age, breaks_at = c(0, 5, 9)),
    cut(age, c(0, 5, 9), labels = c("a", "b"))
  )
  for (call in calls) {
    error <- expect_error(rlang::inject(mutate(table, new = !!call)),
      class = "dp_error_invalid_argument"
    )
    expect_true(error$argument %in% refused, info = deparse(call))
  }
  expect_error(mutate(table, across(age, abs, .unpack = TRUE)), ".unpack",
    class = "dp_error_invalid_argument"
  )
  expect_error(summarise(table, a = pmin(dp_count(), 9, na.rm = TRUE)), "na.rm",
    class = "dp_error_invalid_argument"
  )
  stays <- stays_in(plenty(), data = NULL)
  expect_error(dp_per_unit(stays, a = sum(na.rm = days)), "na.rm",
    class = "dp_error_invalid_argument"
  )
})

# Methods ------------------------------------------------------------------------------------------

# list(generic, class, fun) of each method that the namespace registers.
registered <- local({
  rows <- getNamespaceInfo(home, "S3methods")
  lapply(seq_len(nrow(rows)), function(i) {
    list(generic = rows[i, 1], class = rows[i, 2], fun = get(rows[i, 3], home))
  })
})

# Functions without named arguments, or that pass them to a function of the user.
without_names <- c(
  "rename_with", "c",
  "$", "$<-", "[", "[[", "[<-", "[[<-", "names<-", "Math", "Ops", "Summary", ".DollarNames"
)
# R, knitr and pillar pass display options on to the contents of a list or document. No released
# number depends on them.
displays <- c(
  "print", "format", "toString", "str", "as.character", "knit_print", "glimpse", "show_query",
  "explain", "type_sum"
)
# These pass unknown arguments to package graphics, which warns about them.
pictures <- c("plot", "autoplot", "hist")
# Internal functions, which only the package calls.
internal <- c(
  "budget_of", "ledger_store", "describe_place", "kept_bytes", "keep_text", "planned_facts",
  "release_describe", "dplyr_reconstruct"
)
# dplyr verbs whose `...` are named columns.
take_columns <- c(
  "mutate", "transmute", "group_by", "count", "summarise", "select", "rename", "relocate"
)

is_walked <- function(method) {
  !method$generic %in% c(without_names, displays, pictures, internal) &&
    "..." %in% names(formals(method$fun))
}

# An object of each class that has a method with `...`.
objects_of_classes <- function(folder) {
  examples <- statistic_examples()
  kinds <- vapply(examples, function(form) class(form$statistic)[[1]], "")
  first <- function(kind) examples[[match(kind, kinds)]]$statistic$copy()
  result <- function(kind) first(kind)$release(example_rows())
  ledger <- dp_ledger_create(file.path(folder, "a.ledger"), "data", dp_unit(changes = 1),
    dp_epsilon(9), version = "1"
  )
  session <- plenty()
  table <- people_to_plan(session)
  query <- dplyr::count(table, region)
  noisy <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
    then_laplace(1)
  summing <- rows_of("i32") |> then_count()
  counts <- (rows_of("String") |> then_count_by())(arg = c("a", "a", "b"))
  released <- release(dplyr::count(keyed_people(), k), epsilon = 1)
  model <- dp_cov(keyed_people(), k)
  grouped <- dp_cov(dplyr::group_by(dplyr::mutate(keyed_people(), g = k > 1), g), k)
  tables <- dp_tables(keyed_people(plenty("rho")), dp_cross(k))
  counts <- release(tables, rho = 1)
  mean <- first("dpMean")
  mean$release(example_rows())
  list(
    dpStatistic = mean, dp_result = mean$result, dp_glm_result = result("dpGLM"),
    dp_contingency_result = result("dpContingency"),
    dp_correlation_result = result("dpCorrelation"),
    dp_covariance_result = result("dpCovariance"), dp_histogram_result = result("dpHistogram"),
    dp_hitters_result = result("dpHeavyHitters"), dp_kmeans_result = result("dpKMeans"),
    dp_naive_bayes_result = result("dpNaiveBayes"), dp_pca_result = result("dpPCA"),
    dp_tree_result = result("dpTree"), dp_private = table, dp_tbl = table, dp_query = query,
    dp_batch = dp_batch(session, query = query), dp_released = released,
    dp_released_batch = new_released_batch(list(query = released)),
    dp_model_query = model, dp_released_model = small(release(model, epsilon = 1)),
    dp_released_models = small(release(grouped, epsilon = 1)),
    dp_tables_query = tables, dp_released_tables = counts, dp_tables_summary = summary(counts),
    dp_cross = dp_cross(k), dp_breaks = dp_breaks(4),
    dp_written_query = from_json(to_json(query)),
    dp_written_batch = from_json(to_json(dp_batch(session, query = query))),
    dp_planned_query = planned_query(query, dp_epsilon(1), 0.05),
    dp_planned_batch = planned_batch(dp_batch(session, query = query), dp_epsilon(1), 0.05, NULL),
    dp_published = dp_publish(released), dp_ledger = ledger,
    dp_session = session, measurement = noisy, transformation = summing, odometer = noisy,
    default = 1, dp_map = counts, hashtab = new_hashtab(list("a"), list(1)),
    dp_audit = small_audit(), dp_audit_run = small_run(), dp_stability_check = small_check(),
    dp_neighbours = dp_neighbours(c(0, 1)),
    dp_calibrated = structure(list(value = 1, side = "upper", target = data.frame(epsilon = 1)),
      class = "dp_calibrated"
    )
  )
}

small_audit <- function() dp_audit(mean_age(), dp_neighbours(mean_age())[1], draws = 200)

small_run <- function() {
  dp_audit_run(function(data) 0, data.frame(x = 1:4), function(release, canary) 0, dp_epsilon(1))
}

small_check <- function() {
  rows <- vector_domain(atom_domain(bounds = c(0, 1)), size = 2L)
  check_stability(c(rows, symmetric_distance()) |> then_sum(), pairs = 10)
}

keyed_people <- function(session = plenty()) {
  dp_tbl(session, data.frame(k = 1:2), dp_unit(rows = 1), dp_domain(k = dp_int(1, 2)))
}

# Error of a method that rejects every argument, from a call without any of the names.
refuses_all <- function(fun, object) {
  error <- tryCatch({
    fun(object)
    NULL
  }, error = identity)
  inherits(error, c("dp_error_unsupported")) ||
    inherits(error, "dp_error_invalid_argument") && identical(error$argument, "x")
}

test_that("no method swallows a name", {
  objects <- objects_of_classes(withr::local_tempdir())
  walked <- Filter(is_walked, registered)
  expect_gt(length(walked), 130)
  checked <- 0
  for (method in walked) {
    place <- paste(method$generic, method$class)
    if (is.null(objects[[method$class]])) {
      fail(paste("no object for", place))
      next
    }
    object <- objects[[method$class]]
    known <- setdiff(names(formals(method$fun)), "...")
    none <- setdiff(c(unknown, of_dplyr), known)
    if (method$generic %in% take_columns) none <- grep("^[.]", none, value = TRUE)
    if (method$generic == "as.data.frame") none <- c(none, "conf.level", "level")
    names <- c(none, beginnings(known[-1]))
    if (method$generic %in% take_columns) names <- grep("^[.]", names, value = TRUE)
    allowed <- c("refused", "unused")
    if (refuses_all(method$fun, object)) {
      # The method rejects every call.
      seen <- vapply(names, function(name) outcome(method$fun, list(object), name), "")
      expect_false(any(seen == "accepted"), info = place)
    } else {
      expect_length(swallowed(method$fun, list(object), names, allowed), 0)
    }
    checked <- checked + length(names)
  }
  expect_gt(checked, 1000)
})

test_that("tables of results do not silently drop row names", {
  objects <- objects_of_classes(withr::local_tempdir())
  tables <- Filter(function(method) method$generic == "as.data.frame", registered)
  expect_gte(length(tables), 6)
  for (method in tables) {
    object <- objects[[method$class]]
    seen <- outcome(method$fun, list(object), "row.names")
    expect_true(seen == "refused" || refuses_all(method$fun, object), info = method$class)
    if (seen == "refused") {
      expect_s3_class(method$fun(object, optional = TRUE, stringsAsFactors = FALSE), "data.frame")
    }
  }
})

test_that("dplyr's arguments work wherever a private table supports them", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(steps_of_table(filter(table, age > 1, .by = region, .preserve = TRUE)),
    steps_of_table(filter(table, age > 1)))
  expect_identical(steps_of_table(mutate(table, a = age, .by = region)),
    steps_of_table(mutate(table, a = age)))
  expect_identical(names(mutate(table, a = age, .before = age)),
    c("a", "age", "region", "name"))
  expect_identical(names(mutate(table, a = age, name = name, .after = age)),
    c("age", "a", "region", "name"))
  expect_identical(names(relocate(table, called = name)), c("called", "age", "region"))
  expect_identical(form_of_query(count(table, region, .drop = TRUE, sort = TRUE)),
    form_of_query(count(table, region)))
  expect_identical(form_of_query(summarise(table, n = dp_count(), .groups = "drop")),
    form_of_query(summarise(table, n = dp_count())))
  for (groups in list("drop_last", "keep", "rowwise", "bogus", NA)) {
    expect_error(summarise(table, n = dp_count(), .groups = groups), "`[.]groups`",
      class = "dp_error_invalid_argument")
  }
  expect_error(mutate(table, a = age, .by = zip), class = "dp_error_domain")
  expect_error(filter(group_by(table, region), age > 1, .by = name), "`[.]by`",
    class = "dp_error_invalid_argument")
  expect_error(mutate(table, a = 1L, .before = age, .after = age), "`[.]after`",
    class = "dp_error_invalid_argument")
  expect_snapshot(error = TRUE, {
    count(table, region, .drop = FALSE)
    mutate(table, a = age, .groups = "drop")
    mutate(table, a = age, .keep = "used")
    filter(table, age = 3)
    count(table, region, wt = age)
    summarise(table, n = dp_sum(age, bound = c(0, 1)))
    dp_int(low = 0, up = 5)
    dp_unit(row = 1)
    dp_levels("a", mising = "a")
    mutate(table, a = pmin(age, 3, na.rm = TRUE))
  })
})

test_that("a column cannot have a former dplyr argument as its name, nor an id be empty", {
  local_verbs()
  table <- people_to_plan()
  expect_error(group_by(table, region, .dots = "x"), "`[.]dots`",
    class = "dp_error_invalid_argument"
  )
  for (id in list("", c("a", ""))) {
    expect_error(dp_unit(id = !!id), "`id`", class = "dp_error_invalid_argument")
  }
})

test_that("`sort` puts the largest released numbers first in every form of the result", {
  local_verbs()
  data <- data.frame(k = rep(1:4, c(2, 9, 5, 7)))
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(k = dp_int(1, 4)))
  sorted <- release(count(table, k, sort = TRUE), epsilon = 1e4)
  expect_identical(sorted$k, c(2L, 4L, 3L, 1L))
  expect_identical(generics::tidy(sorted)$k, sorted$k)
  expect_equal(round(generics::tidy(sorted)$estimate), c(9, 7, 5, 2))
  tallied <- dplyr::tally(group_by(table, k), sort = TRUE)
  expect_identical(release(tallied, epsilon = 1e4)$k, sorted$k)
  expect_identical(release(count(table, k), epsilon = 1e4)$k, 1:4)
})

test_that("forwarded names are checked as if they were written out", {
  forward <- function(...) dp_int(...)
  expect_identical(forward(0, 5), dp_int(0, 5))
  expect_identical(forward(lower = 0, upper = 5), dp_int(0, 5))
  expect_identical(outcome(forward, list(0), "up"), "refused")
  expect_identical(lapply(list(5), dp_int, lower = 0), list(dp_int(0, 5)))
  expect_error(lapply(list(5), dp_int, low = 0), "Write `lower`",
    class = "dp_error_invalid_argument"
  )
  expect_identical(dp_int(0, upper = 5), do.call(dp_int, list(0, upper = 5)))
})

test_that("D_R_3: an unknown argument name does not put the data into an error", {
  enable_features("contrib")
  rows <- data.frame(age = 7418.3391 + 0:99)
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a.ledger"), "data", dp_unit(rows = 1),
    dp_epsilon(9), version = "1"
  )
  numbers <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance())
  odometer <- make_fully_adaptive_composition(numbers[[1]], numbers[[2]], max_divergence())
  domain <- dp_domain(age = dp_num(0, 1))
  declared <- list(dp_session(dp_epsilon(1)), rows, dp_unit(rows = 1), domain)
  called <- list(
    list(mean_age()$release, list(dta = rows)),
    list(mean_age()$release, list(rows, rows)),
    list(dp_tbl, c(declared, list(versoin = rows))),
    list(noisy_count(), list(rg = rows$age)),
    list(noisy_count(), list(arg = rows$age, agr = rows$age)),
    list(numbers |> then_count(), list(ragr = rows$age)),
    list(odometer, list(rag = rows$age)),
    list(measurement_invoke, list(noisy_count(), ag = rows$age, rag = rows$age)),
    list(transformation_invoke, list(numbers |> then_count(), rag = rows$age)),
    list(odometer_invoke, list(odometer, rag = rows$age)),
    list(charge(noisy_count(), ledger, d_in = 1L), list(dta = rows$age)),
    list(dp_schema_draft, list(rows, levles = rows)),
    list(makeDummies, list(rows, levles = rows)),
    list(extractIndices, list(age ~ age, dta = rows))
  )
  for (one in called) {
    error <- tryCatch(do.call(one[[1]], one[[2]]), error = identity)
    expect_s3_class(error, "dp_error_invalid_argument")
    expect_false(any(grepl("7418", c(conditionMessage(error), deparse(error$call)))))
  }
})

test_that("D_R_3: functions of private data take `...`, so R's errors do not quote data", {
  is_private <- function(fun) any(c("data", "arg", "newdata") %in% names(formals(fun)))
  namespace <- asNamespace("PSIlence")
  exported <- mget(getNamespaceExports("PSIlence"), namespace, mode = "function", ifnotfound = NA)
  methods <- mget(ls(namespace[[".__S3MethodsTable__."]]), namespace[[".__S3MethodsTable__."]])
  statistics <- lapply(statistic_examples(), function(form) form$statistic$release)
  callable <- list(noisy_count(), mean_age()$measurement)
  # Only release_on() calls these, with positional arguments.
  methods <- methods[!grepl("^release_(open|run|source)[.]", names(methods))]
  # A hashtab is a framework argument, not data.
  exported$hashitems <- NULL
  taking <- Filter(is_private, Filter(is.function, c(exported, methods, statistics, callable)))
  expect_gt(length(taking), 30)
  with_dots <- vapply(taking, function(fun) "..." %in% names(formals(fun)), NA)
  expect_identical(names(taking)[!with_dots], character())
})
