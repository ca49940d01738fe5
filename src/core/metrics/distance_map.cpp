#include "core/metrics/distance_map.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace dp {
namespace {

bool is_distance(const Scalar& number) {
  return std::visit(
      [](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
          return true;
        } else {
          return value >= T{0};
        }
      },
      number);
}

[[noreturn]] void refuse_distance(const char* refusal) {
  throw Error(ErrorKind::failed_map, refusal);
}

}  // namespace

bool is_distance(const Distance& distance) {
  if (const auto* number = distance.as<Scalar>()) return is_distance(*number);
  const auto* parts = distance.as<Distance::Tuple>();
  return parts == nullptr || std::all_of(parts->begin(), parts->end(), [](const Distance& part) {
           return is_distance(part);
         });
}

DistanceMap checked_map(DistanceMap map, const char* refusal) {
  return [map = std::move(map), refusal](const Distance& d_in) -> Distance {
    Distance d_out = map(d_in);
    if (!is_distance(d_out)) refuse_distance(refusal);
    const auto* curve = d_out.as<Distance::Curve>();
    if (curve == nullptr) return d_out;
    return Distance::Curve([curve = *curve, refusal](double alpha) {
      const double epsilon = curve(alpha);
      if (!(epsilon >= 0)) refuse_distance(refusal);
      return epsilon;
    });
  };
}

}  // namespace dp
