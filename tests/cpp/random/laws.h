// Point masses of the laws of core/random, in double: tests of samplers compare with them at a
// tolerance far above the rounding of these formulas.
#pragma once

#include "random/enumeration.h"

namespace dp {

Law uniform_law(int n);
Law bernoulli_law(double p);
Law geometric_law(double rate);
Law discrete_laplace_law(double scale);
Law discrete_gaussian_law(double sigma);

}  // namespace dp
