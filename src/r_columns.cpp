#include "r_columns.h"

#include <string>

namespace dp::r {

std::vector<ColumnSpec> columns_from_r(const Rcpp::List& columns) {
  const Rcpp::CharacterVector names = columns["name"];
  const Rcpp::NumericVector lower = columns["lower"];
  const Rcpp::NumericVector upper = columns["upper"];
  const Rcpp::NumericVector impute_lower = columns["impute_lower"];
  const Rcpp::NumericVector impute_upper = columns["impute_upper"];
  const Rcpp::LogicalVector whole = columns["whole"];
  std::vector<ColumnSpec> all;
  for (R_xlen_t i = 0; i < names.size(); ++i) {
    all.push_back({Rcpp::as<std::string>(names[i]),
                   lower.at(i),
                   upper.at(i),
                   impute_lower.at(i),
                   impute_upper.at(i),
                   whole.at(i) != 0});
  }
  return all;
}

}  // namespace dp::r
