# Writes benchmarks/README.md: the machine, the targets with their measurements, and for each script
# its question and output. benchmarks/run.sh runs it.
#
#   Rscript benchmarks/report.R FOLDER    where benchmarks/run.sh keeps what the scripts printed
folder <- commandArgs(TRUE)[[1]]

intro <- "# Benchmarks

<!-- Written by benchmarks/report.R, which `make bench` runs last. Edit that, or targets.dcf. -->

One file per question. Each measures PSIlence and its rival in turns in one process and prints the
median of the ratios within a round, because absolute times on shared machines drift by 1.5 times
and more. No test ever fails on a clock.

```sh
make bench                          # all of them; writes this file
benchmarks/run.sh clamped-sum pld      # some of them; the numbers of the others stay
Rscript benchmarks/clamped-sum.R    # one, with the package installed
```

A target is a row of `targets.dcf`, with the reason if it is missed. \"At least\" says how many
times longer the rival takes, \"at most\" how many times longer ours does, unless a unit is given.
Of several measurements the worst counts."

# Facts ------------------------------------------------------------------------------------------

first_match <- function(file, pattern) {
  lines <- grep(pattern, readLines(file), value = TRUE)
  if (length(lines)) trimws(sub("^[^:=]*[:=]", "", lines[[1]])) else "unknown"
}

# A reader who compares numbers needs the processor, and the versions of the competitors.
machine <- function() {
  flags <- strsplit(first_match("/proc/cpuinfo", "^flags"), " ")[[1]]
  vectors <- toString(intersect(c("sse2", "avx2", "avx512f"), flags))
  memory <- as.numeric(gsub("[^0-9]", "", first_match("/proc/meminfo", "^MemTotal"))) / 2^20
  system <- gsub("\"", "", first_match("/etc/os-release", "^PRETTY_NAME"))
  config <- system2(file.path(R.home("bin"), "R"), c("CMD", "config", "CXX17FLAGS"), stdout = TRUE)
  packages <- Filter(
    \(name) nzchar(system.file(package = name)),
    c("PSIlence", "Rcpp", "RcppEigen", "BH", "data.table")
  )
  versions <- vapply(packages, \(name) format(utils::packageVersion(name)), "")
  c(
    sprintf("- Processor: %s (%s)", first_match("/proc/cpuinfo", "^model name"), vectors),
    sprintf("- %d cores, %.0f GiB of memory", parallel::detectCores(), memory),
    sprintf("- %s, Linux %s", system, Sys.info()[["release"]]),
    sprintf("- %s, flags of R: `%s`", system2("g++", "--version", stdout = TRUE)[[1]], config),
    sprintf("- R %s; %s", getRversion(), toString(paste(packages, versions)))
  )
}

# Runs: one per script, in the order of their runs -----------------------------------------------

read_runs <- function(folder) {
  names <- sub("[.]file$", "", list.files(folder, "[.]file$"))
  part <- function(name, ext) file.path(folder, paste0(name, ".", ext))
  lapply(names, function(name) {
    targets <- part(name, "targets")
    list(
      file = readLines(part(name, "file")),
      date = readLines(part(name, "date")),
      printed = readLines(part(name, "txt")),
      failed = file.exists(part(name, "failed")),
      targets = if (file.exists(targets)) read_targets(targets)
    )
  })
}

read_targets <- function(file) {
  names <- c("area", "against", "measured", "bound")
  utils::read.delim(file, header = FALSE, col.names = names, quote = "", comment.char = "")
}

# The question at the head of a script, up to the first empty line of the comment.
question <- function(file) {
  head <- sub("^(#|//) ?", "", grep("^(#|//)", readLines(file), value = TRUE))
  from <- grep("^Question:", head)
  if (!length(from)) return("")
  text <- head[seq(from[[1]], length(head))]
  text <- text[seq_len(match("", text, nomatch = length(text) + 1) - 1)]
  sub("^Question: *", "", paste(text, collapse = " "))
}

# The table of targets ----------------------------------------------------------------------------

read_rows <- function(file) {
  rows <- as.data.frame(read.dcf(file, c("Area", "Against", "AtLeast", "AtMost", "Unit", "Reason")))
  least <- !is.na(rows$AtLeast)
  stopifnot(xor(least, !is.na(rows$AtMost)), !anyDuplicated(rows[c("Area", "Against")]))
  rows$least <- least
  rows$bound <- as.numeric(ifelse(least, rows$AtLeast, rows$AtMost))
  rows$Reason <- gsub("\\s+", " ", rows$Reason)
  rows
}

