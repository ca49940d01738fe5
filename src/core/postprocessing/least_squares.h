// Least squares from noisy moments, with what its errors are made of.
//
// Moments M_jk of m measured variables (sums of z_j z_k over all rows; a constant may be one of
// them) were released with independent noise of known variance in each pair j <= k. Predictors
// x = B z and a response y = b'z are linear in the measured variables. With X = B M B' the estimate
// solves
//
//   (X + D) theta = B M b,   D a diagonal ridge.
//
// Noise may leave no matrix of moments: eigenvalues of X below a public `floor` are raised to it.
//
// Errors, to the first order. With a = b - B' theta, and E the noise, theta moves by
//
//   (X + D)^-1 (B E a + sqrt(v X) N),   N standard normal,
//
// the second part for the sampling of rows, whose residuals have the variance v. A pair j < k of E
// moves theta by (X + D)^-1 (B_j a_k + B_k a_j), a pair j = k by (X + D)^-1 B_j a_j, B_j columns of
// B: so the error is a linear function of independent noise of known laws, and one normal vector.
// The variance v is a'M a over the degrees of freedom, with X as it was repaired and cut at 0,
// which noise makes too small as often as too large; v gets 0.7 standard deviations of that noise
// more.
#pragma once

#include <cstddef>
#include <vector>

namespace dp {

// Matrices are column after column.
struct NoisyMoments {
  std::size_t size;            // m
  std::vector<double> values;  // M, m x m, symmetric
  std::vector<double> noise;   // standard deviations, m x m, symmetric
};

struct LinearModel {
  std::size_t predictors;        // q
  std::vector<double> design;    // B, q x m
  std::vector<double> response;  // b, m
  std::vector<double> ridge;     // the diagonal of D, q
  double floor;                  // above 0
  double degrees_of_freedom;     // above 0
};

struct LeastSquares {
  std::vector<double> coefficients;  // theta, q
  bool repaired;                     // whether an eigenvalue or the variance was raised
  double variance;                   // of residuals, as estimated
  double cautious_variance;          // v
  std::vector<double> sampling;      // covariance of the second part of the error, q x q
  std::vector<double> inverse;       // of X + D, q x q
  // Effect of noise on the first part, q x m (m + 1) / 2: the movement of theta by one standard
  // deviation of the noise of each pair (0, 0), (0, 1), ..., (0, m - 1), (1, 1), ...
  std::vector<double> noise;
};

// Released moments may be any numbers: of infinite ones all results are NaN, and repaired is true.
// Throws failed_function unless all sizes fit, and the public numbers are finite, in their ranges.
LeastSquares least_squares(const NoisyMoments& moments, const LinearModel& model);

}  // namespace dp
