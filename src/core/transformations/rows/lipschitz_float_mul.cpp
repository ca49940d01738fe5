#include "core/transformations/rows/lipschitz_float_mul.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric/directed.h"

namespace dp {
namespace {

// The distance between floats of magnitude w: of its binade, the smallest subnormal below all
// binades.
template <class T>
T ulp(T w) {
  using Limits = std::numeric_limits<T>;
  const int binade = std::max(std::ilogb(w), Limits::min_exponent - 1);  // ilogb(0) is below
  return std::ldexp(T(1), binade - (Limits::digits - 1));
}

}  // namespace

Transformation make_lipschitz_float_mul(const Domain& input_domain,
                                        const Metric& input_metric,
                                        const Scalar& constant,
                                        const Bounds& bounds) {
  const AtomDomain& atom = atom_domain(input_domain);
  return visit_float(atom.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T factor = scalar_as<T>(constant, "constant");
    const T lower = scalar_as<T>(bounds.lower, "bounds");
    const T upper = scalar_as<T>(bounds.upper, "bounds");
    if (input_metric != absolute_distance(atom.type)) {
      refuse_metric(input_metric,
                    "input_metric must be " + type_name(absolute_distance(atom.type)));
    }
    if (atom.nan) {
      throw Error(ErrorKind::make_transformation, "input_domain may not contain NaN elements");
    }
    const T size = abs_checked(factor);
    const T rounding = ulp(mul_up(max_checked(abs_checked(lower), upper), size));
    return Transformation(input_domain,
                          input_metric,
                          non_nan_atom(atom.type),
                          input_metric,
                          whole_function([=](const Value& arg) -> Value {
                            const T x = clamp_checked(element_in<T>(arg), lower, upper);
                            return Scalar(saturating_mul(x, factor));
                          }),
                          [=](const Distance& d_in) -> Distance {
                            const T distance = number_in<T>(d_in);
                            if (distance < 0) {
                              throw Error(ErrorKind::failed_map, "d_in must be non-negative");
                            }
                            return Scalar(add_up(mul_up(size, distance), rounding));
                          });
  });
}

}  // namespace dp
