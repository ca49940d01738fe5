// Reducers of integer sums. Every partial result is exact in 128 bits, so a sum does not depend on
// the limits of ranges and batches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/stage.h"
#include "core/numeric/limits.h"
#include "core/transformations/rows/clamp_rows.h"
#include "core/transformations/sums/int_kernels.h"

namespace dp {

// Holds the sum of fewer than 2^31 rows.
template <class T>
using WideInt = std::conditional_t<sizeof(T) < 8, std::int64_t, int128_t>;

template <class T>
T saturate(int128_t x) {
  return static_cast<T>(
      std::clamp(x, static_cast<int128_t>(kMin<T>), static_cast<int128_t>(kMax<T>)));
}

// Partial over a monoid: `Known()` is empty, `Known(rows, n)` summarises a run, `a.then(b)` joins
// neighbours, `value()` is the answer.
template <class Known>
class KnownPart final : public Partial {
 public:
  void update(const Batch& batch) override {
    known_ = known_.then(Known(batch.as<typename Known::Row>(), batch.size));
  }
  void merge(Partial&& later) override {
    known_ = known_.then(static_cast<KnownPart&&>(later).known_);
  }
  const Known& known() const { return known_; }

 private:
  Known known_;
};

template <class Known>
class KnownReducer : public Reducer {
 public:
  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<KnownPart<Known>>();
  }
  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    const auto all = merged(std::move(parts));
    return Scalar(static_cast<const KnownPart<Known>&>(*all).known().value());
  }
};

// The sum.
template <class T>
class ExactInt {
 public:
  using Row = T;
  ExactInt() = default;
  ExactInt(const T* rows, std::size_t size) {
    WideInt<T> sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += rows[i];
    sum_ = sum;
  }
  ExactInt then(const ExactInt& later) const { return ExactInt(sum_ + later.sum_); }
  T value() const { return saturate<T>(sum_); }

 private:
  explicit ExactInt(int128_t sum) : sum_(sum) {}
  int128_t sum_ = 0;
};

// Sums the positive and the negative rows separately, saturating each, and then adds the two.
template <class T>
class SplitInt {
 public:
  using Row = T;
  SplitInt() = default;
  SplitInt(const T* rows, std::size_t size) {
    WideInt<T> positive = 0;
    WideInt<T> negative = 0;
    for (std::size_t i = 0; i < size; ++i) {
      positive += std::max<T>(rows[i], 0);
      negative += std::min<T>(rows[i], 0);
    }
    positive_ = positive;
    negative_ = negative;
  }
  SplitInt then(const SplitInt& later) const {
    return SplitInt(positive_ + later.positive_, negative_ + later.negative_);
  }
  T value() const {
    return saturate<T>(static_cast<int128_t>(saturate<T>(positive_)) + saturate<T>(negative_));
  }

 private:
  SplitInt(int128_t positive, int128_t negative) : positive_(positive), negative_(negative) {}
  int128_t positive_ = 0;
  int128_t negative_ = 0;
};

// Addition from left to right that saturates at every step, of signed integers.
//
// Started at x, a run of rows leads to min(max(x + sum, lowest), highest), where lowest and highest
// are where the lowest and the highest number lead. Such functions compose to one of their kind,
// which makes the sequential sum associative.
//
// A run whose prefix sums (0 included) spread over no more than the range of T hits at most one of
// the limits: the lowest number is pushed up by the depth of the deepest prefix, the highest down
// by the height of the highest. Longer or wilder runs are halved; one row always fits.
template <class T>
class OrderedInt {
 public:
  using Row = T;
  OrderedInt() = default;
  OrderedInt(const T* rows, std::size_t size) {
    constexpr std::size_t kRun = 1024;
    for (std::size_t i = 0; i < size; i += kRun) {
      *this = then(run(rows + i, std::min(kRun, size - i)));
    }
  }
  OrderedInt then(const OrderedInt& later) const {
    return OrderedInt(sum_ + later.sum_, later.at(lowest_), later.at(highest_));
  }
  T value() const { return static_cast<T>(at(0)); }

 private:
  OrderedInt(int128_t sum, int128_t lowest, int128_t highest)
      : sum_(sum), lowest_(lowest), highest_(highest) {}

  int128_t at(int128_t x) const { return std::clamp(x + sum_, lowest_, highest_); }

