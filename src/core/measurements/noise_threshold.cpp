#include "core/measurements/noise_threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/measurements/gaussian.h"
#include "core/measurements/laplace.h"
#include "core/measurements/noise_grid.h"
#include "core/measurements/noise_loss.h"
#include "core/measurements/noise_scale.h"
#include "core/measurements/refuse.h"
#include "core/measurements/threshold_stage.h"
#include "core/measures/finite_loss_law.h"
#include "core/metrics/metric_space.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"
#include "core/numeric/limits.h"
#include "core/numeric/rational.h"
#include "core/random/discrete_gaussian.h"
#include "core/random/discrete_laplace.h"

namespace dp {
namespace {

[[noreturn]] void refuse_distance(const std::string& sentence) {
  throw Error(ErrorKind::failed_map, sentence);
}

// sqrt(n), from above.
Rational root(std::uint32_t n) { return exact_rational(sqrt_up(n)); }

// Distance between the values of two maps, on the grid: at most d0 values differ, by d_p in the
// family's norm, and each by at most d_inf, which is a whole number.
struct Spread {
  std::uint32_t d0;
  Rational dp;
  Integer dinf;
};

// The differences between the two mechanisms.
struct ThresholdFamily {
  Measure measure;
  MetricKind metric;
  const char* norm;  // in messages
  std::shared_ptr<const GridNoise> (*noise)(const Rational& scale);
  Rational (*spread_of)(std::uint32_t n);  // the norm of n ones, from above
  bool whole_norm;                         // of whole numbers
  double (*loss)(const Rational& shift, const Rational& scale);
  double (*tail)(const Integer& t, const Rational& scale);
  ShiftLoss (*shift_loss)(const Rational& scale, std::optional<std::uint64_t> size);
};

template <class Sampler>
std::shared_ptr<const GridNoise> sampled(const Rational& scale) {
  return std::make_shared<SampledNoise<Sampler>>(scale);
}

ThresholdFamily laplace_family() {
  return {approximate(max_divergence()),
          MetricKind::l01inf,
          "l1",
          sampled<DiscreteLaplace>,
          [](std::uint32_t n) { return Rational(n); },
          true,
          laplace_loss,
          laplace_tail,
          laplace_shift_loss};
}

ThresholdFamily gaussian_family() {
  return {approximate(zero_concentrated_divergence()),
          MetricKind::l02inf,
          "l2",
          sampled<DiscreteGaussian>,
          root,
          false,
          gaussian_loss,
          gaussian_tail,
          gaussian_shift_loss};
}

// The threshold as a number, and as a grid point (a float to the nearest, halves away from zero).
struct ThresholdPoints {
  Rational number;
  Integer grid;
};

ThresholdPoints threshold_points(const Scalar& threshold, AtomType type, int k) {
  return visit_number(type, [&](auto tag) -> ThresholdPoints {
    using T = typename decltype(tag)::type;
    const T value = scalar_as<T>(threshold, "threshold");
    if constexpr (kIsFloat<T>) {
      const std::string text = "threshold (" + debug(threshold) + ") must ";
      if (!std::isfinite(value)) refuse_measurement(text + "be finite");
      if (value < 0) refuse_measurement(text + "not be negative");
      return {exact_rational(value), grid_index(value, k)};
    } else {
      const Integer whole = to_integer(static_cast<int128_t>(value));
      return {Rational(abs(whole)), whole};
    }
  });
}

Rational distance_part(const Distance& part, AtomType type, const char* name) {
  return visit_number(type, [&](auto tag) -> Rational {
    using T = typename decltype(tag)::type;
    const T d = number_in<T>(part);
    const std::string text = std::string(name) + " (" + debug(part) + ") must be ";
    if constexpr (kIsFloat<T>) {
      if (!std::isfinite(d)) refuse_distance(text + "finite");
    }
    if (d < 0) refuse_distance(text + "non-negative");
    if constexpr (kIsFloat<T>) {
      return exact_rational(d);
    } else {
      return to_integer(static_cast<int128_t>(d));
    }
  });
}

[[noreturn]] void refuse_threshold(const Scalar& threshold, const Distance& dinf) {
  refuse_distance("threshold (" + debug(threshold) +
                  ") must not be smaller than l-infinity sensitivity (" + debug(dinf) + ")");
}

// The privacy map and its parameters.
class ThresholdLoss {
 public:
  ThresholdLoss(const ThresholdFamily& family,
                NoiseGrid grid,
                Rational scale,
                Scalar threshold,
                ThresholdPoints points,
                AtomType distance_type)
      : family_(family),
        grid_(std::move(grid)),
        scale_(std::move(scale)),
        threshold_(std::move(threshold)),
        number_(std::move(points.number)),
        at_(std::move(points.grid)),
        distance_type_(distance_type) {}

  Distance operator()(const Distance& d_in) const {
    const Distance::Tuple& parts = parts_of(d_in);
    const Spread spread = spread_in(parts);
    if (spread.dp == 0) return Distance::Tuple{Scalar(0.0), Scalar(0.0)};
    if (scale_ == 0) {
      return Distance::Tuple{Scalar(std::numeric_limits<double>::infinity()), Scalar(1.0)};
    }
    return Distance::Tuple{Scalar(family_.loss(spread.dp, scale_)), Scalar(told(spread, parts[2]))};
  }

