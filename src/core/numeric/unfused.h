// From here on, a product and a sum after it are two operations and round twice, as on x86.
//
// Where a processor has one instruction for both (ARM; x86 with -mfma), compilers take it, and
// round once. That is no error, but it is another number: with it, the same random bits would give
// another release, or the same parameters another privacy loss. So every unit that is compiled
// begins with this header, before the functions of any other; tools/check-platforms.sh looks for
// instructions that slipped through. What means one rounding says std::fma().
#pragma once

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF))
#pragma GCC optimize("fp-contract=off")
#endif
