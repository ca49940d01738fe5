#include "core/sample_aggregate/whole_statistic.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/transformations/rows/clamp_rows.h"
#include "core/transformations/sums/lattice_kernels.h"

namespace dp {
namespace {

// Number of rows that one call of moments() takes: their squares fit 128 bits.
constexpr std::size_t kFoldRows = std::size_t{1} << 16;

// Converts rows of type T to integers.
template <class T>
struct Bounded;

template <>
struct Bounded<double> {
  explicit Bounded(const AtomDomain& atom)
      : rule{std::get<double>(atom.bounds->lower),
             std::get<double>(atom.bounds->upper),
             range_of_rows(atom).lattice.reciprocal()} {}

  LatticeMoments moments(const double* rows, std::size_t size) const {
    return lattice_kernels().moments(rows, size, rule);
  }
  bool clamps_like(const ClampRows<double>& clamp) const {
    return clamp.lower() == rule.lower && clamp.upper() == rule.upper;
  }

  LatticeRule rule;
};

template <>
struct Bounded<std::int64_t> {
  explicit Bounded(const AtomDomain& atom) : range(range_of_rows(atom)) {}

  // Squares are at most 2^106.
  LatticeMoments moments(const std::int64_t* rows, std::size_t size) const {
    LatticeMoments all{0, 0};
    for (std::size_t i = 0; i < size; ++i) {
      const int128_t q = std::min(std::max(rows[i], range.lower), range.upper);
      all.sum += q;
      all.squares += static_cast<uint128_t>(q * q);
    }
    return all;
  }
  bool clamps_like(const ClampRows<std::int64_t>& clamp) const {
    return clamp.lower() == range.lower && clamp.upper() == range.upper;
  }

  LatticeRange range;
};

template <class T>
class WholePart final : public Partial {
 public:
  explicit WholePart(const Bounded<T>& bounded) : bounded_(bounded) {}

  void update(const Batch& batch) override {
    for (std::size_t begin = 0; begin < batch.size; begin += kFoldRows) {
      const std::size_t size = std::min(kFoldRows, batch.size - begin);
      const LatticeMoments part = bounded_.moments(batch.as<T>() + begin, size);
      moments_.count += size;
      moments_.sum += part.sum;
      moments_.squares += Integer(part.squares);
    }
  }
  void merge(Partial&& later) override {
    const auto& part = static_cast<const WholePart&>(later);
    moments_.count += part.moments_.count;
    moments_.sum += part.moments_.sum;
    moments_.squares += part.moments_.squares;
  }
  const BlockMoments& moments() const { return moments_; }

 private:
  Bounded<T> bounded_;
  BlockMoments moments_{0, 0, 0};
};

template <class T>
class WholeStatistic final : public Reducer {
 public:
  WholeStatistic(Bounded<T> bounded, const BlockStatistic& statistic, std::size_t size)
      : bounded_(std::move(bounded)), statistic_(statistic), size_(size) {}

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<WholePart<T>>(bounded_);
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t size) const override {
    if (size != size_) {
      refuse_nonmember();
    }
    const auto all = merged(std::move(parts));
    const BlockMoments& moments = static_cast<const WholePart<T>&>(*all).moments();
    return make_column<std::int64_t>(AtomType::i64, {statistic_(moments)});
  }

  // Rows are clamped here anyway.
  std::shared_ptr<const Reducer> fuse(const RowOperator& before) const override {
    const auto* clamp = dynamic_cast<const ClampRows<T>*>(&before);
    if (clamp == nullptr || !bounded_.clamps_like(*clamp)) return nullptr;
    return std::make_shared<WholeStatistic>(*this);
  }

 private:
  Bounded<T> bounded_;
  BlockStatistic statistic_;
  std::size_t size_;
};

}  // namespace

Function whole_statistic(const AtomDomain& atom,
                         const BlockStatistic& statistic,
                         std::size_t size) {
  if (atom.type == AtomType::i64) {
    return reduce_function<WholeStatistic<std::int64_t>>(
        Bounded<std::int64_t>(atom), statistic, size);
  }
  return reduce_function<WholeStatistic<double>>(Bounded<double>(atom), statistic, size);
}

}  // namespace dp
