# Runs sample and aggregate with glm() on 500 blocks of 100000 rows, on two workers. One worker is
# killed half way. The release still ends, and costs the loss of one release. Needs package future.
library(PSIlence)
before <- options(PSIlence.progress = TRUE, cli.progress_show_after = 0)

rows <- 100000
blocks <- 500
set.seed(1) # for the example's data alone; releases take no notice
age <- round(stats::runif(rows, 18, 90))
recovers <- as.double(stats::rbinom(rows, 1, stats::plogis(2 - age / 25)))
trial <- data.frame(age, recovers)

logistic <- function(block) {
  stats::coef(stats::glm(recovers ~ age, stats::binomial(), block))
}
plan_of <- function(epsilon) {
  dpSampleAndAggregate(
    innerFun = logistic, outputRange = rbind(constant = c(-5, 10), age = c(-0.2, 0.2)),
    aggregationFun = "Mean", numSubsets = blocks, mechanism = "mechanismLaplace",
    varType = "numeric", variable = c("age", "recovers"), n = rows,
    rng = list(c(18, 90), c(0, 1)), epsilon = epsilon
  )
}
statistic <- plan_of(1)

workers <- function() {
  future::plan(future::sequential)
  future::plan(future::multisession, workers = 2)
  pids <- lapply(1:2, function(i) {
    future::future(
      {
        Sys.sleep(0.5) # so that both have one
        Sys.getpid()
      },
      seed = NULL
    )
  })
  vapply(pids, future::value, 0)
}
# Another process that kills one, and writes whether it was there.
kill_later <- function(pid, seconds) {
  answer <- tempfile()
  code <- sprintf("Sys.sleep(%.2f); cat(tools::pskill(%d, tools::SIGKILL))", seconds, pid)
  quoted <- shQuote(code, if (.Platform$OS.type == "windows") "cmd" else "sh")
  rscript <- file.path(R.home("bin"), "Rscript")
  system2(rscript, c("--vanilla", "-e", quoted), stdout = answer, wait = FALSE)
  answer
}
outcome <- function(answer) {
  while (!length(said <- readLines(answer, warn = FALSE))) Sys.sleep(0.1)
  if (said == "TRUE") "was killed" else "was not there any more"
}
seconds <- function(code) system.time(code)[["elapsed"]]

cat("\nOn all rows, without privacy:\n")
print(logistic(trial))

cat("\n", blocks, " blocks in this process, one after the other:\n", sep = "")
future::plan(future::sequential)
cat(sprintf("%.1f seconds\n", seconds(here <- statistic$release(trial)$release)))
print(here)

cat("\nOn two workers:\n")
pids <- workers()
undisturbed <- seconds(on_two <- statistic$release(trial)$release)
cat(sprintf("%.1f seconds\n", undisturbed))
print(on_two)

cat("\nOn two workers again, of which one is killed half way:\n")
pids <- workers()
answer <- kill_later(pids[[1]], undisturbed / 2)
said <- NULL
disturbed <- seconds(on_one <- withCallingHandlers(
  statistic$release(trial),
  warning = function(condition) said <<- c(said, conditionMessage(condition))
))
cat(sprintf(
  "%.1f seconds; worker %d %s; %d warnings\n", disturbed, pids[[1]], outcome(answer), length(said)
))
print(on_one)

cat("\nThe same within a budget of 1, a worker killed half way:\n")
enable_features("contrib")
release <- statistic$measurement
budget <- c(release("input_domain"), release("input_metric")) |>
  then_fully_adaptive_composition(max_divergence()) |>
  then_privacy_filter(d_in = 1L, d_out = 1)
accountant <- budget(arg = trial)
cat("loss before:", accountant(d_in = 1L), "\n")
pids <- workers()
answer <- kill_later(pids[[1]], undisturbed / 2)
means <- accountant(query = release)
cat("The worker ", outcome(answer), ".\n", sep = "")
cat("released:", format(means), "\nloss after:", accountant(d_in = 1L), "\n")
again <- tryCatch(accountant(query = plan_of(0.01)$measurement), error = conditionMessage)
cat("another release, of 0.01:", again, "\n")
future::plan(future::sequential)
options(before)
