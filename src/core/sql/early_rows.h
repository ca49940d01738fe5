// A PostgreSQL statement that returns its first rows at once, and counts afterwards.
//
// Drivers wait for the first row before they return control. So two rows of constants come first,
// without a branch, which ingest() ignores. The second is longer than the server's buffer, so the
// server sends the first before it begins to count. The session can then send statements to other
// servers, and later read the counts. If a server holds the rows back, or counts first, the result
// is the same but arrives later.
#pragma once

#include <string>

#include "core/sql/writer.h"

namespace dp::sql {

std::string behind_early_rows(const WrittenStatement& written);

}  // namespace dp::sql
