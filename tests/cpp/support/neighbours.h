// Neighbour fuzzing (threats.md D-SEN-1, D-DOM-1): tests whether a stability map covers the outputs
// of every pair of inputs.
//
// Usage, where T is the carrier of the input rows:
//
//   StabilityCheck<double> check(transformation);
//   fuzz(check, seed, pairs);            // random neighbours of special and ordinary values
//   exhaust(check, {1, 2, 3}, 4);        // all pairs of datasets of up to 4 rows, d_in <= 3
//   EXPECT_TRUE(check.passed()) << check.report();
//
// To show that the check can fail, it must refute with_map(transformation, wrong_map). Distances
// are exact: edit distance for ordered metrics, integers for numbers. The function must be
// deterministic; for random functions see coupling.h.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/transformations/transformation.h"
#include "support/datasets.h"
#include "support/results.h"

namespace dp::test {

// Reproducible test data, which privacy does not depend on. Source: Steele, Lea and Flood (2014),
// SplitMix64.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // Below n; the bias of the remainder does not matter here.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(word() % n); }
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  template <class V>
  const V& pick(const std::vector<V>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

// The same object with a different map or function, to plant a bug.
inline Transformation with_map(const Transformation& t, StabilityMap map) {
  return Transformation(t.input_domain(),
                        t.input_metric(),
                        t.output_domain(),
                        t.output_metric(),
                        t.function(),
                        std::move(map));
}
inline Transformation with_function(const Transformation& t, Function function) {
  return Transformation(t.input_domain(),
                        t.input_metric(),
                        t.output_domain(),
                        t.output_metric(),
                        std::move(function),
                        t.stability_map());
}

// Collects failures of one transformation's map.
template <class T>
class StabilityCheck {
 public:
  explicit StabilityCheck(Transformation transformation)
      : transformation_(std::move(transformation)),
        rows_(row_domain(transformation_.input_domain())) {}

  const Transformation& transformation() const { return transformation_; }
  const RowDomain& rows() const { return rows_; }

  // A member of the input domain, and the function's result for it.
  struct Run {
    Dataset<T> data;
    Value result;
    bool in_domain;
  };
  Run run(Dataset<T> data) const {
    Value result = transformation_.invoke(to_value(rows_.atom.type, data));
    const bool in_domain = detail::in_output_domain(transformation_, result);
    return {std::move(data), std::move(result), in_domain};
  }

  // Checks a pair at this distance. Skips it if the map raises an error.
  void pair(const Run& x, const Run& y, std::uint32_t d_in) {
    const std::optional<Distance> d_out = claim(d_in);
    if (!d_out) return;
    ++pairs_;
    if (!x.in_domain) note("left the output domain", x.data, y.data, d_in);
    const detail::Measured gap = detail::output_distance(transformation_, x.result, y.result);
    if (!covers(*d_out, gap)) note("moved further than " + debug(*d_out), x.data, y.data, d_in);
  }
  // Skips pairs at infinite distance.
  void pair(const Dataset<T>& x, const Dataset<T>& y) {
    const std::uint64_t d_in = dataset_distance(transformation_.input_metric().kind, x, y);
    if (d_in > std::numeric_limits<std::uint32_t>::max()) return;
    if (claim(static_cast<std::uint32_t>(d_in))) {
      pair(run(x), run(y), static_cast<std::uint32_t>(d_in));
    }
  }

  std::size_t pairs() const { return pairs_; }
  bool passed() const { return pairs_ > 0 && violations_.empty(); }
  // Differs from !passed(): without pairs there is no result.
  bool is_refuted() const { return !violations_.empty(); }
  // Whether the report is full, so further pairs cannot change it. Mutants soon reach this.
  bool is_over() const { return violations_.size() >= kReported; }

  // Largest measured distance over its claim: 1 for a map that cannot be lowered, 0 if no output
  // ever moved.
  double tightness() const { return tightness_; }

  std::string report() const {
    std::string out = std::to_string(pairs_) + " pairs, tightness " + std::to_string(tightness_);
    for (std::size_t i = 0; i < std::min(violations_.size(), kReported); ++i) {
      out += "\n" + violations_[i];
    }
    return out;
  }

 private:
  static constexpr std::size_t kReported = 5;

  std::optional<Distance> claim(std::uint32_t d_in) const {
    try {
      return transformation_.map(Distance(Scalar(d_in)));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::overflow || error.kind() == ErrorKind::failed_cast) return {};
      throw;
    }
  }

  bool covers(const Distance& claimed, const detail::Measured& gap) {
    const Scalar& number = *claimed.as<Scalar>();
    if (!detail::finite(number)) return true;
    if (gap.infinite) return false;
    const Integer bound = detail::exact(number);
    const Integer limit = gap.squared ? Integer(bound * bound) : bound;
    if (limit > 0) {
      const double ratio = static_cast<double>(Integer((gap.value << 30) / limit)) * 0x1p-30;
      tightness_ = std::max(tightness_, gap.squared ? std::sqrt(ratio) : ratio);
    }
    return bound >= 0 && gap.value <= limit;
  }

  void note(const std::string& what, const Dataset<T>& x, const Dataset<T>& y, std::uint64_t d_in) {
    violations_.push_back(what + " at d_in " + std::to_string(d_in) + ": " + print(x) + " and " +
                          print(y));
  }

  Transformation transformation_;
  RowDomain rows_;
  std::size_t pairs_ = 0;
  double tightness_ = 0;
  std::vector<std::string> violations_;
};

// Makes neighbours from a pool of rows. Keeps a known size.
template <class T>
class NeighbourSource {
 public:
  NeighbourSource(const RowDomain& domain, std::vector<Row<T>> pool, std::uint64_t seed)
      : size_(domain.size), pool_(std::move(pool)), random_(seed) {}

