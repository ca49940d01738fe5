// A ledger in a folder:
//
//   <folder>/ledger.jsonl   the lines; only ever written at its end
//   <folder>/lock           locked for the length of an access
//   <folder>/releases/      for what the caller stores beside them
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

// To read: it takes no lock and needs no right to write. What it would write throws
// ErrorKind::ledger.
std::shared_ptr<LedgerStore> folder_to_read(const std::string& folder);

}  // namespace dp
