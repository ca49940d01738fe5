// Random statements for PostgreSQL, and the kernel's counts of the same rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/sql/writer.h"
#include "query/random_tables.h"

namespace dp::test {

struct EngineCase {
  random_tables::Case one;
  query::Salt salt;
  sql::EngineTable table;
  std::string load;  // statements that make the table
  sql::WrittenStatement written;
};

// Statements with steps of all kinds on a table of PostgreSQL.
EngineCase engine_case(std::uint64_t seed);

query::ExactAggregates expected_of(const EngineCase& one);

}  // namespace dp::test
