# Fails unless a pipeline of package targets releases on a ledger as on paper: the first run pays,
# a second one does nothing, one that has lost its store releases the same again at no cost, and the
# store holds nothing of the data.
library(PSIlence)

canary <- 7417.3391

pipeline <- function(ledger, data) {
  c(
    "library(targets)",
    "tar_option_set(packages = 'PSIlence')",
    "mean_of <- function(epsilon) dpMean(mechanism = 'mechanismLaplace', varType = 'numeric',",
    "  variable = 'cost', n = 200, rng = c(0, 1e4), epsilon = epsilon)",
    sprintf("released <- function(plan) with_ledger(dp_ledger(%s),", deparse(ledger)),
    sprintf("  plan$release(readRDS(%s)))", deparse(data)),
    "list(",
    "  tar_target(plans, list(mean_of(0.25), mean_of(0.5))),",
    "  tar_target(first, released(plans[[1]])),",
    "  tar_target(second, released(plans[[2]])),",
    "  tar_target(receipt, dp_receipt(second)),",
    "  tar_target(table, c(first$release, second$release))",
    ")"
  )
}

holds <- function(file, wanted) {
  bytes <- tryCatch(serialize(readRDS(file), NULL), error = function(error) NULL)
  bytes <- c(bytes, readBin(file, "raw", file.size(file)))
  any(vapply(wanted, function(one) length(grepRaw(one, bytes)) > 0, NA))
}

folder <- tempfile()
dir.create(folder)
ledger <- dp_ledger_create(file.path(folder, "l"), "survey", dp_unit(changes = 1),
  dp_epsilon(1), version = "v"
)
data <- file.path(folder, "survey.rds")
saveRDS(data.frame(cost = rep(canary, 200)), data)
setwd(folder)
writeLines(pipeline(ledger$where, data), "_targets.R")

run <- function() {
  targets::tar_make(reporter = "silent")
  list(table = targets::tar_read_raw("table"), spent = dp_spent(ledger)[["epsilon"]])
}
first <- run()
ran <- nrow(targets::tar_progress())
second <- run()
outdated <- targets::tar_outdated(reporter = "silent")
done <- targets::tar_progress()
unlink("_targets/objects", recursive = TRUE)
third <- run()
files <- list.files("_targets", recursive = TRUE, full.names = TRUE)
wanted <- list(
  writeBin(canary, raw(), endian = "big"), writeBin(canary, raw(), endian = "little"),
  charToRaw("7417.33")
)
stopifnot(
  "the first run spends what its plans say" = first$spent == 0.75,
  "a second run finds all up to date" = length(outdated) == 0 && identical(second, first),
  "a run without its store has the same results at no cost" = identical(third, first),
  "the store holds files" = length(files) > 5,
  "the store holds nothing of the data" = !any(vapply(files, holds, NA, wanted)),
  "the search finds what it looks for" = holds(data, wanted)
)
cat("A pipeline of", ran, "targets was paid once.\n")
