# The interface that scripts for OpenDP's R bindings rely on.

published <- read_fixture("r_api.csv")
exported <- getNamespaceExports("PSIlence")
is_method <- grepl("S3 method", published$module, fixed = TRUE)
is_constant <- startsWith(published$args, "(constant")

# R finds methods even if they are not exported.
published_object <- function(name) {
  if (name %in% exported) {
    return(getExportedValue("PSIlence", name))
  }
  parts <- strsplit(name, ".", fixed = TRUE)[[1]]
  utils::getS3method(parts[[1]], parts[[2]], envir = asNamespace("PSIlence"))
}

test_that("every published name except methods is exported", {
  expect_identical(nrow(published), 290L)
  expect_identical(setdiff(published$name[!is_method], exported), character())
  for (name in published$name) expect_false(is.null(published_object(name)), info = name)
})

test_that("every function has the published arguments and defaults", {
  # These take data. With `...`, R's errors about a wrong name do not quote the data.
  takes_data <- c("measurement_invoke", "transformation_invoke", "odometer_invoke", "function_eval")
  for (name in published$name[!is_constant]) {
    found <- formals(published_object(name))
    if (name %in% takes_data) {
      expect_identical(names(found)[[length(found)]], "...", info = name)
      found <- found[-length(found)]
    }
    expect_identical(as.pairlist(found), expected_formals(name), info = name)
  }
})

test_that("arguments have the published positions", {
  rows <- read_fixture("r_api_args.csv")
  rows <- rows[rows$exported == "yes" & nzchar(rows$arg), ]
  expect_gt(nrow(rows), 350)
  for (i in seq_len(nrow(rows))) {
    expect_identical(
      names(formals(published_object(rows$`function`[[i]])))[[as.integer(rows$position[[i]])]],
      rows$arg[[i]],
      info = rows$`function`[[i]]
    )
  }
})

test_that("type descriptors are the published ones and print their names", {
  constants <- published$name[is_constant]
  expect_length(constants, 17)
  for (name in constants) {
    expect_s3_class(published_object(name), "runtime_type")
    expect_identical(toString(published_object(name)), name)
  }
})

test_that("every function requires the published features before it checks an argument", {
  gated <- published[nzchar(published$features), ]
  expect_identical(nrow(gated), 177L)
  for (i in seq_len(nrow(gated))) {
    features <- strsplit(gated$features[[i]], "+", fixed = TRUE)[[1]]
    # A then_ form checks the value from the pipe before it calls the gated constructor.
    call <- \() if (startsWith(gated$name[[i]], "then_")) {
      do.call(sub("^then_", "make_", gated$name[[i]]), list())
    } else {
      do.call(gated$name[[i]], list())
    }
    if (gated$name[[i]] == "then_postprocess") call <- \() new_function()
    for (missing in features) {
      withr::local_options(opendp_features = setdiff(features, missing))
      error <- condition_of(call())
      expect_s3_class(error, "dp_error_missing_feature")
      expect_identical(error$feature, missing, info = gated$name[[i]])
    }
  }
})

test_that("deprecated functions say so and name their replacements", {
  rows <- read_fixture("r_api_args.csv")
  deprecated <- unique(rows$`function`[rows$deprecated == "yes"])
  expect_length(deprecated, 9)
  # OpenDP replaced these by Polars, which this package does not have.
  of_frames <- c(
    "make_create_dataframe", "make_df_cast_default", "make_df_is_equal", "make_select_column",
    "make_split_dataframe", "make_subset_by"
  )
  for (name in deprecated) {
    example <- all_examples()[[name]]
    args <- c(unname(example$space), example$args)
    warning <- tryCatch(do.call(name, args, quote = TRUE), warning = identity)
    if (name %in% of_frames) {
      expect_s3_class(warning, "transformation")
    } else {
      expect_s3_class(warning, "deprecatedWarning")
      expect_match(conditionMessage(warning), paste0(name, "() is deprecated"), fixed = TRUE)
    }
  }
})

test_that("a script for those bindings runs unchanged", {
  context <- c(vector_domain(atom_domain(.T = i32)), symmetric_distance())
  total <- context |> then_clamp(bounds = c(0L, 10L)) |> then_sum()
  compositor <- total |> then_adaptive_composition(
    output_measure = max_divergence(), d_in = total(d_in = 1L), d_mids = c(0.5, 0.5)
  )
  queryable <- compositor(arg = 1:9)
  one <- c(total("output_domain"), total("output_metric")) |>
    then_laplace(binary_search(\(scale) {
      (c(total("output_domain"), total("output_metric")) |> then_laplace(scale))(
        d_in = 10L, d_out = 0.5
      )
    }, bounds = c(0., 100.)))
  expect_type(queryable(query = one), "integer")
  expect_identical(one(d_in = 10L), 0.5)
  expect_error(total == total, "comparison")
})
