# Process that releases on a ledger repeatedly and is stopped in the middle of it.

# Script of the process. `open` opens the ledger and `release` releases a statistic on it. Both are
# expressions. It counts each run of the statistic, which reads data and draws noise. It first
# releases three times undisturbed, and writes the seconds per release to the file `begun`. Then it
# releases until it was stopped `times` times. If `limited`, each release has a time limit of at
# most two releases. Otherwise interrupts come from outside. At the end it saves its counts.
stopped_script <- function(open, release, times, limited, folder) {
  bquote({
    library(PSIlence)
    open <- function() .(open)
    seen <- c(tried = 0, read = 0, released = 0, stopped = 0, reopened = 0, differed = 0)
    count <- function(what) seen[[what]] <<- seen[[what]] + 1
    reads <- function() count("read")
    home <- asNamespace("PSIlence")
    run <- home$release_statistic
    unlockBinding("release_statistic", home)
    home$release_statistic <- function(...) {
      reads()
      run(...)
    }
    release <- function(ledger) .(release)
    ledger <- open()
    attempt <- function() {
      if (.(limited)) setTimeLimit(elapsed = stats::runif(1, 0, 2 * pace))
      release(ledger)
      count("released")
      setTimeLimit()
    }
    # The object agrees with the file, or asks to be opened again.
    compare <- function() {
      spent <- tryCatch(dp_spent(ledger), dp_error_ledger = function(error) NULL)
      if (is.null(spent)) {
        count("reopened")
        ledger <<- open()
      } else if (!identical(spent, dp_spent(open()))) {
        count("differed")
      }
    }
    undisturbed <- function(i) {
      count("tried")
      seconds <- system.time(release(ledger))[["elapsed"]]
      count("released")
      seconds
    }
    suspendInterrupts({
      pace <- max(0.001, min(vapply(1:3, undisturbed, 0)))
      writeLines(format(pace), file.path(.(folder), "begins"))
      file.rename(file.path(.(folder), "begins"), file.path(.(folder), "begun"))
      was_stopped <- FALSE
      while (seen[["stopped"]] < .(times)) {
        count("tried")
        before <- seen[["stopped"]]
        tryCatch(
          suppressWarnings(allowInterrupts(attempt()), classes = "dp_warning_store"),
          interrupt = function(stop) count("stopped"),
          error = function(error) {
            # R can turn a stop into a different error, for example while it reads a file.
            if (inherits(error, "dp_error")) stop(error)
            count("stopped")
          }
        )
        setTimeLimit()
        # Compares after a stop and after the next release. Later releases add no information.
        is_stopped <- seen[["stopped"]] > before
        if (is_stopped || was_stopped) compare()
        was_stopped <- is_stopped
      }
      saveRDS(seen, file.path(.(folder), "sees.rds"))
      file.rename(file.path(.(folder), "sees.rds"), file.path(.(folder), "seen.rds"))
    })
  })
}

# Waits for a file of `process`, and calls `meanwhile` repeatedly.
wait_for <- function(path, process, meanwhile = function() Sys.sleep(0.01)) {
  give_up <- Sys.time() + 300
  repeat {
    # The process may write the file and end between two checks, so check first whether it has
    # ended.
    is_over <- !process$is_alive() || Sys.time() > give_up
    if (file.exists(path)) return()
    if (is_over) {
      process$kill()
      stop(process$read_all_error())
    }
    meanwhile()
  }
}

# Runs the script until it was stopped `times` times, and returns its counts. It is stopped by
# limits, or by interrupts that are one release apart on average.
stopped_releases <- function(open, release, times, by = c("interrupts", "limits")) {
  by <- match.arg(by)
  folder <- withr::local_tempdir()
  script <- file.path(folder, "script.R")
  writeLines(deparse(stopped_script(open, release, times, by == "limits", folder)), script)
  child <- processx::process$new(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
    stderr = "|", cleanup = TRUE
  )
  wait_for(file.path(folder, "begun"), child)
  pace <- as.numeric(readLines(file.path(folder, "begun")))
  interrupt <- function() {
    Sys.sleep(stats::rexp(1, 1 / pace))
    child$interrupt()
  }
  seen <- file.path(folder, "seen.rds")
  if (by == "limits") wait_for(seen, child) else wait_for(seen, child, interrupt)
  child$wait()
  readRDS(seen)
}

# A release for the script. It costs 0.25 and is new each time.
one_release <- quote({
  age <- dpMean(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 100,
    rng = c(18, 93), epsilon = 0.25
  )
  with_ledger(ledger, age$release(data.frame(age = rep(c(20, 40), 50))), reuse = FALSE)
})

charges_in <- function(ledger) nrow(dp_history(ledger))

# Checks that nothing was read or drawn without a charge, and that the ledger has each charge once.
# The process must have seen the state of the ledger.
expect_all_paid <- function(seen, ledger) {
  force(seen)
  fresh <- dp_ledger(ledger$where)
  charges <- charges_in(fresh)
  expect_gt(seen[["stopped"]], 10)
  expect_gt(seen[["released"]], 2)
  expect_lte(seen[["released"]], seen[["read"]])
  expect_lte(seen[["read"]], charges)
  expect_lte(charges, seen[["tried"]])
  expect_identical(spent_in(fresh), charges * 0.25)
  expect_identical(seen[["differed"]], 0)
}
