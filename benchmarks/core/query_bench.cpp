// Question: what does a query in memory cost, without noise, and what do caps for each person add?
//
//   Counts, sums and bins by 100 keys: of rows; of people under a cap on all rows; and under caps
//   on groups and the rows in each. Against a plain pass that adds up counts and sums by key, on
//   one thread, in the same run. Then by how much resident memory grew.
//
//   query_bench [rows] [people] [rounds]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/numeric/lattice.h"
#include "core/query/kernel.h"
#include "core/runtime/parallel.h"

namespace {

using namespace dp;
using namespace dp::query;

constexpr std::int32_t kKeys = 100;

struct Table {
  std::vector<std::int32_t> person, key;
  std::vector<double> value;

  QueryRows rows() const {
    return QueryRows(value.size(),
                     {{"person", QueryColumn::Kind::int32, person.data(), {}, nullptr},
                      {"key", QueryColumn::Kind::int32, key.data(), {}, nullptr},
                      {"value", QueryColumn::Kind::real, value.data(), {}, nullptr}});
  }
};

Table table_of(std::size_t rows, std::size_t people) {
  Table table;
  table.person.reserve(rows);
  table.key.reserve(rows);
  table.value.reserve(rows);
  std::uint64_t state = 1;
  const auto below = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int32_t>((state >> 33) % n);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    table.person.push_back(below(people));
    table.key.push_back(below(kKeys));
    table.value.push_back(below(200000) / 1000.0);
  }
  return table;
}

Statement statement_of(const Truncate* caps) {
  Statement statement;
  Field key{};
  key.name = "key";
  key.type = FieldType::integer;
  key.wholes = {0, kKeys - 1};
  Field value{};
  value.name = "value";
  value.type = FieldType::real;
  value.reals = {0, 200};
  statement.source.fields = {key, value};
  statement.source.unit.kind = caps == nullptr ? Unit::Kind::rows : Unit::Kind::id;
  if (caps != nullptr) {
    statement.source.unit.id = {"person"};
    statement.steps = {*caps};
  }
  statement.by = {"key"};
  return statement;
}

std::vector<ExactAggregate> tallies_of() {
  const Lattice lattice = lattice_for(0, 200);
  const Quantiser quantiser{
      lattice.exponent, 0, 200, lattice.index(0), lattice.index(200), 0, std::nullopt};
  const auto value = std::make_shared<Expression>(ColumnReference{"value"});
  ExactAggregate bins{ExactAggregate::Kind::bins, value, quantiser, {}};
  for (int i = 0; i <= 200; ++i) bins.grid.push_back(lattice.index(i));
  return {{ExactAggregate::Kind::rows, nullptr, {}, {}},
          {ExactAggregate::Kind::sum, value, quantiser, {}},
          bins};
}

double plain_pass(const Table& table) {
  std::vector<double> sums(kKeys), counts(kKeys);
  for (std::size_t i = 0; i < table.value.size(); ++i) {
    const auto key = static_cast<std::size_t>(table.key[i]);
    sums[key] += table.value[i];
    counts[key] += 1;
  }
  double all = 0;
  for (std::size_t k = 0; k < kKeys; ++k) all += sums[k] / counts[k];
  return all;
}

// The most memory that was ever resident, in MB.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  const std::size_t people = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100000;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  const Table table = table_of(size, people);
  const QueryRows rows = table.rows();
  const std::vector<ExactAggregate> tallies = tallies_of();
  const double before = peak_megabytes();
  Truncate total;
  total.rows = 3;
  Truncate groups;
  groups.by = {"key"};
  groups.groups = 3;
  groups.rows_per_group = 5;
  volatile double sink = 0;
  for (const std::size_t threads :
       {std::size_t{1}, std::size_t{std::thread::hardware_concurrency()}}) {
    set_thread_count(threads);
    const auto run = [&](const Truncate* caps) {
      sink = static_cast<double>(tally(statement_of(caps), tallies, rows, Salt{}).values[0].size());
    };
    bench::compare(std::to_string(size) + " rows, " + std::to_string(people) +
                       " people, threads: " + std::to_string(threads),
                   {{"plain pass", [&] { sink = plain_pass(table); }, size},
                    {"rows", [&] { run(nullptr); }, size},
                    {"people, 3 rows each", [&] { run(&total); }, size},
                    {"people, 3 groups of 5 rows each", [&] { run(&groups); }, size}},
                   rounds);
  }
  std::printf("\nresident memory grew by %.0f MB\n", peak_megabytes() - before);
  return 0;
}