# All measurements.
gather <- function(runs) {
  do.call(rbind, lapply(runs, function(run) {
    if (!is.null(run$targets)) cbind(run$targets, file = basename(run$file))
  }))
}

# Targets for four threads are held where there are four cores. What fewer threads took on fewer
# cores is printed alone, but needs a row as the others do.
in_row <- function(area) sub("[0-9]+ threads$", "4 threads", area)

lacks_cores <- function(area) parallel::detectCores() < 4 & grepl("[0-9] threads$", area)

# The mistake of each, or "": its row must exist, and must have the same bound.
mistakes <- function(all, rows) {
  vapply(seq_len(NROW(all)), function(i) {
    row <- rows[rows$Area == in_row(all$area[[i]]) & rows$Against == all$against[[i]], ]
    if (nrow(row) == 0) {
      return(sprintf("%s: targets.dcf has no row '%s'", all$file[[i]], all$area[[i]]))
    }
    side <- if (row$least) "at least" else "at most"
    value <- suppressWarnings(as.numeric(sub(side, "", all$bound[[i]], fixed = TRUE)))
    same <- isTRUE(all.equal(value, row$bound))
    if (same) "" else sprintf("%s: '%s' has another bound", all$file[[i]], all$area[[i]])
  }, "")
}

# A row of the table. Of several measurements the worst counts.
target_row <- function(row, all) {
  held <- all$area == row$Area & !lacks_cores(all$area)
  mine <- all[held & all$against == row$Against, ]
  unit <- if (is.na(row$Unit)) "times" else row$Unit
  goal <- paste(if (row$least) "at least" else "at most", format(row$bound))
  if (NROW(mine) == 0) {
    why <- if (lacks_cores(row$Area)) "needs 4 cores" else "not measured"
    return(c(row$Area, row$Against, paste(goal, unit), why, "**not measured**", ""))
  }
  worst <- if (row$least) which.min(mine$measured) else which.max(mine$measured)
  measured <- mine$measured[[worst]]
  met <- if (row$least) measured >= row$bound else measured <= row$bound
  c(
    row$Area, row$Against, paste(goal, unit), format(signif(measured, 3)),
    if (met) "pass" else "**short**", sprintf("`%s`", mine$file[[worst]])
  )
}

markdown_row <- function(cells) {
  paste0("| ", paste(gsub("|", "\\|", cells, fixed = TRUE), collapse = " | "), " |")
}

targets_section <- function(rows, all) {
  cells <- lapply(seq_len(nrow(rows)), \(i) target_row(rows[i, ], all))
  verdicts <- vapply(cells, \(row) gsub("*", "", row[[5]], fixed = TRUE), "")
  short <- rows[verdicts != "pass" & !lacks_cores(rows$Area), ]
  reasons <- ifelse(is.na(short$Reason), "no reason was given.", short$Reason)
  c(
    "## Targets", "",
    sprintf(
      "%d pass, %d fall short, %d not measured.",
      sum(verdicts == "pass"), sum(verdicts == "short"), sum(verdicts == "not measured")
    ), "",
    markdown_row(c("area", "next to", "target", "measured", "", "by")),
    "|---|---|---|---:|---|---|",
    vapply(cells, markdown_row, ""), "",
    if (nrow(short)) c("### What does not pass, and why", ""),
    sprintf("- **%s**, next to %s: %s", short$Area, short$Against, reasons),
    if (nrow(short)) ""
  )
}

# The page ----------------------------------------------------------------------------------------

relative <- function(file) sub("^benchmarks/", "", file)

questions_section <- function(runs) {
  cells <- vapply(runs, function(run) {
    markdown_row(c(sprintf("`%s`", relative(run$file)), question(run$file)))
  }, "")
  c("## Questions", "", markdown_row(c("file", "question")), "|---|---|", cells, "")
}

output_section <- function(run) {
  c(
    paste("###", relative(run$file)), "",
    paste0(if (run$failed) "**Failed** on " else "Run on ", run$date, " before it."), "",
    "```text", sub("[ \t]+$", "", run$printed), "```", ""
  )
}

runs <- read_runs(folder)
rows <- read_rows("benchmarks/targets.dcf")
all <- gather(runs)
page <- c(
  intro, "", "## Machine", "", machine(), "",
  targets_section(rows, all),
  questions_section(runs),
  "## What they printed", "",
  unlist(lapply(runs, output_section))
)
writeLines(utils::head(page, -1), "benchmarks/README.md")
wrong <- Filter(nzchar, mistakes(all, rows))
if (length(wrong)) stop(paste(wrong, collapse = "\n"))
