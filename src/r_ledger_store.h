// Ledger stores that R functions read and write: tables of a database.
#pragma once

#include <Rcpp.h>

#include <memory>

#include "core/ledger/store.h"

namespace dp::r {

// A folder, for a string; else what a list of functions reads and writes, as R/ledger-postgres.R
// makes it:
//   name                       text
//   begin(patience)            what the others take as `access`; waits for the lock
//   lines(access, from, most)  up to `most` lines, from that number on
//   append(access, seq, line)  on stable storage when it returns; ends the access
//   end(access)                ends the access, if that has not ended; never fails
//   vacant()                   fails if there is a ledger, or none can be made
//   create(lines)              all of them, or fails with none
// With `only_reads` a folder is opened as folder_to_read() does.
std::shared_ptr<LedgerStore> ledger_store_from_r(SEXP store, bool only_reads = false);

}  // namespace dp::r
