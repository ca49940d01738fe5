#include "core/transformations/rows/identity.h"

namespace dp {

Transformation make_identity(const Domain& domain, const Metric& metric) {
  return unchecked_transformation(
      domain, metric, Function(), [](const Distance& d_in) { return d_in; });
}

}  // namespace dp
