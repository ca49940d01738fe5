#include "support/results.h"

#include <cmath>
#include <type_traits>

namespace dp::test::detail {

bool finite(const Scalar& scalar) {
  return std::visit(
      [](const auto& x) {
        if constexpr (std::is_floating_point_v<std::decay_t<decltype(x)>>) {
          return std::isfinite(x);
        } else {
          return true;
        }
      },
      scalar);
}

Integer exact(const Scalar& scalar) {
  return std::visit(
      [](const auto& x) -> Integer {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, std::string>) {
          throw Error(ErrorKind::type, "text has no distance.");
        } else if constexpr (std::is_floating_point_v<X>) {
          int exponent = 0;
          const double significand = std::frexp(static_cast<double>(x), &exponent);
          const Integer units(static_cast<std::int64_t>(std::ldexp(significand, 53)));
          const int shift = exponent - 53 + 1074;  // negative: subnormal, with zeros to shift out
          return shift >= 0 ? Integer(units << shift) : Integer(units / (Integer(1) << -shift));
        } else if constexpr (std::is_same_v<X, int128_t>) {
          return Integer(x) << 1074;
        } else {
          return Integer(std::conditional_t<std::is_signed_v<X>, std::int64_t, std::uint64_t>(x))
                 << 1074;
        }
      },
      scalar);
}

Measured scalar_distance(const Scalar& a, const Scalar& b) {
  if (a == b) return {};
  if (!finite(a) || !finite(b)) return {0, false, true};
  return {abs(Integer(exact(a) - exact(b)))};
}

namespace {

template <class T>
Measured vector_distance(MetricKind kind, const Dataset<T>& a, const Dataset<T>& b) {
  if (a.size() != b.size()) return {0, false, true};
  Measured total{0, kind == MetricKind::l2, false};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Measured part = scalar_distance(Scalar(*a[i]), Scalar(*b[i]));
    if (part.infinite) return part;
    if (kind == MetricKind::l1) total.value += part.value;
    if (kind == MetricKind::l2) total.value += part.value * part.value;
    if (kind == MetricKind::linf && total.value < part.value) total.value = part.value;
  }
  return total;
}

}  // namespace

Measured output_distance(const Transformation& t, const Value& a, const Value& b) {
  const Metric& metric = t.output_metric();
  if (metric.kind == MetricKind::absolute) {
    return scalar_distance(*a.as<Scalar>(), *b.as<Scalar>());
  }
  return visit_atom(rows_in(a)->type(), [&](auto tag) -> Measured {
    using O = typename decltype(tag)::type;
    const Dataset<O> x = to_dataset<O>(a);
    const Dataset<O> y = to_dataset<O>(b);
    if (!is_dataset_metric(metric)) return vector_distance(metric.kind, x, y);
    const std::uint64_t rows = dataset_distance(metric.kind, x, y);
    return {Integer(rows) << 1074, false, rows == kApart};
  });
}

bool in_output_domain(const Transformation& t, const Value& value) {
  if (const auto* atom = t.output_domain().as<AtomDomain>()) {
    return visit_atom(atom->type, [&](auto tag) {
      using O = typename decltype(tag)::type;
      return is_member(*atom, element_in<O>(value));
    });
  }
  const RowDomain rows = row_domain(t.output_domain());
  return visit_atom(rows.atom.type, [&](auto tag) {
    using O = typename decltype(tag)::type;
    return is_member(rows, to_dataset<O>(value));
  });
}

}  // namespace dp::test::detail
