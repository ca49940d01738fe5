# Fails if a layer uses a higher one: of the core, by its includes, or of R/, by its functions. Also
# fails if too many files of R/ use each other in a circle, if a release goes through more of R/
# than it should, or if a file names an engine of queries that is not its own.
#
#   Rscript tools/check-layers.R [core|r|circles|road|engines]...    all of them by default

# The core --------------------------------------------------------------------------------------

# From the bottom to the top. A layer is a folder of src/core/, or a file at its top.
core_layers <- scan(quiet = TRUE, what = "", text = "
  error limits one_of platform_windows platform platform_file_faults platform_file_refusals
  platform_file platform_file_posix platform_file_windows platform_folder durable_file
  numeric random domains metrics measures runtime data engine shuffle transformations expressions
  table measurements postprocessing tables sample_aggregate accounting combinators plan catalogue
  ledger query sql
")

# Only these files include headers of an operating system, or of Eigen.
platform_files <- "^core/platform[^/]*[.]cpp$"
windows_header <- "core/platform_windows.h"
eigen_header <- "core/numeric/eigen.h"
r_headers <- "^(R|Rcpp|RcppEigen|Rinternals|Rmath)([.]h|/|$)|^[^a-z]"

# Complaints about the include of `what` in the file `from`, both below src/.
include_mistake <- function(from, what) {
  rank <- function(path) match(sub("[.].*", "", strsplit(path, "/")[[1]][[2]]), core_layers)
  is_platform <- grepl(platform_files, from)
  if (what == windows_header && !is_platform) {
    "only core/platform*.cpp includes the header of Windows"
  } else if (is.na(rank(from))) {
    "is in no layer"
  } else if (startsWith(what, "core/")) {
    if (!isTRUE(rank(what) <= rank(from))) "includes a layer above its own"
  } else if (from != eigen_header && grepl(r_headers, what)) {
    "includes a header of R"
  } else if (grepl("[./]", what) && !grepl("^(boost|openssl)/", what) && !is_platform &&
    !from %in% c(windows_header, eigen_header)) {
    # Headers of the C++ library have neither a dot nor a folder.
    "includes a header of the operating system"
  }
}

core_mistakes <- function() {
  files <- list.files("src/core", "[.](h|cpp|inc)$", recursive = TRUE)
  mistakes_of <- function(file) {
    lines <- grep("^ *# *include *[<\"]", readLines(file.path("src/core", file)), value = TRUE)
    included <- sub(".*include *[\"<]([^\">]*).*", "\\1", lines)
    from <- file.path("core", file)
    why <- lapply(included, function(what) include_mistake(from, what))
    bad <- lengths(why) > 0
    sprintf("%s %s: %s", from, unlist(why), included[bad])
  }
  if (length(files) < 300) stop("the files of src/core/ were not found.")
  unlist(lapply(files, mistakes_of))
}

# R/ ----------------------------------------------------------------------------------------------

# From the bottom to the top. The name of a file tells its layer. `aaa-` only says what loads first.
# Within a layer, files can use each other.
r_layers <- c(
  framework = "",
  budgets = "^(budget|ledger|receipt|release[.-])",
  statistics = "^(aaa-)?statistic",
  queries = "^(query|engine)[.-]",
  audits = "^(audit|stability)[.-]"
)

r_files <- function() setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")

defined_in <- function(file) {
  is_definition <- function(code) {
    is.call(code) && identical(code[[1]], quote(`<-`)) && is.name(code[[2]])
  }
  vapply(Filter(is_definition, as.list(parse(file))), function(code) as.character(code[[2]]), "")
}

# Names that the code of a file looks up elsewhere: not its arguments and local variables.
used_in <- function(file) {
  body <- as.call(c(quote(`{`), as.list(parse(file))))
  codetools::findGlobals(eval(call("function", NULL, body), baseenv()))
}

# Files of all definitions, by name.
home_of_names <- function() {
  files <- r_files()
  defined <- lapply(files, defined_in)
  stats::setNames(rep(files, lengths(defined)), unlist(defined))
}

r_mistakes <- function() {
  files <- r_files()
  layer_of <- function(file) max(which(vapply(r_layers, grepl, NA, basename(file))))
  home <- home_of_names()
  if (length(home) < 500 || length(unique(vapply(files, layer_of, 1L))) < length(r_layers)) {
    stop("the files of R/ were not found.")
  }
  unlist(lapply(files, function(file) {
    used <- intersect(used_in(file), names(home))
    above <- Filter(function(name) layer_of(home[[name]]) > layer_of(file), used)
    sprintf("%s uses %s of %s", file, above, home[above])
  }))
}

# Files that use each other, directly or through others, form a circle: none can be read alone. To
# break one, move the functions that many files use into a file below them.
most_in_circle <- 39

circle_mistakes <- function() {
  files <- r_files()
  home <- home_of_names()
  reached <- vapply(files, function(file) files %in% home[intersect(used_in(file), names(home))],
    logical(length(files))
  )
  repeat {
    further <- reached | reached %*% reached > 0
    if (identical(further, reached)) break
    reached <- further
  }
  members <- reached & t(reached)
  sizes <- colSums(members)
  cat(sprintf("%-12s %d files\n", "circle", max(sizes)))
  if (max(sizes) > most_in_circle) {
    largest <- files[members[, which.max(sizes)]]
    paste("files use each other in a circle:", toString(basename(largest)))
  }
}

# The files of R/ that a release goes through, from release() to the stored and described answer.
# Files that every function uses, such as errors.R, and stores of budgets do not count.
most_files <- 6
most_lines <- 1000
road_of_all <- c(
  "release.R", "ledger-charge.R", "ledger-store.R"
)
road_of <- c(
  measurement = "release-measurement.R", statistic = "statistic-release.R",
  query = "query-release.R", batch = "query-batch.R"
)

road_mistakes <- function() {
  runs_a_kind <- function(file) any(grepl("^release_run[.][a-zA-Z_]+ <-", readLines(file)))
  methods <- basename(Filter(runs_a_kind, r_files()))
  lines <- vapply(road_of, function(file) {
    sum(lengths(lapply(file.path("R", c(road_of_all, file)), readLines)))
  }, 0L)
  count <- length(road_of_all) + 1
  cat(sprintf("%-12s %d files, %d lines\n", names(road_of), count, lines), sep = "")
  long <- names(lines)[lines > most_lines | count > most_files]
  c(
    sprintf("a release of a %s goes through too much of R/", long),
    if (!setequal(methods, road_of)) paste("release_run() has methods in", toString(methods))
  )
}

# Engines -----------------------------------------------------------------------------------------

# Only the files of an engine name it in code. Its name is in its C++ file. Advisories of receipts
# name engines of earlier versions.
engine_files <- "^(src/core/sql/engines/|R/(engine-|receipt-advisories[.]R))"

engine_mistakes <- function() {
  sources <- list.files("src/core/sql/engines", "[.]cpp$", full.names = TRUE)
  pattern <- ".*char[*] name[(][)] const override [{] return (\"[^\"]+\").*"
  names <- unlist(lapply(sources, function(file) {
    sub(pattern, "\\1", grep(pattern, readLines(file), value = TRUE))
  }))
  if (length(names) < 6) stop("the names of the engines were not found.")
  # Data frames and Arrow data are not engines.
  named <- paste(setdiff(names, c("\"data frame\"", "\"Arrow\"")), collapse = "|")
  files <- c(list.files("src", "[.](h|cpp)$", full.names = TRUE, recursive = TRUE), r_files())
  unlist(lapply(grep(engine_files, files, value = TRUE, invert = TRUE), function(file) {
    at <- grep(named, grep("^ *(//|#)", readLines(file), value = TRUE, invert = TRUE), value = TRUE)
    sprintf("%s names an engine: %s", file, trimws(at))
  }))
}

checks <- list(
  core = core_mistakes, r = r_mistakes, circles = circle_mistakes, road = road_mistakes,
  engines = engine_mistakes
)
asked <- commandArgs(TRUE)
bad <- unlist(lapply(checks[if (length(asked)) asked else names(checks)], function(check) check()))
writeLines(as.character(bad))
quit(status = length(bad) > 0)
