# How small an excess of loss the audits of the R tests notice: writes benchmarks/audit-power.md.
#
#   Rscript --vanilla benchmarks/audit-power.R            all audits, which takes half an hour
#   Rscript --vanilla benchmarks/audit-power.R --check    fails unless the page has a row for each
#                                                         audit, and each audit runs here
#   Rscript --vanilla benchmarks/audit-power.R --row failures    prints the row of one audit
#
# A bisection finds, for each case of tests/testthat/helper-audited-*.R, the least multiple of its
# claim that makes a mutant noticed with probability 0.99. Then the audit runs anew on mutants of
# exactly that size, and fails here if it misses more than chance allows.
suppressMessages(library(PSIlence))
enable_features("contrib", "honest-but-curious")
page <- "benchmarks/audit-power.md"
wanted <- 0.99
audits_of_each <- 20
# The bisection aims higher, because it estimates probabilities.
searched <- 0.997

source("tests/replay/audits.R")

# The probability that a mutant is noticed, by names chosen twice anew and counted in a sample as
# large as the audit's: of that, what chance makes of them.
noticed <- function(case, claim, excess) {
  open <- helpers$opened(case, excess)
  known <- helpers$known_names(case$draws, claim[[2]])
  mean(replicate(2, {
    chosen_on <- helpers$played(open, ceiling(helpers$choosing_share * case$draws))
    rule <- helpers$adversary(chosen_on, claim[[1]], known * helpers$choosing_share)
    named <- helpers$named_by(rule, helpers$played(open, case$draws)) / case$draws
    counts <- stats::rmultinom(4000, case$draws, c(named, 1 - sum(named)))
    mean(helpers$proven_by(counts[1, ], counts[2, ], known, claim[[2]]) > claim[[1]])
  }))
}

# The least multiple in steps of a hundredth.
least_noticed <- function(case, claim) {
  low <- 100
  high <- 100 * helpers$least_excess
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (noticed(case, claim, middle / 100) >= searched) high <- middle else low <- middle
  }
  high / 100
}

row_of <- function(name, case) {
  claim <- helpers$claim_of(case)
  least <- least_noticed(case, claim)
  mutant <- helpers$opened(case, least)
  found <- sum(replicate(audits_of_each, helpers$proven(mutant, claim, case$draws) > claim[[1]]))
  row <- sprintf(
    "| %s | %s | %s | %d | %.2f | %d of %d |", name, format(signif(claim[[1]], 4)),
    format(signif(claim[[2]], 2)), case$draws, least, found, audits_of_each
  )
  message(row)
  if (found < stats::qbinom(1e-6, audits_of_each, wanted)) stop(name, " is noticed too rarely.")
  row
}

section_of <- function(title) {
  rows <- unlist(Map(row_of, names(audits[[title]]), audits[[title]]))
  c(
    "", paste("##", title), "",
    "| audit | epsilon | delta | releases | noticed from | found |",
    "|---|---:|---:|---:|---:|---:|",
    rows
  )
}

intro <- "# Power of the audits

<!-- Written by benchmarks/audit-power.R. -->

An audit draws releases on two neighbours and proves a lower bound of the loss from them
(`tests/testthat/helper-audit.R`). It fails if that exceeds the claim, which it does wrongly less
than once in 1e8 times. \"Noticed from\" is the least multiple of the claimed epsilon, in
hundredths, that an audit notices with probability 0.99. \"Found\" is how often separate audits
noticed mutants of exactly that size. The tests plant a mutant of 1.3 times the claim. They miss it
as rarely as they blame an honest mechanism.

The claim is the loss that the map reports, wherever a pair of neighbours attains it. Where none
does, the claim is for one pair, from the law of the noise: the loss of one step of several, or of
one component of the noise. The table of cases says which and why
(`tests/testthat/helper-audited-*.R`).

    Rscript --vanilla benchmarks/audit-power.R"

if (identical(commandArgs(TRUE), "--check")) {
  rows <- grep("^\\| [^|]*\\| *[0-9.]+ \\|", readLines(page), value = TRUE)
  listed <- trimws(sub("^\\| ([^|]*)\\|.*", "\\1", rows))
  present <- unlist(lapply(audits, names), use.names = FALSE)
  wrong <- c(setdiff(present, listed), setdiff(listed, present))
  least <- as.numeric(vapply(strsplit(rows, " *\\| *"), \(cells) cells[[6]], ""))
  weak <- listed[least > helpers$least_excess]
  if (length(c(wrong, weak)) || anyDuplicated(listed)) {
    stop(page, " does not fit the audits of the tests: ", toString(c(wrong, weak)))
  }
  for (case in unlist(unname(audits), recursive = FALSE)) helpers$opened(case)$evidence(1, 2)
} else if (identical(commandArgs(TRUE)[1], "--row")) {
  name <- commandArgs(TRUE)[[2]]
  all_cases <- unlist(unname(audits), recursive = FALSE)
  cat(row_of(name, all_cases[[name]]), "\n", sep = "")
} else {
  writeLines(c(intro, unlist(lapply(names(audits), section_of))), page)
}
