// The privacy-loss law of several numbers with Laplace noise of different scales.
#pragma once

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"

namespace dp {

// The loss law of datasets that are connected by steps. Each step makes no event more than
// exp(loss) times as likely, and no complement less than exp(-loss) times. The losses of all steps
// add up to eta, `total`, and no relevant step loses more than r, `step`. With s = 1 / (1 +
// exp(-r)), the privacy loss is at most
//
//   eta                with probability s,
//   eta - r - 2 y      with density (1 - s) exp(-y), for 0 < y < eta - r,
//   -eta               with probability s exp(-eta).
//
// For r = eta this is randomized response, for small r the law of Laplace noise. Discrete Laplace
// noise on one number has the same ends, and atoms in between that are 2 r apart.
//
// Proof. An event of probability p has at most T_r(p) = min(exp(r) p, 1 - exp(-r) (1 - p)) after a
// step of r. In the quantiles x of the Laplace density, where p = exp(x) / 2 up to one half and 1 -
// p = exp(-x) / 2 beyond, T_r adds r to x. It adds more only if it crosses 0: -ln(4 p (1 - exp(r)
// p)) in the lower half of such p and symmetrically in the upper half. The most is r + c with c = 2
// ln cosh(r / 2), from p = 1 - s to s. A path crosses once. So it adds at most eta + c to x, and
// never takes p above T_eta(p). The lesser of these two curves has the slope exp(eta) up to s, then
// the slope of Laplace noise shifted by eta + c, which starts at exp(eta - r), and exp(-eta) at the
// end. The slopes give the law. q.e.d.
//
// Steps can be reordered. So a large step is irrelevant if, for every p, some order lets another
// step cross: it goes first if x and its loss are below 0, and last otherwise, if the
// losses of the others are together at least its loss.
LossPair laplace_path_pair(const Rational& total, const Rational& step);

}  // namespace dp