  // The pairs for keys in both maps, and for keys in one.
  std::vector<LossPair> pairs(const Distance& d_in) const {
    const Distance::Tuple& parts = parts_of(d_in);
    const Spread spread = spread_in(parts);
    if (spread.dp == 0) return {};
    if (scale_ == 0) return {total_loss_pair()};
    return {family_.shift_loss(scale_, spread.d0)(spread.dp),
            approximate_dp_pair(Epsilon(0), Delta(told(spread, parts[2])))};
  }

 private:
  static const Distance::Tuple& parts_of(const Distance& d_in) {
    const auto* parts = d_in.as<Distance::Tuple>();
    if (parts == nullptr || parts->size() != 3) {
      throw Error(ErrorKind::failed_cast, "the distance must have three parts.");
    }
    return *parts;
  }

  // Upper bound of the probability that a key of only one map is released.
  double told(const Spread& spread, const Distance& dinf) const {
    const Integer reach = at_.reach(spread.dinf);
    if (reach < 0) refuse_threshold(threshold_, dinf);
    return any_of(family_.tail(reach, scale_), spread.d0);
  }

  Spread spread_in(const Distance::Tuple& parts) const {
    const auto d0 = number_in<std::uint32_t>(parts[0]);
    const Rational dp = distance_part(parts[1], distance_type_, family_.norm);
    const Rational dinf = distance_part(parts[2], distance_type_, "li");
    if (is_float_grid() && dinf > number_) refuse_threshold(threshold_, parts[2]);

    Spread spread{d0,
                  (dp + grid_.shift * family_.spread_of(d0)) / grid_.step,
                  floor((dinf + grid_.shift) / grid_.step)};
    if (family_.whole_norm) spread.dp = floor(spread.dp);
    spread.dp = std::min(spread.dp, Rational(spread.dinf * family_.spread_of(d0)));
    spread.dinf = std::min(spread.dinf, floor(spread.dp));
    return spread;
  }

  bool is_float_grid() const { return grid_.step != 1 || grid_.shift != 0; }

  ThresholdFamily family_;
  NoiseGrid grid_;
  Rational scale_;  // on the grid
  Scalar threshold_;
  Rational number_;
  Threshold at_;
  AtomType distance_type_;
};

Measurement make_threshold(const Domain& input_domain,
                           const Metric& input_metric,
                           double scale,
                           const Scalar& threshold,
                           std::optional<int> k,
                           const ThresholdFamily& family) {
  const auto* map = input_domain.as<MapDomain>();
  if (map == nullptr) {
    throw Error(ErrorKind::type,
                "No match for concrete type " + type_name(input_domain) +
                    ". Thresholded noise needs a MapDomain.");
  }
  const AtomType key = atom_domain(*map->key).type;
  const AtomType value = atom_domain(*map->value).type;
  if (!is_hashable(key)) detail::refuse_type(key, "integers, bool and String as keys");
  check_metric_space(input_domain, input_metric);
  if (input_metric.kind != family.metric) {
    refuse_metric(input_metric,
                  family.metric == MetricKind::l01inf
                      ? "input_metric must be L01InfDistance of an absolute distance"
                      : "input_metric must be L02InfDistance of an absolute distance");
  }
  NoiseGrid grid = visit_number(value, [&](auto) { return noise_grid(value, k); });
  const Rational grid_scale = checked_scale(scale) / grid.step;
  ThresholdPoints points = threshold_points(threshold, value, grid.exponent);
  Function function =
      threshold_noise(value, grid.exponent, family.noise(grid_scale), Threshold(points.grid));
  const ThresholdLoss loss(family,
                           std::move(grid),
                           grid_scale,
                           threshold,
                           std::move(points),
                           input_metric.inner->distance_type);
  return Measurement(input_domain,
                     input_metric,
                     family.measure,
                     std::move(function),
                     loss,
                     [loss](const Distance& d_in) { return loss.pairs(d_in); });
}

}  // namespace

Measurement make_laplace_threshold(const Domain& input_domain,
                                   const Metric& input_metric,
                                   double scale,
                                   const Scalar& threshold,
                                   std::optional<int> k) {
  return make_threshold(input_domain, input_metric, scale, threshold, k, laplace_family());
}

Measurement make_gaussian_threshold(const Domain& input_domain,
                                    const Metric& input_metric,
                                    double scale,
                                    const Scalar& threshold,
                                    std::optional<int> k) {
  return make_threshold(input_domain, input_metric, scale, threshold, k, gaussian_family());
}

Measurement make_noise_threshold(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Measure& output_measure,
                                 double scale,
                                 const Scalar& threshold,
                                 std::optional<int> k) {
  if (output_measure == approximate(max_divergence())) {
    return make_laplace_threshold(input_domain, input_metric, scale, threshold, k);
  }
  if (output_measure == approximate(zero_concentrated_divergence())) {
    return make_gaussian_threshold(input_domain, input_metric, scale, threshold, k);
  }
  throw Error(ErrorKind::ffi,
              "output_measure must be Approximate<MaxDivergence> or "
              "Approximate<ZeroConcentratedDivergence>");
}

}  // namespace dp
