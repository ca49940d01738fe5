#include "core/measurements/noise_mechanism.h"

#include <cmath>
#include <string>
#include <utility>

#include "core/measurements/noise_grid.h"
#include "core/measurements/noise_scale.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"

namespace dp {
namespace {

[[noreturn]] void refuse_type(const std::string& type_name, const std::string& allowed) {
  throw Error(
      ErrorKind::type,
      "No match for concrete type " + type_name + ". Additive noise needs " + allowed + ".");
}

// Properties of the input that the mechanism needs.
struct NoiseInput {
  AtomType type;
  bool vector;
  std::optional<std::uint64_t> size;  // 1 for a scalar
};

NoiseInput noise_input(const Domain& domain, const Metric& metric, MetricKind norm) {
  if (const auto* atom = domain.as<AtomDomain>()) {
    check_metric_space(domain, metric);
    if (metric.kind != MetricKind::absolute) {
      refuse_type(type_name(metric), "AbsoluteDistance on atoms");
    }
    return {atom->type, false, 1};
  }
  const RowDomain rows = row_domain(domain);
  if (rows.atom.nan) {
    throw Error(ErrorKind::make_measurement, "input_domain may not contain NaN elements");
  }
  check_metric_space(domain, metric);
  if (metric.kind != norm) {
    refuse_type(type_name(metric),
                norm == MetricKind::l1 ? "L1Distance on vectors" : "L2Distance on vectors");
  }
  return {rows.atom.type, true, rows.size};
}

// The rounding distance r of the header.
Rational rounding_distance(const NoiseGrid& grid, const NoiseInput& input, MetricKind norm) {
  if (grid.shift == 0) return 0;
  if (!input.size) {
    throw Error(ErrorKind::make_measurement,
                "domain size must be known if discretization is not exact");
  }
  if (norm == MetricKind::l1) return grid.shift * Rational(*input.size);
  return grid.shift * exact_rational(sqrt_up(cast_up<double>(*input.size)));
}

Rational checked_distance(const Distance& d_in, AtomType type) {
  return visit_number(type, [&](auto tag) -> Rational {
    using T = typename decltype(tag)::type;
    const T distance = number_in<T>(d_in);
    if constexpr (kIsFloat<T>) {
      if (!std::isfinite(distance)) {
        throw Error(ErrorKind::failed_map, "d_in (" + debug(d_in) + ") must be finite");
      }
    }
    if (distance < 0) {
      throw Error(ErrorKind::failed_map, "sensitivity (" + debug(d_in) + ") must be non-negative");
    }
    if constexpr (kIsFloat<T>) {
      return exact_rational(distance);
    } else {
      return to_integer(static_cast<int128_t>(distance));
    }
  });
}

}  // namespace

Measurement make_additive_noise(const Domain& input_domain,
                                const Metric& input_metric,
                                double scale,
                                std::optional<int> k,
                                const NoiseFamily& family) {
  const NoiseInput input = noise_input(input_domain, input_metric, family.norm);
  const NoiseGrid grid = visit_number(input.type, [&](auto) { return noise_grid(input.type, k); });
  const Rational grid_scale = checked_scale(scale) / grid.step;
  const Rational rounding = rounding_distance(grid, input, family.norm);

  auto noise = family.noise(grid_scale);
  Function function = input.vector
                          ? vector_noise(input.type, grid.exponent, input.size, std::move(noise))
                          : scalar_noise(input.type, grid.exponent, std::move(noise));
  const auto shift =
      [=, type = input_metric.distance_type, step = grid.step](const Distance& d_in) -> Rational {
    return (checked_distance(d_in, type) + rounding) / step;
  };
  LossMap loss_map;
  if (const ShiftLoss shift_loss = family.shift_loss(grid_scale, input.size)) {
    loss_map = [=](const Distance& d_in) { return std::vector{shift_loss(shift(d_in))}; };
  }
  return Measurement(
      input_domain,
      input_metric,
      family.measure,
      std::move(function),
      [=, loss = family.loss](const Distance& d_in) -> Distance {
        return Scalar(loss(shift(d_in), grid_scale));
      },
      std::move(loss_map));
}

void check_noise_measure(const Measure& asked, const Measure& guaranteed) {
  if (asked != guaranteed) refuse_type(type_name(asked), type_name(guaranteed));
}

}  // namespace dp
