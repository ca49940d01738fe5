// The privacy-loss laws of one selection by noisy scores.
//
// Two candidates' scores move apart by at most a range of r; eta = r / scale.
#pragma once

#include "core/measures/loss_law.h"
#include "core/numeric/integer.h"

namespace dp {

// Permute-and-flip is the largest score with exponential noise of the scale added to each (Ding,
// Kifer, Saghaian, Steinke, Wang, Xiao and Zhang 2021, "The Permute-and-Flip Mechanism is Identical
// to Report-Noisy-Max with Exponential Noise"). Its law is the law of Laplace noise,
//
//   delta(epsilon) = 1 - exp((epsilon - eta) / 2)   for epsilon <= eta, else 0.
//
// Proof. Let S be a set of candidates, A the largest noisy score within S and B the largest
// outside, both in units of the scale, F(t) = P[A - B > t]. So p = F(0) is the probability of S,
// and on a neighbour it is at least F(eta), because no score of S has moved down by more than eta
// against one outside. The maximum of independent exponentials has the density sum over i of f_i
// prod_(j != i) F_j, where f_i <= 1 - F_i: at most the probability that exactly one exceeds, so its
// hazard is at most 1. Given B, the hazard of A bounds -F' by F; given A, the hazard of B bounds it
// by 1 - F. A function with -F' <= min(F, 1 - F) falls from p to no less than the one with
// equality, which is the tail of a Laplace law. So every test of one set against another has at
// least the errors of a threshold on Laplace noise of scale 1, shifted by eta. Two candidates whose
// scores are apart attain them. q.e.d.
//
// Discrete Laplace noise shifted by d steps of eta / d has that delta at its losses, and the chord
// in between: it dominates for any d, and d = 2^40 represents the above.
LossPair permute_and_flip_pair(const Rational& eta);

// The exponential mechanism, P[i] in proportion to exp(score_i / scale): losses are within an
// interval of length eta. Every such pair is dominated by two outcomes with losses t and t - eta,
// of probability p = q exp(t), q = (exp(-t) - exp(-eta)) / (1 - exp(-eta)) for the former. The
// largest p - exp(epsilon) q is attained at t = (epsilon + eta) / 2,
//
//   delta(epsilon) = (1 - exp((epsilon - eta) / 2))^2 / (1 - exp(-eta))   for |epsilon| <= eta.
//
// Source: Dong, Durfee and Rogers (2020), "Optimal Differential Privacy Composition for Exponential
// Mechanisms", for the two outcomes.
LossPair exponential_mechanism_pair(const Rational& eta);

}  // namespace dp
