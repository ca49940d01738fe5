// Runs contenders in turns in one process, and reports the median ratio within a round, because
// absolute times drift on shared machines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace dp::bench {

struct Contender {
  std::string name;
  std::function<void()> body;
  std::size_t items;  // how many things one run of `body` does
};

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Runs every contender once per round. Prints its time per item and the ratio of that to the first
// contender's, and returns the ratios.
inline std::vector<double> compare(const std::string& question,
                                   const std::vector<Contender>& contenders,
                                   int rounds) {
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      contenders[i].body();
      const std::chrono::duration<double, std::nano> spent =
          std::chrono::steady_clock::now() - begin;
      times[i].push_back(spent.count() / static_cast<double>(contenders[i].items));
    }
  }
  std::printf("\n%s\n", question.c_str());
  std::vector<double> medians;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round)
      ratios.push_back(times[i][round] / times[0][round]);
    medians.push_back(median(ratios));
    std::printf("  %-44s %10.3f ns each   ratio %8.2f\n",
                contenders[i].name.c_str(),
                median(times[i]),
                medians.back());
  }
  return medians;
}

struct Bound {
  const char* side;
  double value;
};
inline Bound at_least(double value) { return {"at least", value}; }
inline Bound at_most(double value) { return {"at most", value}; }

// Compares a measurement with its target: the row of benchmarks/targets.dcf with `area` and
// `against`. Prints a line. Under `make bench`, README.md contains the line. A missed target is not
// an error.
inline void print_target(const std::string& area,
                         const std::string& against,
                         double measured,
                         Bound bound) {
  const bool least = bound.side == std::string("at least");
  const bool met = least ? measured >= bound.value : measured <= bound.value;
  std::printf("target: %s | %s | %.3g, %s %g: %s\n",
              area.c_str(),
              against.c_str(),
              measured,
              bound.side,
              bound.value,
              met ? "met" : "short");
  if (const char* results = std::getenv("PSILENCE_BENCH_RESULTS")) {
    std::ofstream(results, std::ios::app) << area << '\t' << against << '\t' << measured << '\t'
                                          << bound.side << ' ' << bound.value << '\n';
  }
}

}  // namespace dp::bench
