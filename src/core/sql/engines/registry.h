// All places where private tables can be.
#pragma once

#include <string>
#include <vector>

#include "core/sql/data_source.h"
#include "core/sql/dialect.h"

namespace dp::sql {

const std::vector<const DataSource*>& data_sources();

// The source with this name. Throws failed_cast if there is none.
const DataSource& source_named(const std::string& name);

// Engines that count.
std::vector<const Dialect*> dialects();
const Dialect& dialect_named(const std::string& name);

}  // namespace dp::sql
