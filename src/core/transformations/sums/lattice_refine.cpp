#include "core/transformations/sums/lattice_refine.h"

#include "core/numeric/directed.h"

namespace dp {

Transformation make_lattice_refine(const Domain& input_domain,
                                   const Metric& input_metric,
                                   int bits) {
  const Domain total = non_nan_atom(AtomType::i128);
  if (input_domain != total || input_metric != absolute_distance(AtomType::i128)) {
    throw Error(ErrorKind::type, "the input must be AtomDomain(i128) with AbsoluteDistance(i128).");
  }
  if (bits < 0 || bits > 126) {
    throw Error(ErrorKind::make_transformation, "bits must be between 0 and 126.");
  }
  const int128_t factor = int128_t{1} << bits;
  return Transformation(total,
                        input_metric,
                        total,
                        input_metric,
                        whole_function([factor](const Value& value) -> Value {
                          return Scalar(saturating_mul(element_in<int128_t>(value), factor));
                        }),
                        [factor](const Distance& d_in) -> Distance {
                          return Scalar(mul_up(number_in<int128_t>(d_in), factor));
                        });
}

}  // namespace dp
