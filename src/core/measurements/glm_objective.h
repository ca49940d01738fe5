// Perturbed objectives of generalized linear models, and minima of them that are certified.
//
//   J(theta) = sum over rows of loss(<z, theta> + offset, y) + ridge |theta|^2 / 2 + <noise, theta>
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
  std::size_t size() const { return y.size(); }
};

struct GlmObjective {
  const GlmLoss* loss;
  double offset;
  double ridge;                 // a multiple of 2^-20
  std::vector<int128_t> noise;  // in steps of 2^-80
  double gap;                   // see certified_minimum()
  int128_t largest;             // coefficients have no larger magnitude, in steps of 2^-60
};

// The linear predictor <z, theta> + offset of a row, rounded once.
double linear_predictor(const std::int32_t* z, const std::vector<int128_t>& theta, double offset);

// More than the rounding of slopes can move one element of the gradient, by 2^-51 for each row.
double gradient_error(const GlmLoss& loss, std::size_t rows);

// Coefficients in steps of 2^-60 at which the gradient of J has a Euclidean norm of at most
// objective.gap.
//
// Newton's method: at least a fixed number of passes over the rows, which ordinary data do not
// exceed. A full step that halves the lowest norm so far is taken, which can not happen for ever;
// in place of others stands the best share of them, so that J falls. As Hessians are between ridge
// and a multiple of it, both steps and J converge, if the gap leaves room for rounding: four times
// that of slopes and of coefficients does.
std::vector<int128_t> certified_minimum(const GlmRows& rows, const GlmObjective& objective);

}  // namespace dp
