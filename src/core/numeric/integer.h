// The integers and rationals of the core, exact at any size.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "core/numeric/int128.h"

namespace dp {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

}  // namespace dp
