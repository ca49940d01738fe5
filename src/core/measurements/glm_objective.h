// Perturbed objectives of generalized linear models, and minima of them that are certified.
//
//   J(theta) = sum over rows of rho loss(<z, theta> + offset, y)
//              + ridge |theta|^2 / 2 + <noise, theta>
//
// An offset is a public number, and that of a row besides if rows have offsets. It moves the place
// at which a loss is looked at, and no bound of its slope or curvature. A weight rho is between 0
// and 1, and 1 if rows have none: neither does a weighted loss exceed these bounds.
//
// Predictors z, coefficients and noise are fixed-point integers, and so is the gradient of J: a sum
// of exact products. Only the slope of the loss is rounded, once for each row, and by no more than
// a public bound. So the norm of the gradient is known for certain, whatever the compiler did. As J
// is strongly convex, theta is then within norm / ridge of the minimum.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measurements/glm_loss.h"
#include "core/numeric/int128.h"

namespace dp {

// Places after the binary point.
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

// That of a row, with its own offset.
double row_predictor(const GlmRows& rows,
                     std::size_t row,
                     const std::vector<int128_t>& theta,
                     double offset);

// The rho of a row, exactly.
double row_weight(const GlmRows& rows, std::size_t row);

// More than the rounding of slopes can move one element of the gradient, by 2^-51 for each row, and
// of weighted slopes, which are below 4, by 2^-52 before that.
double gradient_error(const GlmLoss& loss, std::size_t rows);

// No step along the gradient is needed after this many: 4/3 q log(4 q (start / gap)^2), q = 1 +
// curvature d rows / ridge, and start a bound of the gradient's norm at zero. See
// certified_minimum().
double most_gradient_passes(const GlmLoss& loss,
                            std::size_t rows,
                            std::size_t predictors,
                            double ridge,
                            double start,
                            double gap);

// Coefficients at which the gradient of J has a Euclidean norm of at most objective.gap, which must
// be at least 4 sqrt(d) (gradient_error() + 2^-60 L), L = ridge + curvature d rows.
//
// Newton's method first. At least 16 passes are made, about twice what ordinary data need. A full
// step that halves the lowest norm so far is taken; in place of others stands the best share of
// them, so that J falls.
//
// Newton's method may need long, or for ever, at the bends of losses. So after newton_passes it
// gives way to steps of 1 / L along the gradient, from zero. L is at least any eigenvalue of a
// Hessian. Such a step moves by -(G + e) / L, G being the gradient,
// and lowers J by (|G|^2 - |e|^2) / (2 L) at least. Of slopes and coefficients, e is no more than a
// quarter of the gap; while the gap is not reached, |G| is twice that. By strong convexity |G|^2
// is at least 2 ridge (J - J*), so that J - J* falls by a factor of 1 - 3/4 ridge / L each time;
// and |G|^2 is at most 2 L (J - J*), so that an end comes, before most_gradient_passes(). J stays
// below what it is at zero: coefficients stay within twice the norm of the gradient there, over the
// ridge.
CertifiedMinimum certified_minimum(const GlmRows& rows, const GlmObjective& objective);

}  // namespace dp
