# Question: what does an exact, private-ready sum of 1e8 doubles cost, with missing values filled
# and outliers clamped, next to reading the memory once and to base R?
#
#   Rscript benchmarks/clamped-sum.R [rows]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

Rcpp::sourceCpp(code = '
#include <Rcpp.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>
typedef std::uint64_t Word __attribute__((vector_size(32)));
#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static std::uint64_t read_range(const double* x, std::size_t n) {
  Word all{};
  for (std::size_t i = 0; i + 4 <= n; i += 4) {
    Word now;
    std::memcpy(&now, x + i, sizeof now);
    all ^= now;
  }
  return all[0] ^ all[1] ^ all[2] ^ all[3];
}
// Reads every word once and does next to nothing with it; the result depends on all of them.
// Threads take 1 MiB at a time, so that none of them decides the finish.
// [[Rcpp::export]]
double read_pass(Rcpp::NumericVector x, int threads) {
  const std::size_t size = x.size(), chunk = 1 << 17;
  const double* rows = &x[0];
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> all{0};
  const auto work = [&] {
    for (std::size_t at = next.fetch_add(chunk); at < size; at = next.fetch_add(chunk)) {
      all ^= read_range(rows + at, std::min(chunk, size - at));
    }
  };
  std::vector<std::thread> crew;
  for (int t = 1; t < threads; ++t) crew.emplace_back(work);
  work();
  for (auto& thread : crew) thread.join();
  return static_cast<double>(all);
}')

rows <- as.numeric(c(commandArgs(TRUE), 1e8)[[1]])
income <- stats::rlnorm(rows, 10, 1)
income[seq(1, rows, by = 97)] <- NA

total <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
  then_impute_constant(20000) |>
  then_clamp(c(0, 750000)) |>
  then_lattice_sum()

for (threads in thread_counts()) {
  set_threads(threads)
  times <- compare(
    sprintf("%g doubles, %s", rows, threads_label(threads)),
    list(
      `impute, clamp, exact sum` = function() total(arg = income),
      `read the memory once` = function() read_pass(income, threads),
      `base R: sum(), no clamp, no fill` = function() sum(income)
    )
  )
  area <- paste0("clamped, imputed sum of 1e8 doubles, ", threads_label(threads))
  if (threads == 1) {
    target(
      area, "reading the memory once, 1 thread",
      1 / times_ours(times, "read the memory once"),
      at_most = 1.4
    )
    target(area, "sum()", times_ours(times, "base R: sum(), no clamp, no fill"), at_least = 4)
  } else {
    target(
      "clamped, imputed sum of 1e8 doubles, all cores", "reading the memory once, all cores",
      1 / times_ours(times, "read the memory once"),
      at_most = 1.3
    )
    target(area, "sum()", times_ours(times, "base R: sum(), no clamp, no fill"), at_least = 7)
  }
}

all_threads <- max(thread_counts())
set_threads(all_threads)
idiom <- compare(
  sprintf("%g doubles, all threads, against the same work in base R", rows),
  list(
    `impute, clamp, exact sum` = function() total(arg = income),
    `base R: fill, pmax(), pmin(), sum()` = function() {
      filled <- income
      filled[is.na(filled)] <- 20000
      sum(pmin(pmax(filled, 0), 750000))
    }
  ),
  rounds = 3
)
if (all_threads > 1) {
  target(
    paste("clamped, imputed sum of 1e8 doubles,", threads_label(all_threads)),
    "z[is.na(z)] <- c; sum(pmin(pmax(z, L), U))",
    times_ours(idiom, "base R: fill, pmax(), pmin(), sum()"),
    at_least = 60
  )
}
