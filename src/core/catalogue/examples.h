// Examples that several constructors share, in R syntax.
//
// Spaces are two arguments, a domain and a metric. The core keeps these texts and never reads them:
// core_catalogue() returns them to R.
#pragma once

#include <string>

namespace dp::in_r {

// Vectors of any number of rows.
std::string rows_of(const std::string& type, const std::string& metric = "symmetric_distance()");
// Vectors of numbers within `bounds`; `size` is empty, or an argument of vector_domain().
std::string bounded_rows(const std::string& bounds,
                         const std::string& size = "",
                         const std::string& metric = "symmetric_distance()");
// Vectors of floats that may be missing.
std::string optional_rows();
// Data frames of text, with columns a and b.
std::string frames();

// One number, under the absolute distance.
std::string number_of(const std::string& type);
// Integers, to select the largest.
std::string scores();
// Counts by keys of text; `metric` is the name of a partition distance.
std::string counts_under(const std::string& metric);

// A measurement that adds `noise`, "laplace" or "gaussian", to one integer.
std::string noisy_number(const std::string& noise);

}  // namespace dp::in_r
