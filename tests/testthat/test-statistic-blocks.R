# Starting a session takes longer than everything else here, so few tests do it.
in_two <- function(inner, timeLimit = 30) in_blocks(inner, timeLimit = timeLimit, numSubsets = 2)

test_each_way("each block has a separate process and the same result", function() {
  expect_equal(in_two(mean), 6.5, tolerance = 1e-6)
  process <- Sys.getpid()
  expect_equal(in_two(function(x) Sys.getpid() != process), 1, tolerance = 1e-6)
})

test_each_way("D_CTL_1 only a block that takes too long counts as the middle", function() {
  slow <- function(x) {
    if (any(x == 1)) Sys.sleep(600)
    20
  }
  started <- now()
  expect_silent(result <- in_two(slow, timeLimit = 5))
  expect_lt(now() - started, 300)
  expect_equal(result, (20 + 5) / 2, tolerance = 1e-6)
})

test_each_way("D_CTL_1 only a block that ends its process counts as the middle", function() {
  deadly <- function(x) {
    if (any(x == 1)) tools::pskill(Sys.getpid(), tools::SIGKILL)
    if (any(x == 2)) quit("no")
    20
  }
  expect_silent(result <- in_blocks(deadly, timeLimit = 30, data = utils::head(twelve, 4)))
  expect_equal(result, (2 * 20 + 2 * 5) / 4, tolerance = 1e-6)
})

test_each_way("D_CTL_1 a block that forges its answer spoils no other block", function() {
  # The reader would not produce these from its process.
  for (answer in list(c(1, 2, 3), numeric())) {
    sender <- function(x) {
      if (any(x == 1)) getNamespace("parallel")$mcexit(send = answer)
      20
    }
    expect_equal(in_two(sender), (20 + 5) / 2, tolerance = 1e-6)
    lost <- run_lost(list(1, 2), new_callback(sender), read_numbers(1), NULL)
    expect_equal(lost, list(NaN, 20))
  }
})

test_each_way("blocks of a lost worker are run again, and only one fails", function() {
  deadly <- function(x) {
    if (any(x == 1)) tools::pskill(Sys.getpid(), tools::SIGKILL)
    c(x, -x)
  }
  deadly <- new_callback(deadly)
  expect_identical(
    run_lost(list(1, 2, 3), deadly, read_numbers(2), NULL),
    list(c(NaN, NaN), c(2, -2), c(3, -3))
  )
  expect_identical(
    run_lost(list(2, 3), deadly, read_numbers(2), NULL), list(c(2, -2), c(3, -3))
  )
  expect_identical(
    run_lost(list(1, 2), deadly, read_numbers(2), 30), list(c(NaN, NaN), c(2, -2))
  )
})

test_each_way("a child process leaves no trace in its parent", function() {
  box <- new.env()
  box$value <- 1
  result <- in_two(function(x) {
    box$value <- box$value + 1
    box$value
  })
  expect_equal(result, 2, tolerance = 1e-6)
  expect_equal(box$value, 1)
})

test_each_way("D_CTL_1 no error in a child process shows", function() {
  local_untried()
  for (inner in list(function(x) stop("!"), function(x) "3", function(x) invokeRestart("abort"))) {
    expect_silent(result <- in_two(inner))
    expect_equal(result, 5, tolerance = 1e-6)
  }
  loud <- function(x) {
    warning("block of ", toString(x))
    message("block of ", toString(x))
    print(x)
    3
  }
  expect_silent(result <- in_two(loud))
  expect_equal(result, 3, tolerance = 1e-6)
})

test_each_way("votes and formulas also use child processes", function() {
  votes <- exactly(aggregate_of(
    innerFun = function(x) if (any(x == 1)) stop("!") else "many", aggregationFun = "Mode",
    outcomes = c("few", "many"), variable = "x", n = 12, numSubsets = 4, timeLimit = 30,
    epsilon = exact_epsilon
  ))
  expect_identical(votes$release(twelve)$release, "many")
  line <- exactly(aggregate_of(
    innerFun = y ~ x, variable = c("y", "x"), n = 12, numSubsets = 2, timeLimit = 30,
    rng = list(c(0, 100), c(0, 100)), outputRange = rbind(const = c(-9, 9), x = c(-9, 9)),
    epsilon = exact_epsilon
  ))
  data <- transform(twelve, y = 2 * x + 3)
  expect_equal(line$release(data)$release, c(const = 3, x = 2), tolerance = 1e-6)
})

test_that("a limit without support for child processes raises an error before reading data", {
  withr::local_options(PSIlence.child_way = "none")
  error <- condition_of(aggregate_of(innerFun = mean, outputRange = c(0, 1), timeLimit = 1))
  expect_s3_class(error, "dp_error_missing_package")
  expect_identical(error$package, "callr")
  expect_equal(in_blocks(mean), 6.5, tolerance = 1e-6)
})

test_that("positions become blocks: values of one column, or rows of a frame", {
  columns <- list(a = c(1, 2, 3), b = c(4, 5, 6))
  expect_equal(block_of(columns["a"], c(3, 1), FALSE), c(3, 1))
  expect_equal(
    block_of(columns, c(3, 1), TRUE), data.frame(a = c(3, 1), b = c(6, 4)),
    ignore_attr = "row.names"
  )
  expect_equal(nrow(block_of(columns, integer(), TRUE)), 0)
})

test_that("the numbers of each block are in block order", {
  progress <- block_progress(2)
  run <- blocks_function(new_callback(range), read_numbers(2), FALSE, NULL, progress)
  expect_equal(run(list(x = c(1, 2, 3, 4)), c(1, 2, 3, 4), c(2, 4)), list(c(1, 2), c(3, 4)))
  expect_equal(run(list(x = c(1, 2)), c(1, 2), c(1, 2)), list(c(1, 1), c(2, 2)))
  many <- run(list(x = as.double(1:1001)), 1:1001, 1:1001)
  expect_equal(many, lapply(1:1001, function(b) c(b, b)))
})

test_that("with a progress bar, blocks run in parts that are counted before they run", {
  counted <- 0
  parts <- list()
  results <- in_parts(100, tick = function(blocks) counted <<- counted + blocks, run = function(x) {
    expect_identical(counted, as.double(max(x)))
    parts <<- c(parts, list(x))
    as.list(x)
  })
  expect_gt(length(parts), 1)
  expect_equal(unlist(parts), 1:100)
  expect_equal(unlist(results), 1:100)
  progress <- block_progress(4)
  expect_false(progress$is_shown())
  withr::with_options(list(PSIlence.progress = TRUE, cli.progress_show_after = 1e6), {
    progress$start()
    expect_true(progress$is_shown())
    run <- blocks_function(new_callback(range), read_numbers(2), FALSE, NULL, progress)
    expect_equal(run(list(x = c(1, 2, 3)), c(1, 2, 3), 1:3), list(c(1, 1), c(2, 2), c(3, 3)))
    progress$stop()
  })
  expect_false(progress$is_shown())
})

test_that("a progress bar advances with each hundredth of the blocks, or with each of few", {
  moves <- function(total) Filter(function(done) moves_bar(done - 1, done, total), seq_len(total))
  expect_identical(moves(1000), 10L * 1:100)
  expect_identical(moves(150), as.integer(ceiling(1.5 * 1:100)))
  expect_identical(moves(7), 1:7)
})

test_that("a progress bar counts blocks", {
  progress <- block_progress(1000)
  expect_silent({
    progress$start()
    for (i in 1:100) progress$tick(10)
    progress$stop()
  })
})
