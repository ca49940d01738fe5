// A statement of PostgreSQL that answers at once, and counts afterwards.
//
// Drivers wait for the first row before they give control back. Two rows of constants come first,
// of no branch, which ingest() overlooks; the second is longer than the server's buffer, so that
// the first leaves the server before the rest is begun. Then the session may send other statements
// to other servers, and come back for what was counted. Should a server keep back the rows, or
// count first, the result is the same, only later.
#pragma once

#include <string>

#include "core/sql/writer.h"

namespace dp::sql {

std::string behind_early_rows(const WrittenStatement& written);

}  // namespace dp::sql