  static OrderedInt run(const T* rows, std::size_t size) {
    WideInt<T> sum = 0;
    WideInt<T> deepest = 0;
    WideInt<T> highest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += rows[i];
      deepest = std::min(deepest, sum);
      highest = std::max(highest, sum);
    }
    if (highest - deepest <= static_cast<WideInt<T>>(kMax<T>) - kMin<T>) {
      return OrderedInt(sum,
                        static_cast<int128_t>(kMin<T>) + (sum - deepest),
                        static_cast<int128_t>(kMax<T>) - (highest - sum));
    }
    return run(rows, size / 2).then(run(rows + size / 2, size - size / 2));
  }

  int128_t sum_ = 0;
  int128_t lowest_ = kMin<T>;
  int128_t highest_ = kMax<T>;
};

// Computes what ExactInt and SplitInt do of i32, in lanes, with a clamp in front on the way.
class LaneIntSum final : public Reducer {
 public:
  enum class Signs { together, apart };

  // Handles rows with and without a clamp in front.
  explicit LaneIntSum(Signs signs)
      : rule_{signs, kMin<std::int32_t>, kMax<std::int32_t>}, clamps_(false) {}
  LaneIntSum(Signs signs, const ClampRows<std::int32_t>& clamp)
      : rule_{signs, clamp.lower(), clamp.upper()}, clamps_(true) {}

  std::unique_ptr<Partial> start(std::size_t) const override {
    return std::make_unique<Part>(rule_);
  }

  Value finish(std::vector<std::unique_ptr<Partial>> parts, std::size_t) const override {
    const auto all = merged(std::move(parts));
    const auto& part = static_cast<const Part&>(*all);
    return Scalar(saturate<std::int32_t>(static_cast<int128_t>(saturate<std::int32_t>(part.above)) +
                                         saturate<std::int32_t>(part.below)));
  }

  std::shared_ptr<const Reducer> fuse(const RowOperator& before) const override {
    const auto* clamp = dynamic_cast<const ClampRows<std::int32_t>*>(&before);
    if (clamp == nullptr || clamps_) return nullptr;
    return std::make_shared<LaneIntSum>(rule_.signs, *clamp);
  }

 private:
  struct Rule {
    Signs signs;
    std::int32_t lower;
    std::int32_t upper;
  };

  // Sums of the rows, or of their positive and negative parts.
  struct Part final : Partial {
    explicit Part(const Rule& by) : rule(by) {}
    void update(const Batch& batch) override {
      constexpr std::size_t kMost = std::size_t{1} << 30;
      const auto* rows = batch.as<std::int32_t>();
      for (std::size_t done = 0; done < batch.size; done += kMost) {
        add(rows + done, std::min(kMost, batch.size - done));
      }
    }
    void merge(Partial&& later) override {
      above += static_cast<Part&&>(later).above;
      below += static_cast<Part&&>(later).below;
    }
    void add(const std::int32_t* rows, std::size_t size) {
      const IntKernels kernels = int_kernels();
      const auto sum = [&](std::int32_t lower, std::int32_t upper) {
        return kernels.clamped_sum(rows, size, lower, upper);
      };
      if (rule.signs == Signs::together || rule.lower >= 0) {
        above += sum(rule.lower, rule.upper);
      } else {
        above += rule.upper > 0 ? sum(0, rule.upper) : 0;
        below += sum(rule.lower, std::min(rule.upper, 0));
      }
    }
    Rule rule;
    int128_t above = 0;
    int128_t below = 0;
  };

  Rule rule_;
  bool clamps_;
};

template <class T>
Function exact_int_sum() {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return reduce_function<LaneIntSum>(LaneIntSum::Signs::together);
  } else {
    return reduce_function<KnownReducer<ExactInt<T>>>();
  }
}

template <class T>
Function split_int_sum() {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return reduce_function<LaneIntSum>(LaneIntSum::Signs::apart);
  } else {
    return reduce_function<KnownReducer<SplitInt<T>>>();
  }
}

// If all numbers have one sign, every order of saturation gives the exact sum, cut at one end. Only
// a clamp in front guarantees the sign.
class OrderedInt32Sum final : public KnownReducer<OrderedInt<std::int32_t>> {
 public:
  std::shared_ptr<const Reducer> fuse(const RowOperator& before) const override {
    const auto* clamp = dynamic_cast<const ClampRows<std::int32_t>*>(&before);
    if (clamp == nullptr || (clamp->lower() < 0 && clamp->upper() > 0)) return nullptr;
    return std::make_shared<LaneIntSum>(LaneIntSum::Signs::together, *clamp);
  }
};

template <class T>
Function ordered_int_sum() {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return reduce_function<OrderedInt32Sum>();
  } else if constexpr (kIsSigned<T>) {
    return reduce_function<KnownReducer<OrderedInt<T>>>();
  } else {
    return exact_int_sum<T>();  // without negative numbers the order does not matter
  }
}

}  // namespace dp
