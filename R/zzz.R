#' PSIlence: differentially private statistics, sound on real machines
#'
#' Releases statistics about a group while hiding each person in it. Start with
#' `vignette("PSIlence")`, which takes one case from a table to a publication. [dpMean()] is a first
#' statistic, and [framework_objects] describes the framework that all statistics are built from.
#'
#' More vignettes are `vignette("dp-mean")` and `vignette("dp-sampleandaggregate")`, each on a
#' statistic, and `vignette("aggregation-sum")`, on the framework. The package's site has an article
#' for each of the other statistics and for each part of the framework. In the sources, their texts
#' are in `vignettes/articles`, and `make site` builds the site.
#'
#' @section Privacy guarantee: For data in the declared domain, the distribution of a release
#'   changes by a factor of at most exp(epsilon), or by the bound of a different privacy measure,
#'   when the data change by the stated distance. This holds on the machine that computes it,
#'   rounding included. All arguments of a constructor (bounds, sizes, categories, scales) are
#'   public, so do not take them from the data. Losses of several releases add up. A
#'   [session][dp_session()] or a [ledger][dp_ledger()] keeps the sum and rejects releases beyond
#'   its total. Statistics that release without a ledger do not. Run time, memory, and other
#'   activity in the same R session are not protected.
#' @section Options:
#' * `PSIlence.threads`: number of threads for a pass over data. It is read when the package is
#'   loaded, and [set_threads()] changes it later. Default: 2, or 1 on a single core.
#' * `PSIlence.progress`: whether passes over data that take more than two seconds show a progress
#'   bar. Default: in interactive use. For data in memory, the bar reveals the number of rows to the
#'   person who runs the release, not to readers of the result. For rows from a database or a
#'   stream, it shows only that they arrive, and for how long. While a database runs a statement, it
#'   shows the name of the database.
#' * `PSIlence.workers`: workers that run blocks of [dpSampleAndAggregate()], `"mirai"`, `"future"`
#'   or `"none"`, see [block_workers]. Default: the workers that are set up.
#' * `opendp_features`: the enabled features, see [enable_features()].
#'
#' @examples
#' mean_age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' mean_age$release(PUMS5extract10000)
#'
#' enable_features("contrib")
#' noisy_sum <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance()) |>
#'   then_sum() |>
#'   then_laplace(scale = 20)
#' noisy_sum(arg = c(1L, 2L, 4L))
#' noisy_sum(d_in = 1L)
#' @useDynLib PSIlence, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom R6 R6Class
#' @importFrom rlang %||% .data
#' @importFrom stats aggregate median quantile
#' @importFrom utils head str tail
"_PACKAGE"

# Makes every exported function report all missing arguments at once, before any other check except
# its features. Arguments that the function, or then_recast() for it, tests with missing() are
# optional.
with_given_arguments <- function(fun, name) {
  arguments <- formals(fun)
  is_needed <- vapply(arguments, identical, NA, rlang::missing_arg())
  needed <- setdiff(names(arguments)[is_needed], c("...", names_asked_missing(body(fun))))
  if (length(needed) > 0) {
    lacking <- lapply(needed, function(name) call("missing", as.symbol(name)))
    any_lacking <- Reduce(function(a, b) call("||", a, b), lacking)
    step <- sub("^then_", "make_", name)
    below <- bquote(assert_features(features_below(.(step))))
    features <- c(list(below), asserted_features(body(fun)))
    stops <- as.call(c(quote(`{`), features, as.call(c(quote(stop_left_out), needed))))
    names <- if (looks_at_names(body(fun))) body(fun)[[2]]
    body(fun) <- as.call(c(quote(`{`), names, call("if", any_lacking, stops), body(fun)))
  }
  fun
}

# Makes every exported function accept only whole argument names, because R would complete partial
# ones. Framework constructors match names as published, and so do the camelCase functions of the
# old package. Functions with `...` check their names themselves.
with_whole_names <- function(fun, name) {
  as_published <- grepl("^(make|then)_|[A-Z]", name)
  arguments <- names(formals(fun))
  if (!as_published && length(arguments) > 0 && !"..." %in% arguments) {
    body(fun) <- call("{", quote(check_names()), body(fun))
  }
  fun
}

# Whether the function first checks its names: a wrong name explains a missing argument.
looks_at_names <- function(body) {
  first <- if (is.call(body) && length(body) > 1) body[[2]]
  is.call(first) && identical(first[[1]], quote(check_names)) && identical(first[[2]], quote(...))
}

asserted_features <- function(expr) {
  if (!is.call(expr)) {
    return(NULL)
  }
  if (identical(expr[[1]], quote(assert_features))) {
    return(list(expr))
  }
  unlist(lapply(as.list(expr), function(part) {
    if (!identical(part, rlang::missing_arg())) asserted_features(part)
  }), recursive = FALSE)
}

names_asked_missing <- function(expr) {
  if (!is.call(expr)) {
    return(character())
  }
  asked <- if (identical(expr[[1]], quote(missing))) as.character(expr[[2]])
  if (identical(expr[[1]], quote(then_recast))) asked <- "measurement"
  c(asked, unlist(lapply(as.list(expr), function(part) {
    if (!identical(part, rlang::missing_arg())) names_asked_missing(part)
  })))
}

local({
  home <- topenv()
  # roxygen2 also runs this file.
  if (!isNamespace(home)) return()
  path <- getNamespaceInfo(home, "path")
  for (name in parseNamespaceFile(basename(path), dirname(path))$exports) {
    fun <- get0(name, home, mode = "function", inherits = FALSE)
    if (typeof(fun) == "closure" && !is.object(fun)) {
      assign(name, with_whole_names(with_given_arguments(fun, name), name), home)
    }
  }
})

.onLoad <- function(libname, pkgname) {
  core_attend(show_progress)
  set_threads_at_load()
  rlang::run_on_load()
}

.onUnload <- function(libpath) {
  library.dynam.unload("PSIlence", libpath)
}
