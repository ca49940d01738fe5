// Random statements on hostile tables in a real PostgreSQL: no errors, and the kernel's integers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/sql/ingest.h"
#include "sql/engine_cases.h"

namespace dp::test::sql_postgresql_test {
namespace {

constexpr std::uint64_t kCases = 2000;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  return cells;
}

TEST(SqlOnPostgresql, CountsWhatTheKernelCounts) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("psilence-sql-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const fs::path in = folder / "in.sql";
  const fs::path out = folder / "out";
  {
    std::ofstream script(in);
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
      const EngineCase one = engine_case(seed);
      script << one.load << "SELECT '#';\n" << one.written.sql << ";\n";
    }
  }
  const fs::path runner = fs::path(__FILE__).parent_path() / "../sql/postgresql.sh";
  const std::string command =
      "sh '" + runner.string() + "' '" + in.string() + "' '" + out.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::vector<std::vector<std::vector<std::string>>> results;
  std::ifstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (line == "#") {
      results.emplace_back();
    } else {
      results.back().push_back(split(line));
    }
  }
  fs::remove_all(folder);
  ASSERT_EQ(results.size(), kCases);
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const EngineCase one = engine_case(seed);
    const sql::ResultLayout& layout = one.written.layout;
    std::vector<std::vector<std::string>> columns(1 + layout.by.size() + layout.values);
    for (const auto& row : results[seed]) {
      ASSERT_EQ(row.size(), columns.size()) << "seed " << seed;
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(row[c]);
    }
    EXPECT_TRUE(
        random_tables::same(sql::ingest(layout, one.one.tallies, columns), expected_of(one)))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace dp::test::sql_postgresql_test
