// Text to its lines.
//
// Stability: datasets of text are at the distance of the multisets of their lines, d_out = d_in.
#pragma once

#include "core/transformations/transformation.h"

namespace dp {

// From one text to rows of text, by the rules of data/lines.h. Nothing is copied: rows are views
// of the text, found as they are read.
Transformation make_split_lines();

}  // namespace dp
