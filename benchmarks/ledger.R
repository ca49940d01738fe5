# Question: what does a ledger of 1e5 charges cost: to open and verify it, to charge it, to find a
# record, and in memory, next to reading its lines and hashing them, without any checks, and to
# what the disk takes to flush a file and its folder?
#
#   Rscript benchmarks/ledger.R [charges]
library(PSIlence)
source("benchmarks/compare.R")

charges <- as.numeric(c(commandArgs(TRUE), 1e5)[[1]])
where <- file.path(tempfile(), "l")
dir.create(dirname(where))
suppressMessages(
  ledger <- dp_ledger_create(where, "survey", dp_unit(changes = 1),
    dp_epsilon(charges, 0.5), version = "v"
  )
)

# Written as the ledger writes, but flushed once.
text <- file.path(where, "ledger.jsonl")
lines <- readLines(text)
prev <- sub('.*"hash":"([0-9a-f]{64})".*', "\\1", lines[[2]])
plan <- strrep("a", 64)
written <- character(charges)
for (i in seq_len(charges)) {
  before <- "{"
  after <- sprintf(
    paste0(
      '"kind":"charge","loss":{"delta":"0.000000001","epsilon":"0.0625"},"package":"p",',
      '"plan":"%s","prev":"%s","seq":%d,"spent":{"delta":"%s","epsilon":"%s"},',
      '"time":"2026-11-22T00:00:00Z","version":"v","who":"w"}'
    ),
    plan, prev, i + 1L, sub("[.]?0+$", "", sprintf("%.9f", i / 1e9)),
    sub("[.]?0+$", "", sprintf("%.4f", i / 16))
  )
  prev <- as.character(openssl::sha256(paste0("psilence-ledger-1\n", before, after)))
  written[[i]] <- paste0(before, '"hash":"', prev, '",', after)
}
cat(written, file = text, sep = "\n", append = TRUE)

resident <- function() {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("^VmRSS", status, value = TRUE))) / 1024
}
gc()
before <- resident()
ledger <- dp_ledger(where)
cat(sprintf("memory of a ledger of %g charges: %.0f MiB\n", charges, resident() - before))

noisy <- dpMean(
  mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
  rng = c(18, 93), epsilon = 0.0625
)
# A call of a few milliseconds is repeated, because the first one after reading 40 MB measures the
# caches of the processor.
repeated <- function(call, times = 50) {
  function() for (i in seq_len(times)) call()
}
compare(
  sprintf("ledger of %g charges", charges),
  list(
    `open and verify` = function() dp_ledger(where),
    `read and hash the lines` = function() {
      openssl::sha256(readBin(text, "raw", file.size(text)))
    }
  )
)
compare(
  "50 calls of each, on that ledger",
  lapply(list(
    `charge and release` = function() {
      with_ledger(ledger, noisy$release(PUMS5extract10000), reuse = FALSE)
    },
    `charge` = function() {
      PSIlence:::charge_ledger(ledger, list(plan = plan, loss = list(c(0.0625, 0), c(0.0625, 0))))
    },
    `flush a file and its folder` = function() {
      PSIlence:::core_replace_file(file.path(where, "flushed"), plan)
    },
    `release alone` = function() noisy$release(PUMS5extract10000),
    `find one record` = function() PSIlence:::core_ledger_record(ledger$handle, 50000)
  ), repeated)
)
