// How far a weighted sum of independent noises goes, and which ratios noise does not rule out.
#pragma once

#include <functional>

#include "core/numeric/parameters.h"
#include "core/query/noise_law.h"
#include "core/query/range.h"

namespace dp::query {

// One noisy number: what is known of its noise, in the unit of the release.
struct NoiseTerm {
  double deviation = 0;
  double step = 0;    // the distance of neighbouring values
  double reach = 0;   // exceeded with probability alpha at most
  double corner = 0;  // the same with probability alpha / 2
};

NoiseTerm noise_term(const NoiseLaw& law, int exponent, Alpha alpha);

// How far a sum goes with probability 1 - alpha, from its variance and its fourth cumulant.
//
// A weighted sum of Gaussians is Gaussian. One of Laplace numbers is between a Gaussian and a
// Laplace number of its variance: the fourth cumulant says where. The interpolation is within 1% of
// the exact quantile of two or three numbers at alpha from 0.01 to 0.1 (the tests compare).
class CombinedReach {
 public:
  CombinedReach(NoiseKind kind, Alpha alpha);

  double of(double variance, double fourth_cumulant) const;

  // A deviation's part of the fourth cumulant.
  double fourth_cumulant(double deviation) const;

 private:
  NoiseKind kind_;
  double normal_;
  double laplace_;
};

// A weighted sum of noisy numbers. Its reach is exact for one number, and has half a step of the
// lattice more for several. Numbers whose noise is below a step reach as far as each does.
class CombinedNoise {
 public:
  explicit CombinedNoise(const CombinedReach& reach) : reach_(reach) {}

  void add(double weight, const NoiseTerm& term);
  double reach() const;

 private:
  const CombinedReach& reach_;
  int terms_ = 0;
  double single_ = 0, corners_ = 0, variance_ = 0, fourth_ = 0, step_ = 0;
};

// The ratios r in [lowest, highest] that |numerator - r denominator| <= reach(r) allows, about
// `point`: Fieller's interval. An end is infinite if none is found. If noise rules out all ratios
// of the range, `point` is widened by the reach there.
// Source: Fieller (1954), "Some problems in interval estimation", JRSS B 16.
Range ratios_about(double point,
                   double numerator,
                   double denominator,
                   const Range& within,
                   const std::function<double(double)>& reach);

}  // namespace dp::query
