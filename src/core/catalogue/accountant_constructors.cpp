#include "core/accounting/pld.h"
#include "core/catalogue/examples.h"
#include "core/catalogue/families.h"

namespace dp {
namespace {

Made composed_profile(const Arguments& in) {
  const std::vector<Measurement> measurements = in.measurements("measurements");
  const std::vector<std::uint64_t> times = in.sizes("times");
  if (measurements.empty() || (times.size() != 1 && times.size() != measurements.size())) {
    throw Error(ErrorKind::failed_cast, "there must be measurements, and a number for each.");
  }
  std::vector<RepeatedMeasurement> members;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    members.push_back({measurements[i], times.size() == 1 ? times[0] : times[i]});
  }
  return compose_pld(members,
                     in.distance("d_in", measurements.front().input_metric()),
                     Read<std::optional<double>>::from(in, "step"));
}

}  // namespace

std::vector<Constructor> accountant_constructors() {
  return {
      constructor("compose_pld", {"measurements", "d_in", "times", "step"}, composed_profile)
          .example("make_laplace(" + in_r::number_of("i32") + ", 4), d_in = 1L, times = 3"),
  };
}

}  // namespace dp
