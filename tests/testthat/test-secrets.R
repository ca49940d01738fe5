options(opendp_features = c("contrib", "honest-but-curious"))

# Classes with methods that the package registers, and classes that its code gives to objects.
classes_of_package <- function() {
  namespace <- asNamespace("PSIlence")
  registered <- getNamespaceInfo(namespace, "S3methods")[, 2]
  functions <- Filter(is.function, as.list(namespace, all.names = TRUE))
  given <- unlist(lapply(functions, function(f) classes_given(body(f))))
  sort(unique(c(registered, given, statistic_names())), method = "radix")
}

# Strings in arguments named `class` of calls to structure(), either directly or within c().
classes_given <- function(code) {
  if (!is.call(code)) {
    return(NULL)
  }
  parts <- Filter(function(part) !identical(part, rlang::missing_arg()), as.list(code))
  named <- if (identical(code[[1]], quote(structure))) code[["class"]]
  texts <- if (!is.call(named) || identical(named[[1]], quote(c))) as.list(named)
  c(unlist(Filter(is.character, texts)), unlist(lapply(parts, classes_given)))
}

# Classes of R and of other packages, and of objects that live only within a call or behind a
# handle.
no_objects <- c(
  "PostgreSQLConnection", "PqConnection", "SQLiteConnection", "duckdb_connection",
  "spark_connection",
  "arrow_table", "duckdb_table", "frame_table", "postgresql_table", "spark_table", "sqlite_table",
  "character", "data.frame", "Date", "default", "factor", "htest", "integer64", "json", "table",
  "dp_engine", "dp_numbers", "dp_query_json", "dp_texts"
)

secret_key <- dp_key(
  withr::local_tempfile(fileext = ".pem", .local_envir = teardown_env()), create = TRUE
)
objects <- suppressWarnings(
  objects_beside_secrets(secret_key, withr::local_tempdir(.local_envir = teardown_env()))
)
forms <- forms_of_secrets(secret_key)

test_that("D_R_3: the search for secrets has an object of every class", {
  there <- unique(unlist(lapply(objects, class)))
  wanted <- classes_of_package()
  expect_identical(setdiff(wanted, c(there, no_objects)), character())
  expect_identical(setdiff(no_objects, wanted), character())
})

test_that("D_R_3: no form of any object holds a secret from the frame that made it", {
  found <- lapply(objects, function(x) holding_secrets(written_forms(x), forms))
  expect_identical(Filter(length, found), stats::setNames(list(), character()))
})

test_that("D_R_3: a cache of knitr holds no secret", {
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  lines <- c("```{r made, cache = TRUE}", "kept <- objects", "```")
  env <- list2env(list(objects = objects), parent = globalenv())
  knitr::knit(text = lines, envir = env, quiet = TRUE)
  cached <- list.files(folder, pattern = "[.]rdb$", recursive = TRUE, full.names = TRUE)
  expect_length(cached, 1)
  loaded <- new.env()
  lazyLoad(sub("[.]rdb$", "", cached), loaded)
  expect_length(loaded$kept, length(objects))
  bytes <- list(cache = serialize(as.list(loaded, all.names = TRUE), NULL))
  expect_identical(holding_secrets(bytes, forms), character())
})

test_that("the search finds planted secrets", {
  hidden <- core_hidden(secret_key$secrets)
  rows <- data.frame(x = secret_number)
  loose <- list(
    number = secret_number, text = paste("is", secret_text), private = hidden$private,
    chain = hidden$chain, formula = local({
      rows <- rows
      y ~ x
    })
  )
  for (x in loose) {
    found <- holding_secrets(written_forms(x), forms)
    expect_true(all(c("serialize", "bytes", "saveRDS", "save") %in% found))
  }
  expect_true(all(c("print", "dput", "str", "format") %in%
    holding_secrets(written_forms(loose$text), forms)))
  expect_true("dput" %in% holding_secrets(written_forms(loose$chain), forms))
  expect_true("ascii" %in% holding_secrets(written_forms(loose$chain), forms))
  expect_identical(holding_secrets(written_forms(list(1, "a")), forms), character())
})

test_that("a loaded object with a secret is stale and says how to make it again", {
  key <- secret_key
  ledger <- local_ledger(key = key)
  again <- function(x) unserialize(serialize(x, NULL))
  uses <- list(
    "dp_key\\(path\\)" = function() dp_ledger(ledger$where, key = again(key)),
    "dp_ledger\\(.*survey.ledger\", key = dp_key" = function() dp_spent(again(ledger)),
    "dp_ledger\\(" = function() with_ledger(again(ledger), mean_age()$release(hundred)),
    "dp_ledger\\(" = function() dp_raise(again(ledger), dp_epsilon(2)),
    "dp_postgres\\(connect\\)" = function() dp_ledger(again(dp_postgres(function() stop("no"))))
  )
  for (i in seq_along(uses)) {
    expect_error(uses[[i]](), names(uses)[[i]], class = "dp_error_stale_object")
  }
  expect_output(print(again(ledger)), "Open the ledger again")
  expect_output(print(again(key)), key$fingerprint |> substr(1, 16))
  expect_identical(spent_in(ledger), 0)
})

test_that("a formula is kept without its environment, even with bounds that are found", {
  built <- function(rng) {
    rows <- secret_number
    dpLM(y ~ x, n = 200, rng = list(y = rng, x = c(0, 1)), epsilon = 1)
  }
  hash <- function(statistic) plan_hash(statistic)
  for (rng in list(c(0, 1), bounds())) {
    expect_identical(
      holding_secrets(list(saved = serialize(built(rng), NULL)), forms_of_secrets()), character()
    )
  }
  text <- dpLM("y ~ x", n = 200, rng = list(y = bounds(), x = c(0, 1)), epsilon = 1)
  expect_identical(hash(built(bounds())), hash(text))
})
