noisy <- number_of("i32") |> then_laplace(scale = 1)

test_that("releases have the type and the length of the data", {
  expect_type(noisy(arg = 3L), "integer")
  for (type in c("i32", "f64", "f32", "u32", "i64", "u8")) {
    one <- if (type %in% c("f32", "f64")) 3 else 3L
    expect_length((number_of(type) |> then_laplace(scale = 1))(arg = one), 1)
  }
  many <- c(vector_domain(atom_domain(.T = "i32")), l1_distance("i32")) |> then_laplace(scale = 1)
  for (n in c(0:17, 63:65)) expect_length(many(arg = rep(1L, n)), n)
})

test_that("D-EPS-4: every coordinate has independent noise", {
  many <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l1_distance("f64")) |>
    then_laplace(scale = 1)
  for (n in c(1:17, 63:65)) {
    noise <- many(arg = rep(0, n))
    expect_true(all(noise != 0))
    expect_identical(anyDuplicated(noise), 0L)
  }
})

test_that("at scale 0 the data are released, with an infinite loss", {
  plain <- number_of("f64") |> then_laplace(scale = 0)
  expect_identical(plain(arg = 0.1), 0.1)
  expect_identical(plain(d_in = 0), 0)
  expect_identical(plain(d_in = 5e-324), Inf)
})

test_that("with a grid, releases are its multiples, and ties round up", {
  grid <- number_of("f64") |> then_laplace(scale = 0, k = 2L)
  expect_identical(vapply(c(-2, 2, -3, 1.9), \(x) grid(arg = x), 0), c(0, 4, -4, 0))
  noisy <- number_of("f64") |> then_laplace(scale = 50, k = 2)
  releases <- replicate(200, noisy(arg = 0.3))
  expect_true(all(releases %% 4 == 0))
})

test_that("infinite data count as the largest finite ones", {
  plain <- number_of("f64") |> then_laplace(scale = 0)
  expect_identical(plain(arg = -Inf), -.Machine$double.xmax)
})

test_that("noise approximately has the promised law", {
  draws <- replicate(4000, noisy(arg = 0L))
  p <- 1 - exp(-1)
  q <- p / (1 + exp(-1))
  expect_true(can_occur(sum(draws == 0), 4000, q))
  expect_lt(abs(mean(draws > 0) - mean(draws < 0)), mean_reach(4000, 1 - q, 1 / 3))
  expect_lt(abs(mean(abs(draws)) - 2 * exp(-1) / (1 - exp(-2))), mean_reach(4000, 2.1, 1))
})

test_that("invalid scales, grids and measures raise errors before data are read", {
  expect_snapshot(error = TRUE, {
    number_of("i32") |> then_laplace(scale = -1)
    number_of("i32") |> then_laplace(scale = Inf)
    number_of("i32") |> then_laplace(scale = NaN)
    number_of("i32") |> then_laplace(scale = 1, k = 3L)
    number_of("f64") |> then_laplace(scale = 1, k = -1075L)
    number_of("i32") |> then_laplace(scale = 1, .MO = "ZeroConcentratedDivergence")
    rows_of("i32") |> then_laplace(scale = 1)
    c(atom_domain(.T = "f64"), absolute_distance("f64")) |> then_laplace(scale = 1)
  })
  for (k in list(0.5, NA, "1", c(1, 2), Inf, -2^31)) {
    expect_error(number_of("f64") |> then_laplace(1, k = k), class = "dp_error")
  }
  for (scale in list(NULL, NA, "1", c(1, 2), list(1), factor(1))) {
    expect_error(number_of("f64") |> then_laplace(scale), class = "dp_error_failed_cast")
  }
  expect_error(number_of("i32") |> then_laplace(1, .MO = "Nothing"), class = "dp_error_type")
  expect_error(number_of("bool") |> then_laplace(1), class = "dp_error")
})

# Randomness ---------------------------------------------------------------------------------------

wide <- number_of("i64") |> then_laplace(scale = 2^55)

test_that("D-RNG-1: R's generators are neither used nor disturbed", {
  withr::local_preserve_seed()
  seed <- function() get0(".Random.seed", globalenv(), inherits = FALSE)
  set.seed(1)
  before <- seed()
  first <- replicate(3, as.character(wide(arg = 0L)))
  expect_identical(seed(), before)
  set.seed(1)
  second <- replicate(3, as.character(wide(arg = 0L)))
  expect_false(any(first == second))
  rm(".Random.seed", envir = globalenv())
  wide(arg = 0L)
  (rows_of("i32") |> then_ordered_random())(arg = 1:9)
  (rows_of("f64") |> then_impute_uniform(c(0, 1)))(arg = NaN)
  expect_null(seed())
})

# On other systems nm does not list the symbols that a library imports.
if (.Platform$OS.type == "unix") {
  test_that("D-RNG-1: the library calls no other generator", {
    expect_true(nzchar(Sys.which("nm"))) # part of binutils, which compiling needs
    library <- getLoadedDLLs()[["PSIlence"]][["path"]]
    # Imported symbols only. The whole file also contains names from debug information.
    called <- system2("nm", c("-D", "--undefined-only", shQuote(library)), stdout = TRUE)
    called <- sub("@.*", "", sub(".* ", "", called))
    expect_true("Rf_allocVector" %in% called)
    generators <- c(
      "unif_rand", "norm_rand", "exp_rand", "R_unif_index", "GetRNGstate", "rand", "srand",
      "random", "srandom", "rand_r", "drand48"
    )
    expect_identical(intersect(generators, called), character())
  })
}

if (has_fork()) {
  test_that("D-RNG-3: forked children and their parent never share noise", {
    draw <- function(i) replicate(4, as.character(wide(arg = 0L)))
    draw(0)
    for (reseed in c(TRUE, FALSE)) {
      children <- in_forks(1:64, draw, 8, reseed)
      draws <- c(unlist(children), draw(0))
      expect_length(draws, 65 * 4)
      expect_identical(anyDuplicated(draws), 0L)
    }
  })
}

test_that("D-RNG-5: two processes with one environment draw differently", {
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(
    "suppressMessages(library(PSIlence)); set.seed(1); enable_features('contrib')",
    "noisy <- c(atom_domain(.T = 'i64'), absolute_distance('i64')) |> then_laplace(2^55)",
    "cat(as.character(noisy(arg = 0L)))"
  ), script)
  rscript <- file.path(R.home("bin"), "Rscript")
  run <- \() system2(rscript, c("--vanilla", script), stdout = TRUE)
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  releases <- c(run(), run())
  expect_length(releases, 2)
  expect_match(releases, "^-?[0-9]+$")
  expect_false(releases[[1]] == releases[[2]])
})
