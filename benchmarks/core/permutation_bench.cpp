// Question: how fast is a uniformly random permutation of 1e7 integers from the secure source?
//
//   random_order() on one and on four threads, its memory included, against sample.int() of R,
//   which an Rscript of each round measures. Prints ms and the median of the ratios of
//   paired rounds.
//
//   permutation_bench [size] [rounds]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/runtime/parallel.h"
#include "core/runtime/scratch.h"
#include "core/shuffle/random_partition.h"

namespace {

using namespace dp;

// Each is run three times in a row, so that a round does not begin with cold caches.
double seconds_of_order(std::size_t size, std::size_t threads) {
  set_thread_count(threads);
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto order = make_scratch<std::uint32_t>(size);
    random_order(order.get(), size);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    times.push_back(spent.count());
  }
  return bench::median(times);
}

double seconds_of_rival(std::size_t size) {
  const std::string command =
      "Rscript --vanilla -e 'cat(median(replicate(3, system.time(sample.int(" +
      std::to_string(size) + "))[[3]])))'";
  std::FILE* output = popen(command.c_str(), "r");
  double seconds = 0;
  const bool read = output != nullptr && std::fscanf(output, "%lf", &seconds) == 1;
  if (output == nullptr || pclose(output) != 0 || !read) throw std::runtime_error("no Rscript");
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 9;
  std::vector<double> one, four, rival, times_one, times_four;
  for (int round = 0; round < rounds; ++round) {
    rival.push_back(seconds_of_rival(size));
    one.push_back(seconds_of_order(size, 1));
    four.push_back(seconds_of_order(size, 4));
    times_one.push_back(rival.back() / one.back());
    times_four.push_back(rival.back() / four.back());
  }
  std::printf("\nrandom permutation of %zu\n", size);
  std::printf("  %-30s %8.1f ms\n", "sample.int()", 1e3 * bench::median(rival));
  std::printf("  %-30s %8.1f ms   %6.1f times faster\n",
              "random_order(), 1 thread",
              1e3 * bench::median(one),
              bench::median(times_one));
  std::printf("  %-30s %8.1f ms   %6.1f times faster\n",
              "random_order(), 4 threads",
              1e3 * bench::median(four),
              bench::median(times_four));
  bench::print_target("random permutation of 1e7, 1 thread",
                      "sample.int()",
                      bench::median(times_one),
                      bench::at_least(12));
  bench::print_target("random permutation of 1e7, 4 threads",
                      "sample.int()",
                      bench::median(times_four),
                      bench::at_least(35));
}
