#include "core/sample_aggregate/winsorized_mean.h"

#include <algorithm>
#include <cmath>

#include "core/measurements/laplace.h"
#include "core/measurements/private_quantile.h"
#include "core/measurements/refuse.h"
#include "core/numeric/directed.h"
#include "core/numeric/rational.h"
#include "core/random/bit_source.h"
#include "core/random/discrete_laplace.h"
#include "core/sample_aggregate/block_numbers.h"
#include "core/transformations/rows/metric_cast.h"

namespace dp {
namespace {

class WinsorizedMean final : public WholeStage {
 public:
  WinsorizedMean(
      BlockNumbers numbers, Lattice lattice, WinsorizedRule rule, Function lower, Function upper)
      : numbers_(numbers),
        lattice_(lattice),
        rule_(std::move(rule)),
        lower_(std::move(lower)),
        upper_(std::move(upper)) {}

  Value run(const Value& value) const override {
    const std::vector<std::int64_t> z = numbers_.read(value);
    // One after the other: two draws in one expression come in another order from each compiler.
    const auto q = element_in<std::int64_t>(lower_(value));
    const auto r = element_in<std::int64_t>(upper_(value));
    const auto [from, to] = interval(q, r);
    Integer sum = 0;
    for (const std::int64_t each : z) sum += std::clamp(each, from, to);
    const Rational scale = exact_rational(rule_.scale) * Integer(to - from);
    sum += DiscreteLaplace(scale).draw(secure_bits());
    const Integer mean = round_half_up(Rational(sum, Integer(numbers_.size)));
    return make_column(
        AtomType::f64,
        std::vector<double>{
            lattice_.value(mean), lattice_.value(int128_t{from}), lattice_.value(int128_t{to})});
  }

 private:
  std::pair<std::int64_t, std::int64_t> interval(std::int64_t q, std::int64_t r) const {
    std::int64_t width = std::abs(r - q);
    if (width == 0) width = rule_.candidates[1] - rule_.candidates[0];
    const Rational middle = Rational(Integer(q) + r, 2);
    const Rational reach = exact_rational(rule_.reach) * Integer(width);
    const Integer from = floor(middle - reach);
    const Integer to = ceil(middle + reach);
    return {static_cast<std::int64_t>(std::max<Integer>(from, numbers_.lower)),
            static_cast<std::int64_t>(std::min<Integer>(to, numbers_.upper))};
  }

  BlockNumbers numbers_;
  Lattice lattice_;
  WinsorizedRule rule_;
  Function lower_;
  Function upper_;
};

void check_rule(const WinsorizedRule& rule, const BlockNumbers& numbers) {
  require_measurement(rule.quantiles.first <= rule.quantiles.second, "quantiles must be in order.");
  require_measurement(rule.candidates.size() >= 2, "there must be at least two candidates.");
  require_measurement(std::is_sorted(rule.candidates.begin(), rule.candidates.end()),
                      "candidates must be increasing.");
  require_measurement(
      numbers.lower <= rule.candidates.front() && rule.candidates.back() <= numbers.upper,
      "candidates must lie within the bounds.");
  require_measurement(rule.reach > 0 && std::isfinite(rule.reach),
                      "reach must be positive and finite.");
  require_measurement(rule.scale > 0 && std::isfinite(rule.scale),
                      "scale must be positive and finite.");
}

}  // namespace

Measurement make_winsorized_mean(const Domain& input_domain,
                                 const Metric& input_metric,
                                 const Lattice& lattice,
                                 const WinsorizedRule& rule) {
  const BlockNumbers numbers(input_domain, input_metric);
  check_rule(rule, numbers);
  const Transformation unbounded = make_metric_unbounded(input_domain, input_metric);
  const std::vector<Scalar> candidates(rule.candidates.begin(), rule.candidates.end());
  const auto select = [&](double alpha) {
    return make_private_quantile(input_domain,
                                 unbounded.output_metric(),
                                 max_divergence(),
                                 candidates,
                                 alpha,
                                 rule.selection_scale);
  };
  const Measurement lower = select(rule.quantiles.first);
  const Measurement upper = select(rule.quantiles.second);
  PrivacyMap map = [distance = unbounded.stability_map(),
                    first = lower.privacy_map(),
                    second = upper.privacy_map(),
                    scale = exact_rational(rule.scale)](const Distance& d_in) -> Distance {
    const Distance rows = distance(d_in);
    const double selections =
        add_up(number_in<double>(first(rows)), number_in<double>(second(rows)));
    const Rational replaced = Integer(number_in<std::uint32_t>(d_in));
    return Scalar(add_up(selections, laplace_loss(replaced, scale)));
  };
  return Measurement(
      input_domain,
      input_metric,
      max_divergence(),
      stage_function<WinsorizedMean>(numbers, lattice, rule, lower.function(), upper.function()),
      std::move(map));
}

}  // namespace dp
