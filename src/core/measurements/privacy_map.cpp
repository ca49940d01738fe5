#include "core/measurements/privacy_map.h"

#include "core/error.h"

namespace dp {
namespace {

// Whether this thread is in a map that holds for any two neighbours.
thread_local bool in_unmarked_map = false;

class MapScope {
 public:
  explicit MapScope(bool unmarked) : outer_(in_unmarked_map) {
    in_unmarked_map = outer_ || unmarked;
  }
  ~MapScope() { in_unmarked_map = outer_; }
  MapScope(const MapScope&) = delete;
  MapScope& operator=(const MapScope&) = delete;

 private:
  bool outer_;
};

}  // namespace

PrivacyMap::PrivacyMap(DistanceMap map, Sample sample)
    : map_(checked_map(std::move(map), "a privacy loss must be a number, and at least 0.")),
      sample_(sample) {}

Distance PrivacyMap::operator()(const Distance& d_in) const {
  if (needs_secret_sample() && in_unmarked_map) {
    throw Error(ErrorKind::failed_map,
                "the loss of an amplified measurement cannot be part of another loss: compose, "
                "then amplify.");
  }
  const MapScope scope(!needs_secret_sample());
  return map_(d_in);
}

PrivacyMap PrivacyMap::then(std::function<Distance(const Distance& loss)> convert) const {
  return {[inner = *this, convert = std::move(convert)](const Distance& d_in) {
            return convert(inner(d_in));
          },
          sample_};
}

PrivacyMap PrivacyMap::after(DistanceMap stability_map) const {
  return {[outer = *this, inner = std::move(stability_map)](const Distance& d_in) {
            return outer(inner(d_in));
          },
          sample_};
}

}  // namespace dp
