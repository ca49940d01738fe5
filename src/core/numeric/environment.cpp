#include "core/numeric/environment.h"

#include <limits>

#include "core/error.h"

namespace dp {

void check_float_environment() {
  // Volatile, so that the processor computes this now and not the compiler before.
  const volatile double one = 1;
  const volatile double half_step = std::numeric_limits<double>::epsilon() / 2;
  const volatile double least = std::numeric_limits<double>::min();
  const volatile double half = 0.5;
  const bool to_nearest = one + half_step == 1 && -one - half_step == -1 &&
                          one + half_step * 1.5 == 1 + std::numeric_limits<double>::epsilon();
  const volatile double subnormal = least * half;
  const volatile double back = subnormal / half;
  if (!to_nearest || back != least) {
    throw Error(ErrorKind::failed_function,
                "the processor's floating-point mode has been changed: doubles must round to "
                "nearest and keep subnormal numbers.");
  }
}

}  // namespace dp
