// Assumptions of the proofs about the processor's floating-point mode.
#pragma once

namespace dp {

// Throws failed_function unless doubles round to nearest and subnormals are kept. Other code in the
// process can change the mode (fesetround, flush-to-zero for speed), and every directed rounding
// and every lattice index would then be wrong without a sign of it.
void check_float_environment();

}  // namespace dp
