// Loss laws with a density, put on a grid by quadrature.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/measures/loss_grid.h"

namespace dp {

// A loss that grows with the noise: offset + slope * x.
struct LinearLoss {
  double offset;
  double slope;  // positive
};

namespace smooth_loss {

// Nodes and weights of the Gauss-Legendre rules with eight and with four points on [-1, 1], the
// positive half.
struct Node {
  double at;
  double weight;
};
inline constexpr Node kEight[] = {{0x1.77ac94f3c7345p-3, 0x1.736360b199343p-2},
                                  {0x1.0d129583284b4p-1, 0x1.413c50a255615p-2},
                                  {0x1.97e4ab249f41ep-1, 0x1.c76fb531d2b96p-3},
                                  {0x1.ebab1cb0acc67p-1, 0x1.9ea1d04ca0374p-4}};
inline constexpr Node kFour[] = {{0x1.5c23fd9dd3dfcp-2, 0x1.4de5f840c24cap-1},
                                 {0x1.b8e6dbcf63985p-1, 0x1.64340f7e7b66bp-2}};

}  // namespace smooth_loss

// Adds to `grid` the law of offset + slope * X, where X has the given density on [begin, end]. Each
// node of the quadrature counts as an outcome: `outcome(x, width)` adds it to the grid, where
// `width` times the density at x is its mass.
//
// The rule is applied to intervals of at most 1 / 16, and 1 / (16 slope), that lie between two
// losses of the grid, where the shares of the mass that go to either are density(x) (1 - exp(-f))
// and the like with f linear in x. For densities exp(polynomial of second degree) with a slope of
// the exponent of at most 25 the integrands are analytic and bounded by exp(25 / 2 + 1) times 100
// of their mean on the ellipse around the interval with semi-axis sixteen times its half. Eight
// points leave an error of (64 / 15) 31.9^-16 of that bound (Trefethen 2013, "Approximation Theory
// and Approximation Practice", Theorem 19.3), less than 2^-50 of the integral; on intervals 64
// times as short four points leave no more, (64 / 15) 2047^-8. A node has an error of 2^-48, which
// the density turns into one of 2^-43: kQuadratureSlack covers them all.
inline constexpr double kQuadratureSlack = 1 + 0x1p-41;

template <class Outcome>
void add_smooth(const LossGrid& grid, double begin, double end, LinearLoss loss, Outcome outcome) {
  const double most = 16 * std::max(1.0, loss.slope);  // intervals per unit
  const auto add_interval = [&](double from, double to) {
    const double half = (to - from) / 2;
    const double middle = from + half;
    const auto add_nodes = [&](const auto& nodes) {
      for (const smooth_loss::Node& node : nodes) {
        outcome(middle - half * node.at, half * node.weight);
        outcome(middle + half * node.at, half * node.weight);
      }
    };
    if (half * 2 * most * 64 < 1) {
      add_nodes(smooth_loss::kFour);
    } else {
      add_nodes(smooth_loss::kEight);
    }
  };
  double point = std::floor((loss.offset + loss.slope * begin) / grid.step());
  for (double x = begin; x < end;) {
    ++point;
    const double next = std::min((point * grid.step() - loss.offset) / loss.slope, end);
    if (!(next > x)) continue;
    const double pieces = std::ceil((next - x) * most);
    double from = x;
    for (double piece = 1; piece <= pieces; ++piece) {
      const double to = piece < pieces ? x + (next - x) * (piece / pieces) : next;
      add_interval(from, to);
      from = to;
    }
    x = next;
  }
}

}  // namespace dp
