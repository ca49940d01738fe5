#include "core/measurements/geometric.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/measurements/checked_column.h"
#include "core/measurements/laplace.h"
#include "core/measurements/refuse.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/truncated_geometric.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

// Probability to stop at each step, at most 1 - exp(-1 / scale).
double stop_probability(double scale) {
  const double stay = exp_up(to_double_up(-1 / exact_rational(scale)));
  const double stop = sub_down(1.0, stay);
  if (!(stop > 0)) {
    refuse_measurement(
        "p (" + debug(Scalar(stop)) +
        ") must be in (0, 1]. This is likely because the noise scale is so large that "
        "conservative arithmetic causes the probability of termination to go negative");
  }
  return stop;
}

template <class T>
class BoundedNoise {
 public:
  BoundedNoise(T lower, T upper, uint128_t span, double stop)
      : lower_(lower), upper_(upper), magnitude_(stop, span) {}

  T moved(T x, BitSource& bits) const {
    const auto from = static_cast<int128_t>(std::clamp(x, lower_, upper_));
    for (;;) {
      const bool negative = bits.bit();
      const auto magnitude = static_cast<int128_t>(magnitude_.draw(bits));
      if (negative && magnitude == 0) continue;  // a second zero would double its mass
      const int128_t to = negative ? from - magnitude : from + magnitude;
      return static_cast<T>(
          std::clamp(to, static_cast<int128_t>(lower_), static_cast<int128_t>(upper_)));
    }
  }

 private:
  T lower_;
  T upper_;
  TruncatedGeometric magnitude_;
};

template <class T>
Value moved_rows(const Column& rows,
                 std::optional<std::uint64_t> size,
                 const BoundedNoise<T>& noise) {
  check_member_column<T>(rows, size);
  auto out = std::make_shared<OwnedColumn<T>>(rows.type(), rows.size());
  each_cell<T>(rows, [&](T x, std::size_t i) {
    check_interrupt();
    out->cells()[i] = noise.moved(x, secure_bits());
  });
  return ColumnPtr(std::move(out));
}

template <class T>
Function bounded_noise(const Domain& domain, double scale, const Bounds& bounds) {
  const T lower = scalar_as<T>(bounds.lower, "bounds");
  const T upper = scalar_as<T>(bounds.upper, "bounds");
  if (lower > upper) refuse_measurement("lower may not be greater than upper");
  if (scale == 0) return Function();
  // The difference of any two integers of a type is exact modulo 2^128.
  const uint128_t span = static_cast<uint128_t>(upper) - static_cast<uint128_t>(lower);
  const BoundedNoise<T> noise(lower, upper, span, stop_probability(scale));
  if (domain.as<AtomDomain>()) {
    return whole_function([noise](const Value& arg) -> Value {
      return Scalar(noise.moved(element_in<T>(arg), secure_bits()));
    });
  }
  return whole_function([noise, size = row_domain(domain).size](const Value& arg) {
    return moved_rows(*rows_in(arg), size, noise);
  });
}

}  // namespace

Measurement make_geometric(const Domain& input_domain,
                           const Metric& input_metric,
                           double scale,
                           const std::optional<Bounds>& bounds) {
  const auto* atom = input_domain.as<AtomDomain>();
  const AtomType type = atom ? atom->type : row_domain(input_domain).atom.type;
  const Measurement laplace = make_laplace(input_domain, input_metric, scale);
  visit_integer(input_metric.distance_type, [](auto) {});
  return visit_integer(type, [&](auto tag) {
    if (!bounds) return laplace;
    using T = typename decltype(tag)::type;
    return Measurement(input_domain,
                       input_metric,
                       laplace.output_measure(),
                       bounded_noise<T>(input_domain, scale, *bounds),
                       laplace.privacy_map(),
                       laplace.loss_map());
  });
}

}  // namespace dp
