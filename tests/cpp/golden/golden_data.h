// Test support: datasets for golden hashes, equal on every platform.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "support/golden.h"

namespace dp::test {

// Some values are missing, some infinite.
inline std::vector<double> golden_doubles(std::size_t size) {
  GoldenInput input(41);
  std::vector<double> rows(size);
  for (double& row : rows) {
    const std::uint64_t kind = input.below(100);
    row = (input.unit() - 0.3) * 2000;
    if (kind == 0) row = std::numeric_limits<double>::infinity();
    if (kind == 1 || kind == 2) row = std::numeric_limits<double>::quiet_NaN();
  }
  return rows;
}

// All values are within [-500, 1000].
inline std::vector<double> golden_clamped_doubles(std::size_t size) {
  std::vector<double> rows = golden_doubles(size);
  for (double& row : rows) row = row >= -500 ? (row <= 1000 ? row : 1000) : -500;
  return rows;
}

inline std::vector<std::int32_t> golden_integers(std::size_t size) {
  GoldenInput input(42);
  std::vector<std::int32_t> rows(size);
  for (auto& row : rows) row = static_cast<std::int32_t>(input.below(3000)) - 1000;
  return rows;
}

// Numbers and other strings.
inline std::vector<std::string> golden_texts(std::size_t size) {
  GoldenInput input(43);
  std::vector<std::string> rows(size);
  for (auto& row : rows) {
    const std::uint64_t kind = input.below(20);
    row = std::to_string(input.below(700));
    if (kind == 0) row = "?" + row;
    if (kind == 1) row += ".5e-1";
  }
  return rows;
}

inline Bounds golden_bounds(double lower, double upper) { return {Scalar(lower), Scalar(upper)}; }

inline std::vector<Distance> rows_apart() {
  std::vector<Distance> all;
  for (const std::uint32_t d_in : {0, 1, 2, 3, 100, 1000000}) all.emplace_back(Scalar(d_in));
  return all;
}

}  // namespace dp::test
