// Point masses of the laws in core/random, as doubles. Sampler tests compare with a tolerance far
// above the rounding error of these formulas.
#pragma once

#include "random/enumeration.h"

namespace dp {

Law uniform_law(int n);
Law bernoulli_law(double p);
Law geometric_law(double rate);
Law discrete_laplace_law(double scale);
Law discrete_gaussian_law(double sigma);

}  // namespace dp
