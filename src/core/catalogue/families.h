// The rows of the catalogue, a file for each function.
#pragma once

#include <vector>

#include "core/catalogue/constructor.h"

namespace dp {

std::vector<Constructor> domain_constructors();
std::vector<Constructor> metric_constructors();
std::vector<Constructor> measure_constructors();

std::vector<Constructor> row_constructors();
std::vector<Constructor> count_constructors();
std::vector<Constructor> sum_constructors();
std::vector<Constructor> frame_constructors();
std::vector<Constructor> quantile_constructors();

std::vector<Constructor> noise_constructors();
std::vector<Constructor> selection_constructors();
std::vector<Constructor> response_constructors();

std::vector<Constructor> combinator_constructors();
std::vector<Constructor> function_constructors();
std::vector<Constructor> accountant_constructors();

// Those that statistics are made of, which users do not call.
std::vector<Constructor> statistic_constructors();

}  // namespace dp
