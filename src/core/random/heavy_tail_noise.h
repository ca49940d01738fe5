// Noise with tails heavy enough for a scale that depends on the data.
#pragma once

#include "core/numeric/integer.h"
#include "core/random/bit_source.h"

namespace dp {

// Rounds `scale` * Z to the nearest integer, for one draw of Z with density
//
//   h(z) = (1/2) (1 + z^2)^(-3/2),     P[|Z| <= z] = z / sqrt(1 + z^2),
//
// Student's law with two degrees of freedom over the root of two. |Z| = u / sqrt(1 - u^2) for a
// uniform u. Only the bits of u that decide the integer are drawn, so the result has exactly the
// law of the rounded real number, and rounding is postprocessing. scale >= 0.
//
// Privacy (Nissim, Raskhodnikova and Smith 2007, Definition 2.5, without a delta):
//   a shift by s           |d/dz ln h(z)| = 3 |z| / (1 + z^2) <= 3/2, so it costs at most 3/2 s;
//   a stretch by exp(b)    d/db ln(exp(b) h(exp(b) z)) = 1 - 3 y^2 / (1 + y^2) with y = exp(b) z,
//                          which is between -2 and 1, so it costs at most 2 |b|.
Integer heavy_tail_noise(const Rational& scale, BitSource& bits);

}  // namespace dp
