// Storage of a ledger's lines: a file in a folder (folder_store.h), or any other store that keeps
// lines in order, excludes concurrent writers, and reports when a line is on stable storage.
//
// A store moves lines, and does not interpret them. The ledger does all checks, sums and hashes. A
// store also has leases: each keeps other processes from running a charge. A lease ends with its
// process, however the process dies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dp {

// A position between lines of a store: the number of lines and bytes before it.
struct LedgerPosition {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  // with the ends of lines
};

class LedgerStore {
 public:
  // The exclusive right to read and write, until the object is gone, or append() returned.
  class Access {
   public:
    virtual ~Access() = default;

    // Whether the lines are in a different file than the settled one, if any was settled.
    virtual bool is_replaced() = 0;
    // Settles on the current file.
    virtual void settle() = 0;

    // The line between two positions; any other text if it is gone.
    virtual std::string line(const LedgerPosition& start, const LedgerPosition& end) = 0;
    // Calls `see` with each line from `from` on. Returns the rest behind the last line: an
    // unfinished line, or nothing.
    virtual std::string each_line(const LedgerPosition& from,
                                  const std::function<void(std::string_view line)>& see) = 0;
    // The SHA-256 of the text stored under `name` beside the lines, in hexadecimal; empty if there
    // is none. Texts are stored atomically.
    virtual std::optional<std::string> stored_hash(const std::string& name) = 0;
    // Removes an unfinished line behind `end`.
    virtual void cut_off(const LedgerPosition& end) = 0;

    // Writes a line behind `end`. It is on stable storage when this returns. This is the last call
    // of an access: if it throws, the line may or may not exist.
    virtual void append(const LedgerPosition& end, const std::string& line) = 0;
  };

  // The exclusive right to run a charge, until the object or the process ends.
  class Lease {
   public:
    virtual ~Lease() = default;
  };

  virtual ~LedgerStore() = default;

  // Name of the store in messages.
  virtual std::string name() const = 0;

  // Waits for the right. Throws ErrorKind::ledger if one holder keeps it for `patience`
  // milliseconds. A queue of holders who each keep it for a short time does not count.
  virtual std::unique_ptr<Access> access(int patience) = 0;

  // Null if another process has kept the lease of that charge for `patience` milliseconds.
  virtual std::unique_ptr<Lease> lease(std::uint64_t charge, int patience) = 0;

  // Throws ErrorKind::ledger if there is a ledger already.
  virtual void check_vacant() = 0;
  // Makes a ledger of these lines. On stable storage there are all of them or none.
  virtual void create(const std::string& lines) = 0;
};

}  // namespace dp
