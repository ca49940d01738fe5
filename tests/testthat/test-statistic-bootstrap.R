boot_of <- function(...) {
  args <- utils::modifyList(list(release = 1:5 + 0, nBoot = 5, sens = 0.1, epsilon = 1), list(...))
  do.call(bootSE, args)
}

test_that("noise larger than the spread leaves nothing", {
  expect_equal(boot_of(sens = 10)$naive, 0)
  expect_equal(boot_of(sens = 0)$conservative, stats::sd(1:5))
})

test_that("invalid arguments raise errors", {
  expect_refused(boot_of(release = 1:4 + 0), "release")
  expect_refused(boot_of(release = c(1:4, NA)), "release")
  expect_refused(boot_of(nBoot = 1, release = 1), "nBoot")
  expect_refused(boot_of(sens = -1), "sens")
  expect_refused(boot_of(epsilon = 0), "epsilon")
})

test_behaviours("mechanismBootstrap", list(
  `BOOT-001` = function() {
    expect_false("mechanismBootstrap" %in% getNamespaceExports("PSIlence"))
    expect_refused(mean_of(mechanism = "mechanismBootstrap"), "mechanism")
  },
  `BOOT-002` = function() {
    expect_equal(unlist(boot_of()), c(sd = 1.581139, conservative = 1.580552, naive = 1.573213),
      tolerance = 1e-6)
  }
))
