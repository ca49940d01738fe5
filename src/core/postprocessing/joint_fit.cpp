#include "core/postprocessing/joint_fit.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/numeric/rational.h"
#include "core/postprocessing/least_squares.h"

namespace dp {
namespace {

constexpr double kCap = 64;

// Noise alone may make three times its scale of an eigenvalue.
constexpr double kFloor = 3;

// The middle and half of the width of each column's bounds.
struct Units {
  std::vector<double> middle;
  std::vector<double> half;
};

Units units_of(const std::vector<ColumnSpec>& columns) {
  Units units;
  for (const ColumnSpec& column : columns) {
    units.middle.push_back(column.lower / 2 + column.upper / 2);
    units.half.push_back(column.upper / 2 - column.lower / 2);
  }
  return units;
}

// Moments of (1, u), column after column.
NoisyMoments scaled_moments(const JointPlan& plan,
                            const Units& units,
                            const std::vector<double>& moments) {
  const std::size_t columns = units.half.size();
  const std::size_t size = columns + 1;
  const std::vector<JointMoment> places = joint_moments(columns, plan);
  if (moments.size() != places.size())
    throw Error(ErrorKind::failed_function, "moments must be as many as were released.");
  NoisyMoments scaled{
      size, std::vector<double>(size * size, 0), std::vector<double>(size * size, 0)};
  const auto set = [&](std::size_t i, std::size_t j, double value, double noise) {
    for (const std::size_t cell : {i * size + j, j * size + i}) {
      scaled.values[cell] = value;
      scaled.noise[cell] = noise;
    }
  };
  set(0, 0, static_cast<double>(plan.n), 0);
  for (std::size_t m = 0; m < places.size(); ++m) {
    const auto [i, j] = places[m];
    const double unit = (i == 0 ? 1 : units.half[i - 1]) * (j == 0 ? 1 : units.half[j - 1]);
    const double scale = to_double_nearest(joint_scale(places[m], columns, plan));
    set(i, j, moments[m] / unit, std::sqrt(2.0) * scale);
  }
  return scaled;
}

// Predictors and response as combinations of (1, u), the response first among u: with an intercept
// u itself, else columns over their largest magnitudes.
LinearModel model_of(const Units& units, bool intercept) {
  const std::size_t columns = units.half.size();
  const std::size_t size = columns + 1;
  const std::size_t predictors = columns - 1 + (intercept ? 1 : 0);
  LinearModel model{predictors,
                    std::vector<double>(predictors * size, 0),
                    std::vector<double>(size, 0),
                    std::vector<double>(predictors, 0),
                    0,
                    0};
  if (intercept) model.design[0] = 1;
  for (std::size_t c = 0; c < columns; ++c) {
    const double largest = std::fabs(units.middle[c]) + units.half[c];
    const double constant = intercept ? 0 : units.middle[c] / largest;
    const double slope = intercept ? 1 : units.half[c] / largest;
    if (c == 0) {
      model.response[0] = constant;
      model.response[1] = slope;
    } else {
      const std::size_t row = c - 1 + (intercept ? 1 : 0);
      model.design[row] = constant;
      model.design[(c + 1) * predictors + row] = slope;
    }
  }
  return model;
}

}  // namespace

ResidualFit joint_fit(const std::vector<ColumnSpec>& columns,
                      const JointPlan& plan,
                      bool intercept,
                      const std::vector<double>& moments) {
  std::vector<ColumnSpec> values = columns;
  if (plan.weighted) values.pop_back();
  const Units units = units_of(values);
  const NoisyMoments scaled = scaled_moments(plan, units, moments);
  LinearModel model = model_of(units, intercept);
  const double count = std::clamp(scaled.values[0], 0.0, static_cast<double>(plan.n));
  model.floor = kFloor * to_double_nearest(joint_scale({0, 1}, values.size(), plan));
  model.degrees_of_freedom = std::max(count - static_cast<double>(model.predictors), 1.0);
  const LeastSquares fit = least_squares(scaled, model);
  return {fit.coefficients, kCap * fit.cautious_variance};
}

}  // namespace dp
