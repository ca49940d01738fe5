#include "core/transformations/rows/impute_uniform_float.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric/rational.h"
#include "core/random/uniform.h"
#include "core/transformations/rows/row_types.h"
#include "core/transformations/rows/row_wise.h"

namespace dp {
namespace {

// The grid points in [lower, upper), both finite and lower < upper.
template <class T>
class GridPoints {
 public:
  GridPoints(T lower, T upper) : exponent_(step_exponent(std::max(-lower, upper))) {
    const Rational step = power_of_two(exponent_);
    const Integer first = ceil(exact_rational(lower) / step);
    const Integer end = ceil(exact_rational(upper) / step);
    first_ = static_cast<std::int64_t>(first);                  // at most 2^53 in magnitude
    count_ = static_cast<std::uint64_t>(Integer(end - first));  // so at most 2^54
  }

  T draw(BitSource& bits) const {
    const auto point = first_ + static_cast<std::int64_t>(uniform_below(count_, bits));
    return std::ldexp(static_cast<T>(point), exponent_);
  }

 private:
  static int step_exponent(T magnitude) {
    using Limits = std::numeric_limits<T>;
    int exponent;
    const T significand = std::frexp(magnitude, &exponent);  // in [1/2, 1)
    if (significand == T(0.5)) --exponent;
    return std::max(exponent, Limits::min_exponent) - Limits::digits;
  }

  int exponent_;
  std::int64_t first_;
  std::uint64_t count_;
};

template <class T>
class ImputeUniformFloat final : public RowOperator {
 public:
  ImputeUniformFloat(AtomType type, GridPoints<T> points) : type_(type), points_(points) {}

  AtomType output_type() const override { return type_; }
  Batch run(const Batch& in, BatchBuffer& buffer) const override {
    BitSource& bits = secure_bits();
    const T* from = in.as<T>();
    T* to = buffer.cells<T>(in.size);
    for (std::size_t i = 0; i < in.size; ++i) {
      to[i] = from[i] != from[i] ? points_.draw(bits) : from[i];
    }
    return {to, nullptr, in.size};
  }

 private:
  AtomType type_;
  GridPoints<T> points_;
};

}  // namespace

Transformation make_impute_uniform_float(const Domain& input_domain,
                                         const Metric& input_metric,
                                         const Bounds& bounds) {
  const AtomType type = atom_row_type(input_domain);
  Function function = visit_float(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T lower = scalar_as<T>(bounds.lower, "bounds");
    const T upper = scalar_as<T>(bounds.upper, "bounds");
    if (!(lower < upper) || !std::isfinite(upper - lower)) {
      throw Error(ErrorKind::make_transformation,
                  "bounds must be finite, and lower may not be greater than or equal to upper");
    }
    return row_function<ImputeUniformFloat<T>>(type, GridPoints<T>(lower, upper));
  });
  return make_row_wise(input_domain, input_metric, non_nan_atom(type), std::move(function));
}

}  // namespace dp
