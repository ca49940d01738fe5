// The privacy-loss law of several numbers with Laplace noise of different scales.
#pragma once

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"

namespace dp {

// Datasets that are steps apart: each step makes no event more than exp(loss) times as likely, nor
// its opposite less than exp(-loss) times, where the losses of all steps are eta in `total`, and
// those that count are r = `step` at most. With s = 1 / (1 + exp(-r)), the privacy loss is at most
//
//   eta                with probability s,
//   eta - r - 2 y      with density (1 - s) exp(-y), for 0 < y < eta - r,
//   -eta               with probability s exp(-eta).
//
// For r = eta that is randomized response, for small r the law of Laplace noise; discrete Laplace
// noise on one number has the same ends, and between them atoms that are 2 r apart.
//
// Proof. An event of probability p has at most T_r(p) = min(exp(r) p, 1 - exp(-r) (1 - p)) after a
// step of r. In the quantiles x of the Laplace density, where p = exp(x) / 2 up to one half and
// 1 - p = exp(-x) / 2 beyond, T_r adds r to x. Only where it crosses 0 it adds more, -ln(4 p (1 -
// exp(r) p)) in the lower half of such p and alike in the other; most from p = 1 - s to s, which is
// r + c, c = 2 ln cosh(r / 2). A path crosses once. So it adds at most eta + c to x, and never
// takes p above T_eta(p). The lesser of these two curves has the slope exp(eta) until it comes to
// s, then that of Laplace noise shifted by eta + c, which is exp(eta - r) there, and exp(-eta) at
// the end. The law is that of its slopes. q.e.d.
//
// Steps may come in any order, so a larger one does not count if for every p there is an order in
// which another one crosses: it goes first where x and its loss are below 0, and last elsewhere, if
// the losses of the others are together at least its own.
LossPair laplace_path_pair(const Rational& total, const Rational& step);

}  // namespace dp
