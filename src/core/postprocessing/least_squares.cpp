#include "core/postprocessing/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/numeric/eigen.h"

namespace dp {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Bound for the rounded value of an eigenvalue of 0, in units of the largest.
constexpr double kRoundingFloor = 1e-12;

// Caution for the variance of residuals, in standard deviations of its noise.
constexpr double kCaution = 0.7;

[[noreturn]] void refuse_fit(const char* must) { throw Error(ErrorKind::failed_function, must); }

Matrix matrix_of(const std::vector<double>& cells, std::size_t rows, std::size_t columns) {
  if (cells.size() != rows * columns) refuse_fit("moments and models must be of fitting sizes.");
  return Eigen::Map<const Matrix>(
      cells.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

std::vector<double> cells_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

struct Repaired {
  Matrix matrix;
  bool changed;
};

Repaired with_eigenvalues_from(const Matrix& matrix, double floor) {
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(matrix);
  const Vector& values = parts.eigenvalues();  // increasing
  const double least = std::max(floor, kRoundingFloor * values[values.size() - 1]);
  if (values[0] >= least) return {matrix, false};
  const Matrix& vectors = parts.eigenvectors();
  return {vectors * values.cwiseMax(least).asDiagonal() * vectors.transpose(), true};
}

// Movement of B E a by one standard deviation of each pair of `noise`; and of a'E a for the
// variance.
struct Moved {
  Matrix scores;
  double variance = 0;
};

Moved moved_by(const Matrix& noise, const Matrix& design, const Vector& a) {
  const Eigen::Index size = a.size();
  Moved moved{Matrix(design.rows(), size * (size + 1) / 2)};
  Eigen::Index pair = 0;
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index k = j; k < size; ++k) {
      const double of_square = noise(j, k) * a[j] * a[k] * (j == k ? 1 : 2);
      moved.variance += of_square * of_square;
      moved.scores.col(pair) = noise(j, k) * a[k] * design.col(j);
      if (j != k) moved.scores.col(pair) += noise(j, k) * a[j] * design.col(k);
      ++pair;
    }
  }
  return moved;
}

LeastSquares unknown_fit(std::size_t predictors, std::size_t size) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> nothing(predictors, nan);
  return {nothing,
          true,
          nan,
          nan,
          std::vector<double>(predictors * predictors, nan),
          std::vector<double>(predictors * predictors, nan),
          std::vector<double>(predictors * size * (size + 1) / 2, nan)};
}

}  // namespace

LeastSquares least_squares(const NoisyMoments& moments, const LinearModel& model) {
  const std::size_t size = moments.size;
  const Matrix measured = matrix_of(moments.values, size, size);
  const Matrix noise = matrix_of(moments.noise, size, size);
  const Matrix design = matrix_of(model.design, model.predictors, size);
  const Vector response = matrix_of(model.response, size, 1);
  const Vector ridge = matrix_of(model.ridge, model.predictors, 1);
  const bool is_model = size > 0 && model.predictors > 0 && model.floor > 0 &&
                        std::isfinite(model.floor) && model.degrees_of_freedom > 0 &&
                        std::isfinite(model.degrees_of_freedom) && design.allFinite() &&
                        response.allFinite() && ridge.allFinite() && ridge.minCoeff() >= 0 &&
                        noise.allFinite() && noise.minCoeff() >= 0;
  if (!is_model) refuse_fit("a model must have predictors, finite numbers, and none below 0.");
  if (!measured.allFinite()) return unknown_fit(model.predictors, size);

  const Repaired inner = with_eigenvalues_from(design * measured * design.transpose(), model.floor);
  const Matrix penalized = inner.matrix + Matrix(ridge.asDiagonal());
  const Eigen::LLT<Matrix> factors(penalized);
  const Vector outer = design * (measured * response);
  const Vector theta = factors.solve(outer);

  const double squares =
      response.dot(measured * response) - 2 * theta.dot(outer) + theta.dot(inner.matrix * theta);
  const double variance = std::max(squares, 0.0) / model.degrees_of_freedom;
  const Moved moved = moved_by(noise, design, response - design.transpose() * theta);
  const double cautious =
      variance + kCaution * std::sqrt(moved.variance) / model.degrees_of_freedom;
  const Matrix inverse = factors.solve(Matrix::Identity(penalized.rows(), penalized.cols()));
  return {cells_of(theta),
          inner.changed || squares < 0,
          variance,
          cautious,
          cells_of(cautious * (inverse * inner.matrix * inverse)),
          cells_of(inverse),
          cells_of(inverse * moved.scores)};
}

}  // namespace dp
