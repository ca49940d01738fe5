#include "core/measurements/noise_scale.h"

#include <cmath>
#include <string>

#include "core/domains/scalar.h"
#include "core/measurements/refuse.h"

namespace dp {

Rational checked_scale(double scale) {
  const std::string text = "scale (" + debug(Scalar(scale)) + ") must ";
  if (!std::isfinite(scale)) throw Error(ErrorKind::make_transformation, text + "be finite");
  if (scale < 0) refuse_measurement(text + "not be negative");
  return exact_rational(scale);
}

}  // namespace dp
