#' R functions of blocks
#'
#' [dpSampleAndAggregate()] takes your own R function. It copies the variables that the function
#' uses, tries it on public rows, and runs it on one block after another. A failure in
#' a block is not an error, because it would tell about private rows.
#'
#' @section What a function keeps and changes: Your function is *isolated* when you pass it. It
#'   keeps copies of the variables that it names, of the variables that functions among these name,
#'   and so on. It keeps nothing else of its environment, so it does not carry data into files. An
#'   error is raised if it names a data frame, or an object of more than 1 MiB. Names that it builds
#'   at run time are looked up in the global environment.
#'
#'   Your session calls it on one block after another. It cannot reach your handlers or restarts,
#'   and its conditions, output and plots are not shown. Before the next block, the variables that
#'   it changed are restored, even in the global environment. R's generators, options, the working
#'   directory and the search path are restored, too. Its result is a numeric vector without a class
#'   (or a table, or for votes a factor or a string). Any other result is a failure of that block
#'   only. Run time, files, environment variables and state of packages are not protected, and code
#'   written to evade these measures can do so.
#'
#'   With `timeLimit`, each block runs in a separate process, and only the result returns. If you
#'   have set up daemons of package mirai, or a plan of package future other than `sequential`,
#'   blocks run there: see [block_workers].
#'
#'   A child process is a fork of your session. On a system without fork, package callr starts a new
#'   R session while the previous block runs (this start does not count as time of the block). The
#'   new session gets the objects that the function can see: attached packages, options that are
#'   plain vectors, the state of R's generator, all functions of the global environment, and the
#'   objects that are named in them or in your function. Objects that cannot be saved to a file,
#'   such as a connection, and changed namespaces are not passed. Rows are passed through the folder
#'   of temporary files.
#' @section A trial: When you build a plan, an R function first runs on four blocks of public rows.
#'   They are uniform draws from `rng`, the same each time, and half of the blocks are rounded to
#'   whole numbers. Blocks have at most 10,000 rows. If the function fails on more than half of
#'   them, building the plan raises an error that shows the function's error. No private rows are
#'   read. After two seconds, only two blocks are tried. There is no trial if the release counts
#'   failures: with a `failureShare`, or a mean with `failures = "drop"`. A vote outside `outcomes`
#'   does not count as a failure here.
#' @seealso [dry_run()] to test a plan on public data, [block_workers]
#' @examples
#' trim <- 0.1
#' trimmed <- dpSampleAndAggregate(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.5,
#'   innerFun = function(x) mean(x, trim = trim), outputRange = c(0, 100000), numSubsets = 200
#' )
#' # The function keeps its copy of `trim`.
#' trim <- "changed"
#' trimmed$release(PUMS5extract10000)
#'
#' # A formula gives the coefficients of lm() on each block.
#' line <- dpSampleAndAggregate(
#'   c("income", "educ"), n = 10000, rng = list(c(0, 200000), c(1, 16)), epsilon = 1,
#'   innerFun = income ~ educ, outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4)),
#'   numSubsets = 50
#' )
#' line$release(PUMS5extract10000)$release
#' @name block_functions
NULL
