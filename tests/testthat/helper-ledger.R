# Ledgers in folders that are deleted with the test.

local_ledger <- function(epsilon = 1, ..., unit = dp_unit(changes = 1), env = parent.frame()) {
  where <- file.path(withr::local_tempdir(.local_envir = env), "survey.ledger")
  create_ledger(where, "survey", unit, dp_epsilon(epsilon), version = "2026-03", ...)
}

# A ledger as older versions made it: without a key, with a string as its unit.
ledger_of_words <- function(words = "row", ..., env = parent.frame()) {
  rewritten_ledger(local_ledger(..., env = env), function(record) {
    if (record$kind == "open") record[c("format", "unit")] <- list("psilence-ledger-1", words)
    record
  })
}

# Rewrites the hash chain of a ledger without a key, after `change` has edited each record.
rewritten_ledger <- function(ledger, change) {
  prev <- strrep("0", 64)
  lines <- vapply(readLines(ledger_text(ledger)), function(line) {
    record <- change(core_parse_canonical_json(line))
    record$prev <- prev
    record$hash <- NULL
    prev <<- core_sha256(paste0("psilence-ledger-1\n", core_to_canonical_json(record)))
    core_to_canonical_json(c(record, hash = prev))
  }, "")
  writeLines(lines, ledger_text(ledger))
  dp_ledger(ledger$where)
}

# Suppresses the message that ledgers of the same people add up.
create_ledger <- function(...) suppressMessages(dp_ledger_create(...), classes = "dp_message")

ledger_text <- function(ledger) file.path(ledger$where, "ledger.jsonl")

spent_in <- function(ledger) dp_spent(ledger)[[1]]

mean_age <- function(epsilon = 0.25) {
  dpMean(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 100,
    rng = c(18, 93), epsilon = epsilon, missing = "impute"
  )
}

hundred <- data.frame(age = rep(c(20, 40), 50))

noisy_count <- function(scale = 4) {
  enable_features("contrib")
  c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
    then_count() |>
    then_laplace(scale = scale)
}

noisy_count_in_rho <- function(scale = 4) {
  enable_features("contrib")
  c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
    then_count() |>
    then_gaussian(scale = scale)
}

quietly_reused <- function(code) suppressMessages(code, classes = "dp_message_reused")

# Runs `code`, which sees `where`, in a new R process. Returns its output with its status.
run_r <- function(code, where, wrapper = character()) {
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(sprintf("where <- %s", deparse(where)), "library(PSIlence)", code), script)
  command <- c(wrapper, file.path(R.home("bin"), "Rscript"), "--vanilla", script)
  processx::run(command[[1]], command[-1], error_on_status = FALSE)
}
