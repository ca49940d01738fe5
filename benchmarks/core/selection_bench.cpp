// Question: does the time of a noisy selection depend on the scores?
//
//   Selections of one of 1000 candidates by both laws, from score vectors that are as unlike as
//   they can be: ties, one far ahead, ladders up and down, differences beyond and below the
//   doubles. Prints the median time of each and, as the spread, the longest of these medians over
//   the shortest, with the medians' own scatter from two halves of the rounds beside it.
//
//   selection_bench [candidates] [rounds]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/measurements/selection.h"
#include "core/random/bit_source.h"

namespace {

using namespace dp;

struct Shape {
  const char* name;
  std::function<double(std::size_t i, std::size_t n)> score;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"all equal", [](std::size_t, std::size_t) { return 0.0; }},
      {"one ahead by 5", [](std::size_t i, std::size_t) { return i == 0 ? 5.0 : 0.0; }},
      {"one ahead by 50", [](std::size_t i, std::size_t) { return i == 0 ? 50.0 : 0.0; }},
      {"last ahead by 1e300",
       [](std::size_t i, std::size_t n) { return i + 1 == n ? 1e300 : 0.0; }},
      {"one behind by 50", [](std::size_t i, std::size_t) { return i == 0 ? -50.0 : 0.0; }},
      {"every second behind by 50", [](std::size_t i, std::size_t) { return i % 2 ? -50.0 : 0.0; }},
      {"scattered", [](std::size_t i, std::size_t) { return double(i * 7919 % 1009) / 20; }},
      {"ladder up by 1", [](std::size_t i, std::size_t) { return double(i); }},
      {"ladder down by 1", [](std::size_t i, std::size_t) { return -double(i); }},
      {"ladder of subnormals", [](std::size_t i, std::size_t) { return 5e-324 * double(i); }},
      {"ladder of 1e305", [](std::size_t i, std::size_t) { return 1e305 * double(i); }},
  };
  return all;
}

double seconds_of(const std::vector<double>& scores, SelectionRule rule) {
  constexpr int kTimes = 5;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i) select_top(scores, 1, 1.0, false, rule, secure_bits());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / kTimes;
}

// The longest median over the shortest.
double spread(const std::vector<double>& medians) {
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  return *most / *least;
}

void measure(const char* law, SelectionRule rule, std::size_t candidates, int rounds) {
  std::vector<std::vector<double>> scores;
  for (const Shape& shape : shapes()) {
    scores.emplace_back();
    for (std::size_t i = 0; i < candidates; ++i)
      scores.back().push_back(shape.score(i, candidates));
  }
  std::vector<std::vector<double>> times(scores.size());
  for (int round = 0; round < rounds; ++round) {  // in turns: all see the same noise of the machine
    for (std::size_t s = 0; s < scores.size(); ++s) times[s].push_back(seconds_of(scores[s], rule));
  }
  std::printf("\n%s, one of %zu\n", law, candidates);
  std::vector<double> medians;
  double scatter = 1;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const auto middle = times[s].begin() + rounds / 2;
    const double first = bench::median({times[s].begin(), middle});
    const double second = bench::median({middle, times[s].end()});
    scatter = std::max(scatter, std::max(first, second) / std::min(first, second));
    medians.push_back(bench::median(times[s]));
    std::printf("  %-30s %12.2f us\n", shapes()[s].name, 1e6 * medians.back());
  }
  std::printf("  spread %.3f, of one vector between two halves of the rounds up to %.3f\n",
              spread(medians),
              scatter);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t candidates = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 400;
  measure("exponential mechanism", SelectionRule::exponential, candidates, rounds);
  measure("permute-and-flip", SelectionRule::permute_and_flip, candidates, rounds);
}
