#include "core/transformations/rows/impute_uniform.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/numeric/lattice.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/random/uniform.h"
#include "core/transformations/rows/missing.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {
namespace {

[[noreturn]] void refuse_range(const std::string& sentence) {
  throw Error(ErrorKind::make_transformation, sentence);
}

// The binary exponent of the step between points of type T.
template <class T>
int step_exponent(double lower, double upper) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int kLostBits =
        std::numeric_limits<double>::digits - std::numeric_limits<T>::digits - 1;
    constexpr int kLeast = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    return std::max(lattice_for(lower, upper).exponent + std::max(kLostBits, 0), kLeast);
  } else {
    return 0;
  }
}

template <class T>
Rational exact(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return exact_rational(x);
  } else {
    return Integer(x);
  }
}

// `count` points of type T, from `first` on in units of 2^exponent.
template <class T>
class Points {
 public:
  Points(double lower, double upper) : exponent_(step_exponent<T>(lower, upper)) {
    const Rational step = power_of_two(exponent_);
    const Integer first = ceil(exact_rational(lower) / step);
    const Integer last = floor(exact_rational(upper) / step);
    if (first > last) refuse_range("there must be a point to draw between lower and upper.");
    if (first * step < exact(kMin<T>) || last * step > exact(kMax<T>)) {
      refuse_range("lower and upper must lie within the range of the rows' type.");
    }
    first_ = to_int128(first);
    // Below 2^64: the largest double within a 64-bit type is short of its end.
    count_ = static_cast<std::uint64_t>(Integer(last - first + 1));
  }

  T draw(BitSource& bits) const {
    const int128_t point = first_ + static_cast<int128_t>(uniform_below(count_, bits));
    if constexpr (std::is_floating_point_v<T>) {
      return std::ldexp(static_cast<T>(static_cast<std::int64_t>(point)), exponent_);
    } else {
      return static_cast<T>(point);
    }
  }

 private:
  int exponent_;
  int128_t first_;
  std::uint64_t count_;
};

template <class T>
class ImputeUniform final : public RowOperator {
 public:
  ImputeUniform(AtomType type, Points<T> points) : type_(type), points_(points) {}

  AtomType output_type() const override { return type_; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    BitSource& bits = secure_bits();
    const T* from = in.as<T>();
    T* to = buffer.cells<T>(in.size);
    std::size_t i = 0;
    if (in.valid == nullptr) {
      // Most rows are there, and that is soon seen of many at once.
      for (; i + kGroup <= in.size; i += kGroup) {
        if (copy_group(from + i, to + i)) fill(in, i, i + kGroup, to, bits);
      }
    }
    fill(in, i, in.size, to, bits);
    return {to, nullptr, in.size};
  }

 private:
  static constexpr std::size_t kGroup = 32;

  // Copies one group of rows. Returns whether a float among them is NaN.
  static bool copy_group(const T* from, T* to) {
    std::memcpy(to, from, kGroup * sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      typedef T Lanes __attribute__((vector_size(16)));
      Lanes lanes[kGroup * sizeof(T) / sizeof(Lanes)];
      std::memcpy(lanes, from, sizeof(lanes));
      auto nan = lanes[0] != lanes[0];
      for (const Lanes& lane : lanes) nan |= lane != lane;
      for (std::size_t j = 1; j < sizeof(Lanes) / sizeof(T); ++j) nan[0] |= nan[j];
      return nan[0] != 0;
    }
    return false;
  }

  void fill(const Batch& in, std::size_t begin, std::size_t end, T* to, BitSource& bits) const {
    for (std::size_t i = begin; i < end; ++i) {
      to[i] = is_missing<T>(in, i) ? points_.draw(bits) : in.as<T>()[i];
    }
  }

  AtomType type_;
  Points<T> points_;
};

}  // namespace

Transformation make_impute_uniform(const Domain& input_domain,
                                   const Metric& input_metric,
                                   double lower,
                                   double upper) {
  const AtomType type = missing_atom(input_domain).type;
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower > upper) {
    refuse_range("lower and upper must be finite, and lower must not exceed upper.");
  }
  Function function = visit_prim(type, [&](auto tag) -> Function {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, std::string>) {
      detail::refuse_type(type, "numbers and bool");
    } else {
      return row_function<ImputeUniform<T>>(type, Points<T>(lower, upper));
    }
  });
  return make_row_wise(input_domain, input_metric, non_nan_atom(type), std::move(function));
}

}  // namespace dp
