# Checks the style of code. Fails if
# - format: clang-format would change a C++ file (--write changes it).
# - lint: lintr, with the settings of .lintr, finds something in R code.
# - functions: R/ defines a name twice, or has a function with too many branches.
# - tokens: a line has something that tools/banned-tokens.tsv bans.
#
#   Rscript tools/check-code.R [--write] [format|lint|functions|tokens]...   all by default
#
# R CMD check looks up names, because it knows the whole package.

written <- commandArgs(TRUE) == "--write"

format <- function() {
  # Another version formats differently.
  version <- system2("clang-format", "--version", stdout = TRUE)
  if (!any(grepl("version 14[.]", version))) {
    why <- "The format of C++ was not checked: this needs clang-format 14."
    message(why)
    return(if (nzchar(Sys.getenv("CI"))) why)
  }
  files <- list.files(c("src", "tests/cpp", "benchmarks"), "[.](cpp|h)$",
    recursive = TRUE, full.names = TRUE
  )
  files <- files[basename(files) != "RcppExports.cpp"]
  how <- if (any(written)) "-i" else c("--dry-run", "-Werror")
  if (system2("clang-format", c(how, files)) != 0) "C++ files are not formatted: make format"
}

# Files that were free of lint and did not change are not read again. In continuous integration,
# machines are new: to remember files would cost a third of the time in vain. lint() itself takes a
# fifth of the time for each file, so there it only sees files that a linter complains about.
lint <- function() {
  folders <- c("R", "tests", "tools", "demo", "data-raw", "benchmarks", "vignettes")
  files <- list.files(Filter(dir.exists, folders), "[.](R|Rmd)$",
    recursive = TRUE, full.names = TRUE
  )
  # The first is generated. The second shows a published script unchanged.
  files <- setdiff(files, c("R/RcppExports.R", "vignettes/dp-sampleandaggregate.Rmd"))
  # lintr's own linter of tabs takes a quarter of the time.
  tabbed <- Filter(function(file) any(startsWith(readLines(file), "\t")), files)
  cache <- file.path(Sys.getenv("PSILENCE_BUILD", "build"), "lint")
  if (nzchar(Sys.getenv("CI"))) {
    cache <- FALSE
    linters <- eval(parse(text = read.dcf(".lintr")[, "linters"]), asNamespace("lintr"))
    files <- Filter(function(file) {
      found <- lintr::get_source_expressions(file)
      !is.null(found$error) || any(vapply(found$expressions, function(expression) {
        any(lengths(lapply(linters, function(linter) linter(expression))) > 0)
      }, NA))
    }, files)
  }
  lints <- unlist(lapply(files, lintr::lint, cache = cache), recursive = FALSE)
  lapply(lints, print)
  c(
    if (length(lints)) paste("lintr found lines:", length(lints)),
    sprintf("%s is indented by tabs", tabbed)
  )
}

# The cyclomatic complexity of a function is its number of branches plus one. lintr's linter of it
# would take two thirds of all time.
most_branches <- 15
branching <- c("if", "for", "while", "repeat", "&&", "||")

branches_of <- function(e) {
  if (!is.call(e) && !is.pairlist(e)) {
    return(0)
  }
  own <- is.call(e) && is.symbol(e[[1]]) && as.character(e[[1]]) %in% branching
  own + sum(vapply(as.list(e), function(part) if (missing(part)) 0 else branches_of(part), 0))
}

functions <- function() {
  is_definition <- function(e) {
    is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]])
  }
  definitions <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
    Filter(is_definition, as.list(parse(file, keep.source = FALSE)))
  }))
  names <- vapply(definitions, function(e) as.character(e[[2]]), "")
  # Files share a namespace: the definition that is read last would win.
  tangled <- names[1 + vapply(definitions, branches_of, 0) > most_branches]
  c(
    sprintf("%s is defined twice in R/", unique(names[duplicated(names)])),
    sprintf("%s has too many branches", tangled)
  )
}

tokens <- function() {
  rows <- grep("^#", readLines("tools/banned-tokens.tsv"), value = TRUE, invert = TRUE)
  rules <- utils::read.delim(
    text = rows, quote = "", header = FALSE, col.names = c("where", "banned", "allowed", "why")
  )
  files <- c("configure", list.files(c("R", "src", "tests/cpp", "tools"),
    recursive = TRUE, full.names = TRUE
  ))
  files <- grep("[.](o|so)$", files, value = TRUE, invert = TRUE)
  read <- lapply(stats::setNames(nm = files), readLines, warn = FALSE)
  breaks <- function(rule) {
    searched <- read[grepl(rule$where, files)]
    if (length(searched) == 0) {
      return(paste("no file is like", rule$where))
    }
    lines <- sprintf("%s:%d:%s", rep(names(searched), lengths(searched)),
      sequence(lengths(searched)), unlist(searched))
    bad <- grepl(rule$banned, unlist(searched), perl = TRUE) &
      !grepl(rule$allowed, lines, perl = TRUE)
    if (any(bad)) c(lines[bad], paste(" ", rule$why))
  }
  unlist(lapply(split(rules, seq_len(nrow(rules))), breaks))
}

checks <- list(format = format, lint = lint, functions = functions, tokens = tokens)
asked <- commandArgs(TRUE)[!written]
bad <- unlist(lapply(checks[if (length(asked)) asked else names(checks)], function(check) check()))
writeLines(as.character(bad))
quit(status = length(bad) > 0)
