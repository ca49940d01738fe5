// The integers and rationals of the core, exact at any size.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "core/numeric/int128.h"

namespace dp {

// Up to 256 bits are stored inline: twice the number of Boost's cpp_int. Then a product of two
// significands, or of two sums of a column, allocates no memory.
using IntegerBits = boost::multiprecision::cpp_int_backend<256>;
using Integer = boost::multiprecision::number<IntegerBits>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::rational_adaptor<IntegerBits>>;

}  // namespace dp
