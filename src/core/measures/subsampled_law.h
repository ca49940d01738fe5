// The privacy-loss laws of a release from a random sample of the rows.
#pragma once

#include "core/measures/loss_law.h"

namespace dp {

// Each row is in the sample with probability q in (0, 1), independently of the others, and the
// release on a sample is dominated by the pair (P, Q) whichever of two datasets that are one row
// apart comes first. `inner` is the law of its loss. The pair that comes back is
//
//   forward    of ((1 - q) Q + q P, Q), for the dataset with the row against the one without;
//   backward   of (P, (1 - q) P + q Q), for the one without against the one with it.
//
// Proof. Let S be the sample of all rows but one, r that row. By joint convexity the hockey-stick
// divergence of the releases is at most its mean over S, with S fixed on both sides. With it fixed,
// let M and N be the laws of the release with r and without, d(a) their divergence at exp(epsilon)
// = a, at most D(a), that of (P, Q). Forward, at a,
//
//   integral of ((1 - q) N + q M - a N)+  =  q d((a - 1 + q) / q)  if a > 1 - q,  else 1 - a,
//
// which grows with d, and is the divergence of the pair above where d = D. Backward, with M and N
// in each other's places,
//
//   integral of (N - a (1 - q) N - a q M)+  =  (1 - a (1 - q)) d(a q / (1 - a (1 - q)))
//
// if a (1 - q) < 1, else 0; and the same follows. q.e.d.
// Source: Zhu, Dong and Wang (2022), "Optimal Accounting of Differential Privacy via Characteristic
// Function", Theorem 11.
//
// An outcome of mass p under P and loss l has the mass p e^-l under Q. So it has, forward, the mass
// p (q + (1 - q) e^-l) and the loss ln(1 - q + q e^l); backward, p and -ln(1 - q + q e^-l). Both
// losses grow with l. Raising p or l raises the divergence backward, and forward if what Q lacks
// for a total of 1 is put where P has nothing: a mass of (1 - q) (1 - sum of p e^-l) at the loss
// ln(1 - q). For then it is, at a > 1 - q, the sum of p (q - (a - 1 + q) e^-l)+, and below at least
// 1 - a. So every rounding is toward more mass and more loss, and so is that of `inner` itself: it
// is taken as its atoms, or where there are many, on a grid of 2^-13 of its deviation
// (measures/loss_grid.h), of which the deltas are at or above its own.
//
// Losses below -40 count as that, forward: Q's part of them then is at ln(1 - q), from which
// ln(1 - q + q e^-40) is no further than e^-40 q / (1 - q). Losses above 600 count as infinite.
LossPair subsampled_pair(const LossLaw& inner, double q);

}  // namespace dp
