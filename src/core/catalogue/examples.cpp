#include "core/catalogue/examples.h"

namespace dp::in_r {

std::string rows_of(const std::string& type, const std::string& metric) {
  return "vector_domain(atom_domain(.T = '" + type + "')), " + metric;
}

std::string bounded_rows(const std::string& bounds,
                         const std::string& size,
                         const std::string& metric) {
  const std::string last = size.empty() ? "" : ", " + size;
  return "vector_domain(atom_domain(bounds = " + bounds + ")" + last + "), " + metric;
}

std::string optional_rows() {
  return "vector_domain(option_domain(atom_domain(.T = 'f64'))), symmetric_distance()";
}

std::string frames() {
  const std::string split = "make_split_dataframe(NULL, c('a', 'b'))";
  return split + "('output_domain'), " + split + "('output_metric')";
}

std::string number_of(const std::string& type) {
  return "atom_domain(nan = FALSE, .T = '" + type + "'), absolute_distance('" + type + "')";
}

std::string scores() { return rows_of("i32", "linf_distance('i32')"); }

std::string counts_under(const std::string& metric) {
  const std::string keys = "atom_domain(.T = 'String')";
  const std::string counts = "atom_domain(nan = FALSE, .T = 'i32')";
  return "map_domain(" + keys + ", " + counts + "), " + metric + "(absolute_distance('i32'))";
}

std::string noisy_number(const std::string& noise) {
  return "make_" + noise + "(atom_domain(.T = 'i32'), absolute_distance('i32'), scale = 2)";
}

}  // namespace dp::in_r
