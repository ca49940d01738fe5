// What every program here stands on: contenders run in turns in one process, and what counts is the
// median of the ratios within a round, because absolute times drift on shared machines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
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

// Runs every contender once per round and prints its time per item, and the ratio of that to the
// first contender's.
inline void compare(const std::string& question,
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
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round)
      ratios.push_back(times[i][round] / times[0][round]);
    std::printf("  %-44s %10.3f ns each   ratio %8.2f\n",
                contenders[i].name.c_str(),
                median(times[i]),
                median(ratios));
  }
}

}  // namespace dp::bench
