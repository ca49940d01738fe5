#include "core/measurements/glm_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/measurements/row_weight.h"
#include "core/numeric/directed.h"
#include "core/numeric/eigen.h"
#include "core/runtime/parallel.h"

namespace dp {
namespace {

// Minimal number of passes of Newton's method: about twice the usual need.
constexpr int kPasses = 16;

// Maximal number of doublings of the search along a step.
constexpr int kDoublings = 30;
constexpr int kHalvings = 40;

constexpr std::size_t kRowsBetweenInterrupts = std::size_t{1} << 12;

using Vector = std::vector<double>;

double from_fixed(int128_t x, int bits) { return std::ldexp(static_cast<double>(x), -bits); }

std::int64_t rounded(double x) { return static_cast<std::int64_t>(std::nearbyint(x)); }

// A symmetric positive definite matrix, stored as its lower triangle.
class Triangle {
 public:
  Triangle(std::size_t size, double diagonal) : cells_(size, size) {
    cells_.setZero();
    cells_.diagonal().setConstant(diagonal);
  }

  void add_square(const std::int32_t* z, double weight) {
    for (Eigen::Index i = 0; i < cells_.rows(); ++i) {
      const double scaled = weight * std::ldexp(static_cast<double>(z[i]), -2 * kPredictorBits);
      for (Eigen::Index j = 0; j <= i; ++j) cells_(i, j) += scaled * z[j];
    }
  }

  // x with A x = b. Returns b if rounding makes a pivot zero: every step is a guess, which is
  // judged by the gradient after it.
  Vector solve(Vector b) const {
    Eigen::Map<Eigen::VectorXd> x(b.data(), cells_.rows());
    const Eigen::LLT<Eigen::MatrixXd> factors(cells_);
    if (factors.info() != Eigen::Success) return b;
    const Eigen::VectorXd solved = factors.solve(x);
    if (solved.allFinite()) x = solved;
    return b;
  }

 private:
  Eigen::MatrixXd cells_;
};

// The gradient and derived numbers at one point.
struct Place {
  std::vector<int128_t> theta;
  Vector gradient;
  double norm;
  Triangle hessian;
};

Place place_at(const GlmRows& rows, const GlmObjective& objective, std::vector<int128_t> theta) {
  const std::size_t size = rows.predictors;
  std::vector<int128_t> sums = objective.noise;
  const auto ridge = static_cast<int128_t>(std::ldexp(objective.ridge, kRidgeBits));
  for (std::size_t j = 0; j < size; ++j) sums[j] += ridge * theta[j];
  Triangle hessian(size, objective.ridge);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % kRowsBetweenInterrupts == 0) check_interrupt();
    const std::int32_t* z = rows.z.data() + i * size;
    const double t = row_predictor(rows, i, theta, objective.offset);
    const double rho = row_weight(rows, i);
    const double slope = rho * objective.loss->slope(t, rows.y[i]);
    const int128_t steps = rounded(std::ldexp(slope, kSlopeBits));
    for (std::size_t j = 0; j < size; ++j) sums[j] += steps * z[j];
    hessian.add_square(z, rho * objective.loss->curvature(t, rows.y[i]));
  }
  Vector gradient;
  double squares = 0;
  for (const int128_t sum : sums) {
    gradient.push_back(from_fixed(sum, kGradientBits));
    squares += gradient.back() * gradient.back();
  }
  return {std::move(theta), std::move(gradient), std::sqrt(squares), std::move(hessian)};
}

std::vector<int128_t> moved(const Place& from, const Vector& step, double share, int128_t largest) {
  std::vector<int128_t> theta = from.theta;
  const double most = std::ldexp(1.0, kLargestCoefficientBits);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    const double steps = std::nearbyint(std::ldexp(share * step[j], kCoefficientBits));
    theta[j] -= static_cast<int128_t>(std::clamp(steps, -most, most));
    theta[j] = std::clamp(theta[j], -largest, largest);
  }
  return theta;
}

// Upper bound of the eigenvalues of all Hessians: a row with |z_j| <= 1 adds at most its curvature
// times d.
double largest_curvature(const GlmLoss& loss,
                         std::size_t rows,
                         std::size_t predictors,
                         double ridge) {
  return ridge + loss.curvature_bound * static_cast<double>(rows) * static_cast<double>(predictors);
}

