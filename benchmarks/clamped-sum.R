# Question: what does an exact, private-ready sum of 1e8 doubles cost, with missing values filled
# and outliers clamped, next to reading the memory once and to base R?
#
#   Rscript benchmarks/clamped-sum.R [rows]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

Rcpp::sourceCpp(code = '
#include <Rcpp.h>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>
#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static void read_range(const double* x, std::size_t n, std::uint64_t* out) {
  typedef std::uint64_t Word __attribute__((vector_size(32)));
  Word all{};
  for (std::size_t i = 0; i + 4 <= n; i += 4) {
    Word now;
    std::memcpy(&now, x + i, sizeof now);
    all ^= now;
  }
  *out = all[0] ^ all[1] ^ all[2] ^ all[3];
}
// Reads every word once and does next to nothing with it. The result depends on all of them.
// [[Rcpp::export]]
double read_pass(Rcpp::NumericVector x, int threads) {
  std::vector<std::uint64_t> parts(threads);
  std::vector<std::thread> crew;
  const std::size_t share = x.size() / threads;
  for (int t = 1; t < threads; ++t) crew.emplace_back(read_range, &x[t * share], share, &parts[t]);
  read_range(&x[0], share, &parts[0]);
  for (auto& thread : crew) thread.join();
  std::uint64_t all = 0;
  for (auto part : parts) all ^= part;
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

set_threads(NULL)
few <- income[seq_len(rows / 10)]
idiom <- compare(
  sprintf("%g doubles, all threads, against the same work in base R", rows / 10),
  list(
    `impute, clamp, exact sum` = function() for (i in 1:10) total(arg = few),
    `ten times base R` = function() {
      for (i in 1:10) {
        filled <- few
        filled[is.na(filled)] <- 20000
        sum(pmin(pmax(filled, 0), 750000))
      }
    }
  ),
  rounds = 3
)
target(
  "clamped, imputed sum of doubles, 4 threads", "z[is.na(z)] <- c; sum(pmin(pmax(z, L), U))",
  times_ours(idiom, "ten times base R"),
  at_least = 60
)
