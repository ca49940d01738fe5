# Question: what does a sum of one column of a CSV text of 1e7 rows cost, cast, filled, clamped and
# private-ready, next to data.table::fread() and base R, and how much memory beyond the text?
#
#   Rscript benchmarks/csv-chain.R [rows]
library(PSIlence)
source("benchmarks/compare.R")

rows <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])

# "17,43210.55,north" and the like. In one row of 97 the number is missing.
write_csv <- function(path, rows) {
  income <- sprintf("%.2f", stats::rlnorm(rows, 10, 1))
  income[seq(1, rows, by = 97)] <- ""
  region <- sample(c("north", "south", "east", "west"), rows, replace = TRUE)
  data.table::fwrite(
    list(seq_len(rows) %% 120, income, region), path,
    col.names = FALSE, quote = FALSE
  )
}

read_text <- function(path) readChar(path, file.size(path), useBytes = TRUE)

ours <- function() {
  enable_features("contrib")
  make_split_dataframe(",", c("age", "income", "region")) |>
    then_select_column("income", .TOA = "String") |>
    then_cast("f64") |>
    then_impute_constant(20000) |>
    then_clamp(c(0, 750000)) |>
    then_lattice_sum()
}

rival <- function(..., threads = 1) {
  table <- data.table::fread(..., header = FALSE, select = 2, nThread = threads, data.table = FALSE)
  income <- table[[1]]
  income[is.na(income)] <- 20000
  sum(pmin(pmax(income, 0), 750000))
}

# By how many MiB the peak of resident memory grows in a fresh process while `body` works on the
# text, and how large the text is. Linux says so in /proc.
growth <- function(path, body) {
  callr::r(function(path, body, read_text) {
    library(PSIlence)
    status <- function(field) {
      line <- grep(field, readLines("/proc/self/status"), value = TRUE)
      as.numeric(gsub("[^0-9]", "", line)) / 1024
    }
    text <- read_text(path)
    gc(FALSE)
    writeLines("5", "/proc/self/clear_refs") # from here on the peak counts anew
    before <- status("^VmRSS")
    body(text)
    c(text = file.size(path) / 2^20, growth = status("^VmHWM") - before)
  }, list(path, body, read_text), libpath = .libPaths())
}

path <- tempfile(fileext = ".csv")
write_csv(path, rows)
text <- read_text(path)
total <- ours()
for (threads in thread_counts()) {
  set_threads(threads)
  compare(
    sprintf("%g rows, %.0f MB of text, %d thread(s)", rows, nchar(text, "bytes") / 1e6, threads),
    list(
      `split, select, cast, impute, clamp, exact sum` = function() total(arg = text),
      `fread() of the text, fill, clamp, sum` = function() rival(text = text, threads = threads),
      `fread() of the file, fill, clamp, sum` = function() rival(path, threads = threads)
    ),
    rounds = 3
  )
}

environment(ours) <- environment(rival) <- globalenv()
peaks <- rbind(
  ours = growth(path, eval(bquote(function(text) (.(ours))()(arg = text)))),
  `fread() of the text` = growth(path, eval(bquote(function(text) (.(rival))(text = text))))
)
cat("\nPeak of resident memory beyond what is there when the text is, in MiB\n")
print(round(peaks, 1))
