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

// The sample has a fixed size, each row is in it with probability at most q in (0, 1), and datasets
// are of one size and differ in one replaced row. The release on samples that differ in one
// replaced row is dominated by the pair (P, Q), whichever of them comes first. `inner` is the law
// of its loss. The pair that comes back, the same both ways, has at every b > 0 the divergence
//
//   E(b)  =  q D((b - 1 + q) / q)  for b >= 1,  E(b)  =  1 - b + b E(1 / b)  for b < 1,
//
// where D is that of (P, Q).
//
// Proof that E is at least the divergence of the releases. Let p <= q be the probability of the
// replaced row, N the law of the release if it is not drawn, which both datasets share, and M and
// M' those if it is. With a = (b - 1 + p) / p >= 1, so that b = 1 + p (a - 1), and s = b / a <= 1,
//
//   (1 - p) N + p M - b ((1 - p) N + p M')  =  p (M - a ((1 - s) N + s M')),
//
// for 1 - p - b (1 - p) = -p (a - 1) (1 - p) = -p a (1 - s), and p a s = p b. The divergence is its
// positive part, which by convexity is at most p ((1 - s) d(M, N) + s d(M, M')) at a. Neither d is
// above D(a). M and M' are mixtures over the same samples, which differ in the row. And a sample
// that has the row becomes one that has not if it is replaced, in its place, by a row that was not
// drawn, uniformly: each sample without the row then comes from equally many with it, so M and N
// are mixtures over the same pairs of samples, of which one row differs. So at b >= 1 the
// divergence is at most p D(1 + (b - 1) / p), which grows with p, as its derivative D(a) - (a - 1)
// D'(a) is not negative: at most E(b). What holds for both orders of two laws at 1 / b says for b <
// 1, since the divergence of (X, Y) at b is 1 - b plus b times that of (Y, X) at 1 / b, that it is
// at most E(b) there. q.e.d. Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by
// Subsampling: Tight Analyses via Couplings and Divergences", Theorems 2 and 9; Zhu, Dong and Wang
// (2022), as above, for both sides of 1.
//
// The law of it: at b >= 1, E is that of ((1 - q) Q + q P, Q), of which the losses above 0 are
// those of `inner` above 0, of mass r and loss l as above. Each has its mirror image, of mass r
// e^-l and loss -l, and what is missing from a total of 1, if anything, has the loss 0. Then at b <
// 1 it is
//
//   sum of r (1 - b / e^l) + (1 - b) (1 - sum of r (1 + e^-l)) + sum of r (e^-l - b)+
//     =  1 - b + sum of r (b - e^-l)+  =  1 - b + b E(1 / b),
//
// and more if the sum of r (1 + e^-l) is above 1. Raising r or l, with the image made of what they
// were raised to, raises E at b >= 1 and therefore everywhere.
LossPair replaced_pair(const LossLaw& inner, double q);

}  // namespace dp
