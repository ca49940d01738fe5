// Named elements of the plain lists that hold queries.
//
// Each function throws failed_cast, naming the element, if it has a different type. An element that
// is absent or NULL gives nothing, an empty list, or false.
#pragma once

#include <Rcpp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dp::r {

[[noreturn]] void refuse_query(const std::string& part);

// NULL if there is none.
SEXP element(const Rcpp::List& list, const char* name);

Rcpp::List list_in(SEXP object, const char* name);
double number_in(SEXP object, const char* name);

Rcpp::List list_at(const Rcpp::List& list, const char* name);
std::string text_at(const Rcpp::List& list, const char* name);
std::vector<std::string> texts_at(const Rcpp::List& list, const char* name);
std::optional<double> number_at(const Rcpp::List& list, const char* name);
std::vector<double> numbers_at(const Rcpp::List& list, const char* name);
bool flag_at(const Rcpp::List& list, const char* name);
std::optional<std::uint32_t> count_at(const Rcpp::List& list, const char* name);

// One of `names`, as the enumerator at its position.
template <class E, std::size_t N>
E choice_at(const Rcpp::List& list, const char* name, const char* const (&names)[N]) {
  const std::string chosen = text_at(list, name);
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == chosen) return static_cast<E>(i);
  }
  refuse_query(name);
}

}  // namespace dp::r
