// Stability of transformations that reorder rows at random.
//
// Distributions of datasets are at distance d if some coupling never puts more than d between its
// two datasets. Here the laws are finite and known exactly: the function runs once for every order
// of rows that places_at_random() can return. A coupling exists if a flow problem has a solution
// (Strassen 1965, "The existence of probability measures with given marginals").
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/transformations/rows/gather.h"
#include "support/neighbours.h"

namespace dp::test {

// Datasets with their probabilities, in units of 1 / kWhole.
template <class T>
using Law = std::vector<std::pair<Dataset<T>, int>>;

inline constexpr int kWhole = 120;  // a multiple of 1!, ..., 5!, the numbers of orders

// Law of t(data), if t asks for at most one order, of at most five rows.
template <class T>
Law<T> law_of(const Transformation& t, const Dataset<T>& data) {
  Law<T> law;
  std::vector<std::size_t> order;
  bool more = true;
  int runs = 0;
  while (more) {
    const ScopedShuffle hook([&](std::vector<std::size_t>& places) {
      if (order.empty()) order = places;
      places = order;
    });
    const Dataset<T> out =
        to_dataset<T>(t.invoke(to_value(row_domain(t.input_domain()).atom.type, data)));
    const auto same = [&](const auto& entry) { return hamming(entry.first, out) == 0; };
    const auto found = std::find_if(law.begin(), law.end(), same);
    if (found == law.end()) {
      law.emplace_back(out, 1);
    } else {
      ++found->second;
    }
    ++runs;
    more = std::next_permutation(order.begin(), order.end());
  }
  for (auto& entry : law) entry.second *= kWhole / runs;
  return law;
}

// Whether a coupling of `a` and `b` stays within `d`: a maximum flow by augmenting paths.
template <class T>
bool coupled(const Law<T>& a, const Law<T>& b, MetricKind kind, std::uint64_t d) {
  std::vector<std::vector<bool>> near(a.size(), std::vector<bool>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      near[i][j] = dataset_distance(kind, a[i].first, b[j].first) <= d;
    }
  }
  std::vector<std::vector<int>> flow(a.size(), std::vector<int>(b.size(), 0));
  std::vector<int> room(b.size());
  for (std::size_t j = 0; j < b.size(); ++j) room[j] = b[j].second;
  std::vector<bool> seen;
  // Sends up to `units` units from a[i], rerouting earlier flow if necessary. Returns the units
  // sent.
  const std::function<int(std::size_t, int)> send = [&](std::size_t i, int units) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (!near[i][j] || seen[j]) continue;
      seen[j] = true;
      int sent = std::min(units, room[j]);
      room[j] -= sent;
      for (std::size_t other = 0; sent == 0 && other < a.size(); ++other) {
        if (flow[other][j] == 0) continue;
        sent = send(other, std::min(units, flow[other][j]));
        flow[other][j] -= sent;
      }
      if (sent > 0) {
        flow[i][j] += sent;
        return sent;
      }
    }
    return 0;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int left = a[i].second; left > 0;) {
      seen.assign(b.size(), false);
      const int sent = send(i, left);
      if (sent == 0) return false;
      left -= sent;
    }
  }
  return true;
}

struct CouplingReport {
  std::size_t pairs = 0;
  std::size_t tight = 0;  // pairs whose claim could not be lowered by one
  std::vector<std::string> violations;
  bool passed() const { return pairs > 0 && violations.empty(); }
  bool is_refuted() const { return !violations.empty(); }
  std::string text() const {
    return std::to_string(pairs) + " pairs, " + std::to_string(tight) + " tight, " +
           std::to_string(violations.size()) + " violations" +
           (violations.empty() ? "" : ", the first at " + violations.front());
  }
};

// Checks pairs at d_in <= `max_d_in` of datasets over `values`, with at most `max_rows` rows or the
// known size. Stops at the first pair that is not covered.
template <class T>
CouplingReport check_coupling(const Transformation& t,
                              const std::vector<Row<T>>& values,
                              std::size_t max_rows,
                              std::uint32_t max_d_in = 3) {
  const auto all = all_datasets<T>(values, max_rows, row_domain(t.input_domain()).size);
  std::vector<Law<T>> laws;
  for (const auto& data : all) laws.push_back(law_of(t, data));
  CouplingReport report;
  const MetricKind out = t.output_metric().kind;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i && report.violations.size() < 5; ++j) {
      const std::uint64_t d_in = dataset_distance(t.input_metric().kind, all[i], all[j]);
      if (d_in > max_d_in) continue;
      const auto claim =
          number_in<std::uint32_t>(t.map(Distance(Scalar(static_cast<std::uint32_t>(d_in)))));
      ++report.pairs;
      if (!coupled(laws[i], laws[j], out, claim)) {
        report.violations.push_back(print(all[i]) + " and " + print(all[j]));
      } else if (claim > 0 && !coupled(laws[i], laws[j], out, claim - 1)) {
        ++report.tight;
      }
    }
  }
  return report;
}

}  // namespace dp::test