// Replaces std::inner_product(), which compilers may fuse.
template <class T>
double product(const Vector& a, const T* b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Approximate fraction of a step that minimizes J along it: the point where J no longer falls.
// Doubles suffice, because it affects only speed.
double best_share(const GlmRows& rows,
                  const GlmObjective& objective,
                  const Place& from,
                  const Vector& step) {
  const std::size_t size = rows.predictors;
  Vector fitted;
  Vector moves;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t* z = rows.z.data() + i * size;
    fitted.push_back(row_predictor(rows, i, from.theta, objective.offset));
    const double move = product(step, z);
    moves.push_back(std::ldexp(move, -kPredictorBits));
  }
  Vector linear;  // the gradient of ridge and noise
  for (std::size_t j = 0; j < size; ++j) {
    linear.push_back(objective.ridge * from_fixed(from.theta[j], kCoefficientBits) +
                     from_fixed(objective.noise[j], kGradientBits));
  }
  const double at_start = product(linear, step.data());
  const double ridge = objective.ridge * product(step, step.data());
  const auto falls = [&](double share) {  // how steeply J falls there
    double sum = at_start - share * ridge;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % kRowsBetweenInterrupts == 0) check_interrupt();
      const double slope = objective.loss->slope(fitted[i] - share * moves[i], rows.y[i]);
      sum += row_weight(rows, i) * slope * moves[i];
    }
    return sum;
  };
  const double flat = 0.1 * falls(0);
  double lower = 0;
  double upper = 1;
  for (int i = 0; i < kDoublings && falls(upper) > flat; ++i) {
    lower = upper;
    upper *= 2;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = lower + (upper - lower) / 2;
    const double there = falls(middle);
    if (std::fabs(there) <= flat) return middle;
    (there > 0 ? lower : upper) = middle;
  }
  return lower;
}

}  // namespace

double linear_predictor(const std::int32_t* z, const std::vector<int128_t>& theta, double offset) {
  int128_t sum =
      static_cast<int128_t>(std::ldexp(offset, kCoefficientBits)) * (int128_t{1} << kPredictorBits);
  for (std::size_t j = 0; j < theta.size(); ++j) sum += theta[j] * z[j];
  return from_fixed(sum, kCoefficientBits + kPredictorBits);
}

double row_predictor(const GlmRows& rows,
                     std::size_t row,
                     const std::vector<int128_t>& theta,
                     double offset) {
  if (!rows.offsets.empty()) offset += rows.offsets[row];
  return linear_predictor(rows.z.data() + row * rows.predictors, theta, offset);
}

double row_weight(const GlmRows& rows, std::size_t row) {
  return rows.weights.empty() ? 1 : from_fixed(rows.weights[row], kRhoBits);
}

double gradient_error(const GlmLoss& loss, std::size_t rows) {
  return static_cast<double>(rows) * (loss.slope_error + std::ldexp(1.0, -kSlopeBits));
}

double most_gradient_passes(const GlmLoss& loss,
                            std::size_t rows,
                            std::size_t predictors,
                            double ridge,
                            double start,
                            double gap) {
  const double condition = largest_curvature(loss, rows, predictors, ridge) / ridge;
  const double ratio = std::max(start / gap, 1.0);
  return std::ceil(4.0 / 3 * condition * (ln_up(4 * condition) + 2 * ln_up(ratio)));
}

CertifiedMinimum certified_minimum(const GlmRows& rows, const GlmObjective& objective) {
  // The true norm exceeds the norm of the rounded gradient by less than the error of each element,
  // a quarter of the gap in total. The 2^-20 cover the rounding of the norm.
  const double enough = 0.75 * objective.gap * (1 - 0x1p-20);
  const std::vector<int128_t> zero(rows.predictors, 0);
  std::uint64_t passes = 1;
  const auto visit = [&](std::vector<int128_t> theta) {
    ++passes;
    return place_at(rows, objective, std::move(theta));
  };
  Place best = place_at(rows, objective, zero);
  double lowest = best.norm;
  for (int pass = 0; pass < objective.newton_passes; ++pass) {
    if (pass >= kPasses && best.norm <= enough) break;
    const Vector step = best.hessian.solve(best.gradient);
    Place next = visit(moved(best, step, 1, objective.largest));
    if (next.norm <= enough || next.norm <= lowest / 2) {
      lowest = next.norm;
      best = std::move(next);
    } else if (!(best.norm <= enough)) {
      const double share = best_share(rows, objective, best, step);
      best = visit(moved(best, step, share, objective.largest));
    }
  }
  if (!(best.norm <= enough)) best = visit(zero);
  const double steepest =
      largest_curvature(*objective.loss, rows.size(), rows.predictors, objective.ridge);
  while (!(best.norm <= enough)) {
    best = visit(moved(best, best.gradient, 1 / steepest, objective.largest));
  }
  return {std::move(best.theta), passes};
}

}  // namespace dp
