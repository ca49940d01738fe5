# The audits of the R tests, for scripts that run them outside of the tests:
# benchmarks/audit-power.R and releases.R. Source it from the root of the repository, with the
# package attached.

# The helpers of the tests, without what needs a running test.
helpers <- new.env(parent = asNamespace("PSIlence"))
for (file in list.files(
  "tests/testthat", "^helper-(framework|replaced|audit|audited-.*|statistic.*)[.]R$",
  full.names = TRUE
)) {
  code <- parse(file)
  is_assignment <- vapply(code, \(line) is.call(line) && identical(line[[1]], quote(`<-`)), NA)
  for (line in code[is_assignment]) eval(line, helpers)
}

# By section of benchmarks/audit-power.md.
audits <- with(helpers, list(
  `measurements` = measurement_audits(),
  `statistics` = statistic_audits(),
  `queries` = query_audits(),
  `sample and aggregate, several steps or functions of R` = block_audits()
))
