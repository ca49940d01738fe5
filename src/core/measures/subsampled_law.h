// The privacy-loss laws of a release from a random sample of the rows.
#pragma once

#include "core/measures/loss_law.h"

namespace dp {

// Each row is in the sample with probability q in (0, 1), independently of the others. The release
// on a sample is dominated by the pair (P, Q), for either order of two datasets that differ in one
// row. `inner` is the law of its loss. The result is
//
//   forward    of ((1 - q) Q + q P, Q), for the dataset with the row against the one without;
//   backward   of (P, (1 - q) P + q Q), for the one without against the one with it.
//
// Proof. Let S be the sample of all rows except one, r. By joint convexity the hockey-stick
// divergence of the releases is at most its mean over S, with S fixed on both sides. For fixed S,
// let M and N be the laws of the release with r and without, d(a) their divergence at exp(epsilon)
// = a. It is at most D(a), the divergence of (P, Q). Forward, at a,
//
//   integral of ((1 - q) N + q M - a N)+  =  q d((a - 1 + q) / q)  if a > 1 - q,  else 1 - a,
//
// which grows with d, and is the divergence of the pair above if d = D. Backward, with M and N
// exchanged,
//
//   integral of (N - a (1 - q) N - a q M)+  =  (1 - a (1 - q)) d(a q / (1 - a (1 - q)))
//
// if a (1 - q) < 1, else 0; and the same follows. q.e.d.
//
// Source: Zhu, Dong and Wang (2022), "Optimal Accounting of Differential Privacy via Characteristic
// Function", Theorem 11.
//
// An outcome of mass p under P and loss l has the mass p e^-l under Q. So it has, forward, the mass
// p (q + (1 - q) e^-l) and the loss ln(1 - q + q e^l); backward, p and -ln(1 - q + q e^-l). Both
// losses grow with l. Raising p or l raises the divergence backward. It raises it forward, too, if
// the mass that Q lacks for a total of 1 is put where P has none: a mass of (1 - q) (1 - sum of p
// e^-l) at the loss ln(1 - q). For then it is, at a > 1 - q, the sum of p (q - (a - 1 + q) e^-l)+,
// and below at least 1 - a. So every rounding is toward more mass and more loss. `inner` is rounded
// the same way: it is represented by its atoms, or if there are many, on a grid of 2^-13 of its
// deviation (measures/loss_grid.h), whose deltas are at least the deltas of `inner`.
//
// Losses below -40 count as -40, forward: Q's part of them then is at ln(1 - q), which differs from
// ln(1 - q + q e^-40) by at most e^-40 q / (1 - q). Losses above 600 count as infinite.
LossPair subsampled_pair(const LossLaw& inner, double q);

// The sample has a fixed size, each row is in it with probability at most q in (0, 1), and datasets
// have one size and differ in one replaced row. The release on samples that differ in one replaced
// row is dominated by the pair (P, Q), in either order. `inner` is the law of its loss. The
// resulting pair, the same in both directions, has at every b > 0 the divergence
//
//   E(b)  =  q D((b - 1 + q) / q)  for b >= 1,  E(b)  =  1 - b + b E(1 / b)  for b < 1,
//
// where D is the divergence of (P, Q).
//
// Proof that E is at least the divergence of the releases. Let p <= q be the probability of the
// replaced row, N the law of the release if it is not drawn, which both datasets share, and M and
// M' the laws if it is. With a = (b - 1 + p) / p >= 1, so that b = 1 + p (a - 1), and s = b / a <=
// 1,
//
//   (1 - p) N + p M - b ((1 - p) N + p M')  =  p (M - a ((1 - s) N + s M')),
//
// because 1 - p - b (1 - p) = -p (a - 1) (1 - p) = -p a (1 - s), and p a s = p b. The divergence is
// its positive part, which by convexity is at most p ((1 - s) d(M, N) + s d(M, M')) at a. Neither d
// is above D(a). M and M' are mixtures over the same samples, which differ in the row. Take a
// sample that has the row, and replace the row, at its position, by a uniformly chosen row that was
// not drawn. Each sample without the row then comes from equally many with it. So M and N are
// mixtures over the same pairs of samples, which differ in one row. So at b >= 1 the divergence is
// at most p D(1 + (b - 1) / p), which grows with p, because its derivative D(a) - (a - 1) D'(a) is
// not negative: at most E(b). The divergence of (X, Y) at b is 1 - b plus b times the divergence of
// (Y, X) at 1 / b. So the bound for both orders at 1 / b gives the bound E(b) for b < 1. q.e.d.
//
// Source: Balle, Barthe and Gaboardi (2018), "Privacy Amplification by Subsampling: Tight Analyses
// via Couplings and Divergences", Theorems 2 and 9; Zhu, Dong and Wang (2022), as above, for both
// sides of 1.
//
// Its law: at b >= 1, E is the divergence of ((1 - q) Q + q P, Q), whose losses above 0 come from
// losses of `inner` above 0, of mass r and loss l as above. Each has its mirror image, of mass r
// e^-l and loss -l. Mass that is missing from a total of 1, if any, has the loss 0. Then at b < 1
// it is
//
//   sum of r (1 - b / e^l) + (1 - b) (1 - sum of r (1 + e^-l)) + sum of r (e^-l - b)+
//     =  1 - b + sum of r (b - e^-l)+  =  1 - b + b E(1 / b),
//
// and more if the sum of r (1 + e^-l) is above 1. Raising r or l, together with the mirror image,
// raises E at b >= 1 and therefore everywhere.
LossPair replaced_pair(const LossLaw& inner, double q);

}  // namespace dp
