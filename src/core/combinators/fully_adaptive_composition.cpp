#include "core/combinators/fully_adaptive_composition.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/accounting/compose.h"
#include "core/combinators/release_sequence.h"
#include "core/data/owned.h"

namespace dp {
namespace {

std::optional<Distance> distance_of(const Metric& metric, std::uint32_t number) {
  if (metric.kind == MetricKind::user) return std::nullopt;
  if (metric.inner) {
    const Distance part = *distance_of(*metric.inner, number);
    return Distance::Tuple{Scalar(number), part, part};
  }
  return visit_number(metric.distance_type, [&](auto tag) -> Distance {
    return Scalar(static_cast<typename decltype(tag)::type>(number));
  });
}

// Throws, before anything is charged, if a map gives no loss at the smallest distances, or a loss
// that cannot be added: otherwise the total would be unknown afterwards. The maps of compositors
// throw at a distance that they were not made for, which is no such failure.
void check_tells_loss(const Measurement& measurement) {
  for (const std::uint32_t number : {0u, 1u}) {
    const std::optional<Distance> d_in = distance_of(measurement.input_metric(), number);
    if (!d_in) return;
    try {
      compose(measurement.output_measure(), {measurement.map(*d_in)});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::relation_debug) throw;
    }
  }
}

class FullyAdaptiveCompositor final : public OdometerQueryable {
 public:
  FullyAdaptiveCompositor(const QuerySpace& space, const Value& data)
      : OdometerQueryable(space.input_metric),
        space_(space),
        release_(
            space.output_measure, owned(data), "sequential odometer has received a new query") {}

 private:
  Value answer(const Value& query) override {
    const Composable measurement = measurement_in(query, space_);
    check_tells_loss(*measurement);
    maps_.push_back(measurement->privacy_map());  // charged, whatever comes of it
    return release_(measurement);
  }

  Distance compute_loss(const Distance& d_in) override {
    return compose(space_.output_measure, losses(d_in));
  }

  Distance compute_loss_with(const Distance& d_in, const Value& query) override {
    std::vector<Distance> all = losses(d_in);
    all.push_back(measurement_in(query, space_)->map(d_in));
    return compose(space_.output_measure, all);
  }

  std::vector<Distance> losses(const Distance& d_in) const {
    std::vector<Distance> out;
    out.reserve(maps_.size());
    for (const PrivacyMap& map : maps_) out.push_back(map(d_in));
    return out;
  }

  QuerySpace space_;
  ReleaseSequence release_;
  std::vector<PrivacyMap> maps_;
};

}  // namespace

Odometer make_fully_adaptive_composition(const Domain& input_domain,
                                         const Metric& input_metric,
                                         const Measure& output_measure) {
  check_composable(output_measure);
  QuerySpace space{input_domain, input_metric, output_measure};
  return Odometer(space, [space](const Value& data) -> OdometerQueryablePtr {
    return std::make_shared<FullyAdaptiveCompositor>(space, data);
  });
}

}  // namespace dp
