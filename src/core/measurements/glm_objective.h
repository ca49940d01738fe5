// Perturbed objectives of generalized linear models, and certified minima of them.
//
//   J(theta) = sum over rows of rho loss(<z, theta> + offset, y)
//              + ridge |theta|^2 / 2 + <noise, theta>
//
// The offset is a public number, plus the row's offset if rows have offsets. It moves the point
// where a loss is evaluated, but no bound of its slope or curvature. A weight rho is between 0 and
// 1, and 1 without weights, so a weighted loss keeps these bounds.
//
// Predictors z, coefficients and noise are fixed-point integers, and so is the gradient of J: a sum
// of exact products. Only the slope of the loss is rounded, once for each row, and at most by a
// public bound. So the norm of the gradient is certified, whatever the compiler did. Because J is
// strongly convex, theta is then within norm / ridge of the minimum.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/glm_loss.h"
#include "core/numeric/int128.h"

namespace dp {

// Number of bits after the binary point.
constexpr int kPredictorBits = 30;  // |z| <= 1
constexpr int kCoefficientBits = 60;
constexpr int kSlopeBits = 50;
constexpr int kRidgeBits = 20;
constexpr int kGradientBits = 80;  // of slope times z, and of ridge times theta
static_assert(kPredictorBits + kSlopeBits == kGradientBits);
static_assert(kCoefficientBits + kRidgeBits == kGradientBits);

// Fitted values have room: kMostPredictors * 2^(kLargestCoefficient + 30) < 2^127.
constexpr std::size_t kMostPredictors = 64;
constexpr int kLargestCoefficientBits = 87;

struct GlmRows {
  std::size_t predictors;
  std::vector<std::int32_t> z;  // row after row, in steps of 2^-30
  std::vector<double> y;
  std::vector<double> offsets = {};        // of each row, at most 2^20 in magnitude; or none
  std::vector<std::int32_t> weights = {};  // of each row, its rho in steps of 2^-20; or none
  std::size_t size() const { return y.size(); }
};

struct GlmObjective {
  const GlmLoss* loss;
  double offset;
  double ridge;                 // a multiple of 2^-20
  std::vector<int128_t> noise;  // in steps of 2^-80
  double gap;                   // see certified_minimum()
  int128_t largest;             // coefficients have no larger magnitude, in steps of 2^-60
  int newton_passes = 64;       // at most, see certified_minimum()
};

struct CertifiedMinimum {
  std::vector<int128_t> theta;  // in steps of 2^-60
  std::uint64_t passes;         // over the rows, without those of searches along a step
};

// The linear predictor <z, theta> + offset, rounded once.
double linear_predictor(const std::int32_t* z, const std::vector<int128_t>& theta, double offset);

// The linear predictor of a row, including its offset.
double row_predictor(const GlmRows& rows,
                     std::size_t row,
                     const std::vector<int128_t>& theta,
                     double offset);

// The rho of a row, exactly.
double row_weight(const GlmRows& rows, std::size_t row);

// Upper bound of the effect of rounded slopes on one element of the gradient: 2^-51 for each row,
// and 2^-52 before that for weighted slopes, which are below 4.
double gradient_error(const GlmLoss& loss, std::size_t rows);

// Sufficient number of gradient steps: 4/3 q log(4 q (start / gap)^2), q = 1 + curvature d rows /
// ridge, with `start` a bound of the gradient's norm at zero. See certified_minimum().
double most_gradient_passes(const GlmLoss& loss,
                            std::size_t rows,
                            std::size_t predictors,
                            double ridge,
                            double start,
                            double gap);

// Finds coefficients whose gradient of J has a Euclidean norm of at most objective.gap, which must
// be at least 4 sqrt(d) (gradient_error() + 2^-60 L), L = ridge + curvature d rows.
//
// Newton's method comes first, with at least 16 passes, about twice the usual need. A full step is
// taken if it halves the lowest norm so far; otherwise the best fraction of it, so that J falls.
//
// Newton's method can converge slowly, or never, at the bends of losses. So after newton_passes the
// method changes to steps of 1 / L along the gradient, starting from zero. L is at least the
// largest eigenvalue of a Hessian. Such a step moves by -(G + e) / L, where G is the gradient, and
// lowers J by at least (|G|^2 - |e|^2) / (2 L). The error e of slopes and coefficients is at most a
// quarter of the gap; until the gap is reached, |G| is twice that. By strong convexity |G|^2 is at
// least 2 ridge (J - J*), so J - J* falls by a factor of 1 - 3/4 ridge / L each time.
// |G|^2 is at most 2 L (J - J*), so the method ends before most_gradient_passes(). J stays
// below its value at zero: coefficients stay within twice the norm of the gradient there, over the
// ridge.
CertifiedMinimum certified_minimum(const GlmRows& rows, const GlmObjective& objective);

}  // namespace dp
