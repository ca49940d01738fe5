# The largest loss that samples of releases on two neighbours prove: at a level of 1e-6, from the
# event that looks worst in the first halves, counted in the second ones. Events are "at least t"
# and "at most t".
audited_loss <- function(first, second, delta = 0) {
  stopifnot(length(first) == length(second))
  explore <- seq_len(length(first) %/% 2)
  shares <- function(t, x) c(mean(x >= t), mean(x <= t))
  cuts <- unique(stats::quantile(c(first, second), seq(0.02, 0.98, 0.02), type = 1))
  loss <- 0
  for (pair in list(list(first, second), list(second, first))) {
    high <- pair[[1]]
    low <- pair[[2]]
    gains <- vapply(cuts, function(t) {
      (shares(t, high[explore]) - delta) / (shares(t, low[explore]) + 10 / length(explore))
    }, numeric(2))
    best <- arrayInd(which.max(gains), dim(gains))
    count <- function(x) {
      x <- x[-explore]
      if (best[[1]] == 1) sum(x >= cuts[[best[[2]]]]) else sum(x <= cuts[[best[[2]]]])
    }
    # Clopper and Pearson's bounds.
    trials <- length(high) - length(explore)
    least <- stats::qbeta(5e-7, count(high), trials - count(high) + 1)
    most <- stats::qbeta(1 - 5e-7, count(low) + 1, trials - count(low))
    loss <- max(loss, log(max(least - delta, 1e-300) / most))
  }
  loss
}

expect_private <- function(first, second, epsilon, delta = 0) {
  testthat::expect_lte(audited_loss(first, second, delta), epsilon)
}

# Every row of the behaviour oracle for a class, by its id. Rows marked `change` say what the
# reference did; the list says what has to be done instead.
test_behaviours <- function(class, behaviours) {
  test_that(paste("every row of the oracle for", class, "has its behaviour"), {
    rows <- read_fixture("psi_behaviour.csv")
    expect_setequal(names(behaviours), rows$id[rows$class == class])
  })
  for (id in names(behaviours)) {
    test_that(paste("as in row", id), {
      behaviours[[id]]()
    })
  }
}
