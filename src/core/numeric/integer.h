// The integers and rationals of the core, exact at any size.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "core/numeric/int128.h"

namespace dp {

// Up to 256 bits lie in the number itself: twice as many as in Boost's cpp_int. A product of two
// significands, or of two sums of a column, then asks for no memory.
using IntegerBits = boost::multiprecision::cpp_int_backend<256>;
using Integer = boost::multiprecision::number<IntegerBits>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::rational_adaptor<IntegerBits>>;

}  // namespace dp