  // A dataset and a neighbour that is a few edits away.
  std::pair<Dataset<T>, Dataset<T>> next() {
    const Dataset<T> x = dataset();
    Dataset<T> y = x;
    const std::size_t edits = random_.below(4);
    for (std::size_t i = 0; i < edits; ++i) edit(y);
    if (size_) {
      while (y.size() < *size_) insert(y);
      while (y.size() > *size_) remove(y);
    }
    return random_.below(2) == 0 ? std::make_pair(x, y) : std::make_pair(y, x);
  }

 private:
  // Random, constant, sorted, reversed, or one odd row out.
  Dataset<T> dataset() {
    static const std::vector<std::size_t> kSizes = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};
    Dataset<T> x(size_ ? static_cast<std::size_t>(*size_) : random_.pick(kSizes));
    const Row<T> common = random_.pick(pool_);
    const std::size_t shape = random_.below(5);
    for (auto& row : x) row = shape == 0 || shape == 4 ? common : random_.pick(pool_);
    if (shape == 1 || shape == 2) std::sort(x.begin(), x.end(), row_less<T>);
    if (shape == 2) std::reverse(x.begin(), x.end());
    if (shape == 4 && !x.empty()) x[random_.below(x.size())] = random_.pick(pool_);
    return x;
  }

  void edit(Dataset<T>& y) {
    switch (random_.below(6)) {
      case 0:
        return insert(y);
      case 1:
        return remove(y);
      case 2:
        if (!y.empty()) y[random_.below(y.size())] = random_.pick(pool_);
        return;
      case 3:
        if (!y.empty()) std::swap(y[random_.below(y.size())], y[random_.below(y.size())]);
        return;
      case 4:
        return permute(y);
      default:
        return replace_group(y);
    }
  }

  void insert(Dataset<T>& y) {
    y.insert(y.begin() + static_cast<std::ptrdiff_t>(random_.below(y.size() + 1)),
             random_.pick(pool_));
  }
  void remove(Dataset<T>& y) {
    if (!y.empty()) y.erase(y.begin() + static_cast<std::ptrdiff_t>(random_.below(y.size())));
  }
  void permute(Dataset<T>& y) {
    for (std::size_t i = y.size(); i > 1; --i) std::swap(y[i - 1], y[random_.below(i)]);
  }
  // Replaces all rows of one value by another value.
  void replace_group(Dataset<T>& y) {
    if (y.empty()) return;
    const Row<T> from = random_.pick(y);
    const Row<T> to = random_.pick(pool_);
    for (auto& row : y) row = same_row(row, from) ? to : row;
  }

