// Worked maps of the oracle files, as C++ values.
#pragma once

#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/domains/domain.h"
#include "core/error.h"
#include "core/metrics/distance.h"
#include "core/metrics/metric.h"

namespace dp::test {

struct OracleRow {
  std::size_t line;
  std::string constructor, args, d_in, d_out, source;

  // Text of the argument `key`, without quotes. Empty if it is absent or null.
  std::optional<std::string> arg(const std::string& key) const {
    const std::string mark = '"' + key + "\": ";
    const std::size_t found = args.find(mark);
    if (found == std::string::npos) return {};
    const std::size_t begin = found + mark.size();
    if (args[begin] == '"') return args.substr(begin + 1, args.find('"', begin + 1) - begin - 1);
    const std::string text = args.substr(begin, args.find_first_of(",}", begin) - begin);
    if (text == "null") return {};
    return text;
  }

  bool is_error() const { return d_out.compare(0, 6, "ERROR:") == 0; }
};

inline double oracle_number(const std::string& text) {
  if (text == "Inf") return std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return std::stod(text == "5e-324" ? "0x1p-1074" : text);  // stod calls subnormals out of range
}

// Parses "1;2.5" or "1,2.5".
inline std::vector<double> oracle_numbers(const std::string& text, char separator) {
  std::vector<double> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) {
    numbers.push_back(oracle_number(part));
  }
  return numbers;
}

// Fields of each line of a CSV file.
inline std::vector<std::vector<std::string>> oracle_table(const std::string& name) {
  const std::string here = __FILE__;
  const std::string root = here.substr(0, here.rfind("tests/cpp/"));
  std::ifstream file(root + "tests/testthat/fixtures/" + name);
  if (!file) throw std::runtime_error("the oracle file is missing");
  std::vector<std::vector<std::string>> table;
  std::string line;
  while (std::getline(file, line)) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += line[++i];
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        fields.emplace_back();
      } else {
        fields.back() += line[i];
      }
    }
    table.push_back(std::move(fields));
  }
  return table;
}

// Rows of one constructor, or all rows if `constructor` is empty.
inline std::vector<OracleRow> oracle_rows(const std::string& constructor,
                                          const std::string& name = "privacy_maps.csv") {
  std::vector<OracleRow> rows;
  std::size_t number = 0;
  for (const auto& fields : oracle_table(name)) {
    ++number;
    if (fields.size() == 5 && (constructor.empty() || fields[0] == constructor)) {
      rows.push_back({number, fields[0], fields[1], fields[2], fields[3], fields[4]});
    }
  }
  return rows;
}

// Parses "AtomDomain(T=i32)" or "VectorDomain(AtomDomain(T=f64), size=3)".
inline Domain oracle_domain(const std::string& text, bool nan) {
  const std::size_t type = text.find("T=") + 2;
  AtomDomain atom = non_nan_atom(parse_atom_type(text.substr(type, text.find(')', type) - type)));
  atom.nan = nan;
  if (text.compare(0, 6, "Vector") != 0) return atom;
  const std::size_t size = text.find("size=");
  if (size == std::string::npos) return vector_of(atom);
  return vector_of(atom, std::stoull(text.substr(size + 5)));
}

// Parses "L1Distance(f64)".
inline Metric oracle_metric(std::string text) {
  text[text.find('(')] = '<';
  text.back() = '>';
  return parse_metric(text);
}

inline Distance oracle_distance(const std::string& text, AtomType type) {
  return visit_number(type, [&](auto tag) -> Distance {
    using T = typename decltype(tag)::type;
    return Scalar(static_cast<T>(oracle_number(text)));
  });
}

// Whether `error` is the failure in the row. Compares the variant, if the row names one, and the
// message from its verb on (the part without numbers).
inline bool matches(const OracleRow& row, const Error& error) {
  std::string text = row.d_out.substr(7);
  const std::size_t quote = text.find('"');
  if (quote != std::string::npos) {
    const std::string kind = text.substr(0, text.find_first_of(", "));
    if (kind != variant(error.kind())) return false;
    text = text.substr(quote + 1, text.find('"', quote + 1) - quote - 1);
  }
  const std::size_t verb = text.find("must ");
  return std::string(error.what()).find(verb == std::string::npos ? text : text.substr(verb)) !=
         std::string::npos;
}

}  // namespace dp::test
