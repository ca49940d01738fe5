#include "core/catalogue/families.h"

namespace dp {
namespace {

Made new_user_divergence(const Arguments& in) {
  return Measure{MeasureKind::user,
                 nullptr,
                 in.text("identifier"),
                 in.object("descriptor"),
                 in.same_objects()};
}

}  // namespace

std::vector<Constructor> measure_constructors() {
  return {
      constructor("max_divergence", max_divergence).example("").needs({}),
      constructor("zero_concentrated_divergence", zero_concentrated_divergence)
          .example("")
          .needs({}),
      constructor("renyi_divergence", renyi_divergence).example("").needs({}),
      constructor("smoothed_max_divergence", smoothed_max_divergence).example("").needs({}),
      constructor("approximate", approximate, {"measure"}).example("max_divergence()").needs({}),
      constructor("user_divergence", {"identifier", "descriptor"}, new_user_divergence)
          .example("'mine', descriptor = list(x = c(a = 1L), y = NULL)")
          .needs({"honest-but-curious"}),
      constructor("new_privacy_profile",
                  {"curve"},
                  [](const Arguments& in) -> Made { return PrivacyProfile(in.curve("curve")); })
          .example("function(epsilon) exp(-epsilon)")
          .needs(kPromised),
  };
}

}  // namespace dp