  std::optional<std::uint64_t> size_;
  std::vector<Row<T>> pool_;
  TestRandom random_;
};

// Checks `count` pairs made of special rows and of `pool`, whose values must be members of the
// element domain.
template <class T>
void fuzz(StabilityCheck<T>& check,
          std::uint64_t seed,
          std::size_t count,
          std::vector<Row<T>> pool = {}) {
  const RowDomain& rows = check.rows();
  const std::vector<Row<T>> special = special_rows<T>(rows.atom, rows.option);
  pool.insert(pool.end(), special.begin(), special.end());
  NeighbourSource<T> source(rows, std::move(pool), seed);
  for (std::size_t i = 0; i < count && !check.is_over(); ++i) {
    const auto [x, y] = source.next();
    check.pair(x, y);
  }
}

// Every dataset over `values` with at most `max_rows` rows, or of the known size.
template <class T>
std::vector<Dataset<T>> all_datasets(const std::vector<Row<T>>& values,
                                     std::size_t max_rows,
                                     std::optional<std::uint64_t> size = std::nullopt) {
  std::vector<Dataset<T>> all;
  std::vector<Dataset<T>> layer = {{}};
  for (std::size_t n = 0; n <= max_rows; ++n) {
    if (!size || *size == n) all.insert(all.end(), layer.begin(), layer.end());
    std::vector<Dataset<T>> longer;
    for (const auto& data : layer) {
      for (const auto& value : values) {
        longer.push_back(data);
        longer.back().push_back(value);
      }
    }
    layer = std::move(longer);
  }
  return all;
}

// Checks every pair of such datasets at d_in <= `max_d_in`. The function runs once per dataset.
template <class T>
void exhaust(StabilityCheck<T>& check,
             const std::vector<Row<T>>& values,
             std::size_t max_rows,
             std::uint64_t max_d_in = 3) {
  const MetricKind kind = check.transformation().input_metric().kind;
  std::vector<typename StabilityCheck<T>::Run> runs;
  for (auto& data : all_datasets<T>(values, max_rows, check.rows().size)) {
    runs.push_back(check.run(std::move(data)));
  }
  for (const auto& x : runs) {
    for (const auto& y : runs) {
      if (check.is_over()) return;
      const std::uint64_t d_in = dataset_distance(kind, x.data, y.data);
      if (d_in <= max_d_in) check.pair(x, y, static_cast<std::uint32_t>(d_in));
    }
  }
}

// All row tests use these templates, which compile slowly, so neighbours.cpp instantiates them
// once. Other types are instantiated where they are used.
#define DP_TEST_ROWS(EXTERN, T)                                                                   \
  EXTERN template class StabilityCheck<T>;                                                        \
  EXTERN template void fuzz(StabilityCheck<T>&, std::uint64_t, std::size_t, std::vector<Row<T>>); \
  EXTERN template void exhaust(                                                                   \
      StabilityCheck<T>&, const std::vector<Row<T>>&, std::size_t, std::uint64_t);                \
  EXTERN template Value to_value(AtomType, const Dataset<T>&);                                    \
  EXTERN template Dataset<T> to_dataset(const Value&);
#define DP_TEST_ALL_ROWS(EXTERN)      \
  DP_TEST_ROWS(EXTERN, double)        \
  DP_TEST_ROWS(EXTERN, float)         \
  DP_TEST_ROWS(EXTERN, std::int8_t)   \
  DP_TEST_ROWS(EXTERN, std::int16_t)  \
  DP_TEST_ROWS(EXTERN, std::int32_t)  \
  DP_TEST_ROWS(EXTERN, std::int64_t)  \
  DP_TEST_ROWS(EXTERN, std::uint8_t)  \
  DP_TEST_ROWS(EXTERN, std::uint16_t) \
  DP_TEST_ROWS(EXTERN, std::uint32_t) \
  DP_TEST_ROWS(EXTERN, std::uint64_t) \
  DP_TEST_ROWS(EXTERN, std::string)
DP_TEST_ALL_ROWS(extern)

}  // namespace dp::test
