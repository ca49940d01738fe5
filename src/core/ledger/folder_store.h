// A ledger in a folder:
//
//   <folder>/ledger.jsonl   the lines; written only at its end
//   <folder>/lock           locked for the length of an access
//   <folder>/releases/      texts that the caller stores beside the lines
//   <folder>/runs/<charge>  locked while a process runs the charge; deleted when it has ended
//
// A write that a crash cut short leaves a line without an end.
//
// Throws ErrorKind::storage for the disk, ErrorKind::ledger for the content, and
// ErrorKind::interrupted while it waits for the lock.
#pragma once

#include <memory>
#include <string>

#include "core/ledger/store.h"

namespace dp {

std::shared_ptr<LedgerStore> folder_store(const std::string& folder);

// Opens the folder for reading: without a lock or the right to write. Calls that would write throw
// ErrorKind::ledger.
std::shared_ptr<LedgerStore> folder_to_read(const std::string& folder);

}  // namespace dp
