#include "core/measurements/noise.h"

#include "core/measurements/gaussian.h"
#include "core/measurements/laplace.h"

namespace dp {

Measurement make_noise(const Domain& input_domain,
                       const Metric& input_metric,
                       const Measure& output_measure,
                       double scale,
                       std::optional<int> k) {
  switch (output_measure.kind) {
    case MeasureKind::max_divergence:
      return make_laplace(input_domain, input_metric, scale, k);
    case MeasureKind::zero_concentrated_divergence:
      return make_gaussian(input_domain, input_metric, scale, k);
    default:
      throw Error(ErrorKind::ffi,
                  "output_measure must be MaxDivergence or ZeroConcentratedDivergence");
  }
}

}  // namespace dp
