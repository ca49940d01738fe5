// The laws of noise, checked against the divergences of the noise.
#include "core/measurements/noise_loss.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <vector>

#include "core/measures/concentrated_law.h"
#include "core/measures/loss_grid.h"
#include "core/numeric/rational.h"
#include "support/exact_laws.h"
#include "support/tier.h"

namespace dp::test::noise_loss_test {
namespace {

LossGrid grid_of(const LossPair& pair, double step) {
  LossGrid grid(step, pair.forward->extent().reach);
  pair.forward->add_to(grid);
  grid.trim();
  return grid;
}

Wide delta_of(const LossGrid& grid, const Wide& epsilon) {
  Wide delta = grid.infinite();
  for (std::size_t i = 0; i < grid.masses().size(); ++i) {
    const Wide loss = Wide(grid.step()) * (grid.first() + static_cast<std::int64_t>(i));
    if (loss > epsilon) delta += grid.masses()[i] * (1 - exp(epsilon - loss));
  }
  return delta;
}

// How far the law is above delta at grid points, where both should agree. Negative if the law is
// below anywhere.
struct Excess {
  double least;
  double most;
};
template <class Exact>
Excess excess(const LossPair& pair, double step, double from, double to, Exact exact) {
  const LossGrid grid = grid_of(pair, step);
  Excess found{1e9, -1e9};
  for (double i = std::ceil(from / step); i * step < to; i += std::ceil((to - from) / step / 7)) {
    const Wide truth = exact(Wide(i * step));
    if (truth < 1e-100) continue;
    const auto over = static_cast<double>(Wide(delta_of(grid, i * step) / truth - 1));
    found = {std::min(found.least, over), std::max(found.most, over)};
  }
  return found;
}

TEST(LaplaceLoss, IsThatOfTheDiscreteLawAndNeverBelow) {
  for (double scale : in_tier<std::vector<double>>({0.3, 2.5}, {0.3, 1.0, 2.5, 40.0})) {
    for (long shift : {1L, 2L, 7L, 60L}) {
      if (static_cast<double>(shift) / scale > 60) continue;
      const Law law = laplace_law(scale, static_cast<long>(200 * scale) + 200);
      const LossPair pair = laplace_shift_loss(exact_rational(scale), 1)(shift);
      const double reach = static_cast<double>(shift) / scale;
      const Excess off = excess(pair, 0x1p-6, -reach, reach, [&](const Wide& epsilon) {
        return hockey_stick_of(law, shift, epsilon);
      });
      EXPECT_GE(off.least, 0) << scale << ' ' << shift;
      EXPECT_LE(off.most, 1e-9) << scale << ' ' << shift;
    }
  }
}

// delta of the discrete law in closed form: for losses from s down to -s,
// P[loss > e] - exp(e) Q[loss > e] with the threshold z < (d - e scale) / 2.
Wide laplace_delta(const Wide& steps, const Wide& scale, const Wide& epsilon) {
  const Wide t = exp(-1 / scale);
  const auto tail = [&](const Wide& z) -> Wide {  // P[Z <= z] for whole z
    return z < 0 ? Wide(exp(z / scale) / (1 + t)) : Wide(1 - t * exp(-z / scale) / (1 + t));
  };
  const Wide last = ceil((steps - epsilon * scale) / 2) - 1;
  return tail(last) - exp(epsilon) * tail(last - steps);
}

TEST(LaplaceLoss, StaysAboveWhereManyAtomsBecomeADensity) {
  for (double scale : {0x1p16, 0x1p20, 0x1p24}) {
    for (double steps : {65536.0, 65537.0, 100000.0, 3e6}) {
      const double reach = steps / scale;
      const LossPair pair = laplace_shift_loss(exact_rational(scale), 1)(exact_rational(steps));
      const double step = std::ldexp(1.0, std::ilogb(reach) - 9);
      const Excess off = excess(pair, step, -reach * 0.9, reach * 0.9, [&](const Wide& epsilon) {
        return laplace_delta(steps, scale, epsilon);
      });
      EXPECT_GE(off.least, 0) << scale << ' ' << steps;
      EXPECT_LE(off.most, steps <= 65536 ? 1e-9 : 1e-4) << scale << ' ' << steps;
    }
  }
}

TEST(GaussianLoss, IsThatOfTheDiscreteLawAndNeverBelow) {
  for (double sigma : in_tier<std::vector<double>>({0.3, 3.3}, {0.3, 1.0, 3.3, 20.0})) {
    for (long shift : {1L, 3L, 20L}) {
      if (static_cast<double>(shift) / sigma > 8) continue;
      const Law law = gaussian_law(sigma);
      const LossPair pair = gaussian_shift_loss(exact_rational(sigma), 1)(shift);
      const double size = static_cast<double>(shift) / sigma;
      const Excess off =
          excess(pair, 0x1p-6, -2 * size, size * size / 2 + 6 * size, [&](const Wide& epsilon) {
            return hockey_stick_of(law, shift, epsilon);
          });
      EXPECT_GE(off.least, 0) << sigma << ' ' << shift;
      EXPECT_LE(off.most, 1e-9) << sigma << ' ' << shift;
    }
  }
}

Wide normal_below(const Wide& x) { return boost::math::erfc(Wide(-x / sqrt(Wide(2)))) / 2; }

// Delta of the continuous law. At a large scale, the law's stated error bounds the distance to the
// discrete law.
Wide normal_delta(const Wide& shift, const Wide& epsilon) {
  return normal_below(shift / 2 - epsilon / shift) -
         exp(epsilon) * normal_below(-shift / 2 - epsilon / shift);
}

TEST(GaussianLoss, OnAFineGridIsThatOfTheNormalLaw) {
  for (double shift : {1e-4, 0.5, 7.0}) {
    for (std::optional<std::uint64_t> size : {std::optional<std::uint64_t>(1),
                                              std::optional<std::uint64_t>(1000),
                                              std::optional<std::uint64_t>()}) {
      const Rational fine = power_of_two(1074);
      const LossPair pair = gaussian_shift_loss(fine, size)(exact_rational(shift) * fine);
      const double step = std::ldexp(1.0, std::ilogb(shift) - 6);
      const Excess off =
          excess(pair, step, 0, shift * shift / 2 + 9 * shift, [&](const Wide& epsilon) {
            return normal_delta(shift, epsilon);
          });
      EXPECT_GE(off.least, 0) << shift;
      EXPECT_LE(off.most, 1e-9) << shift;
    }
  }
}

TEST(GaussianLoss, IsContinuousWhereAtomsBecomeADensity) {
  const double scale = 0x1p15;
  const Rational moved = exact_rational(scale) / 10;
  const LossPair atoms = gaussian_shift_loss(exact_rational(scale) - 1, 1)(moved);
  const LossPair density = gaussian_shift_loss(exact_rational(scale), 1)(moved);
  const LossGrid fine = grid_of(density, 0x1p-9);
  const Excess off =
      excess(atoms, 0x1p-9, 0, 0.6, [&](const Wide& epsilon) { return delta_of(fine, epsilon); });
  EXPECT_LE(std::fabs(off.least), 2e-3);
  EXPECT_LE(std::fabs(off.most), 2e-3);
}

// A vector's law on a coarse grid is not round, so the map does not claim one.
TEST(GaussianLoss, VectorsOnACoarseGridHaveALawOrTheProfileOfRho) {
  const auto most = [](const Rational& scale, const Rational& shift) {
    return gaussian_shift_loss(scale, std::nullopt)(shift).forward->most();
  };
  // A law reaches as far as 24 scales of noise. For such a small loss, the profile of rho reaches
  // further.
  EXPECT_LT(most(100, 1), 0.25);
  EXPECT_LT(most(power_of_two(40), 1), 1e-10);
  EXPECT_NE(most(2, 100), most(2, 1));
  const LossPair fallback = gaussian_shift_loss(2, 200)(10);
  EXPECT_TRUE(fallback.forward->equals(*concentrated_pair(Rho(12.5)).forward));
  EXPECT_FALSE(
      gaussian_shift_loss(40, 200)(10).forward->equals(*concentrated_pair(Rho(0.03125)).forward));
}

// Numbers on the grid move by whole steps.
TEST(NoiseLoss, PartsOfAStepAreNoMove) {
  const auto pairs = {laplace_shift_loss(3, 1)(Rational(9, 10)),
                      gaussian_shift_loss(3, 1)(Rational(9, 10))};
  for (const LossPair& pair : pairs) EXPECT_EQ(delta_of(grid_of(pair, 1), 0), 0);
  for (const LossPair& pair : {laplace_shift_loss(0, 1)(1), gaussian_shift_loss(0, 1)(1)}) {
    EXPECT_EQ(grid_of(pair, 1).infinite(), 1);
  }
}

}  // namespace
}  // namespace dp::test::noise_loss_test
