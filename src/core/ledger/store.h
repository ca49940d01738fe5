// Where the lines of a ledger are: a file in a folder (folder_store.h), or whatever else keeps
// lines in their order, keeps writers apart, and says when a line is on stable storage.
//
// A store moves lines, and reads nothing in them. All checks, sums and hashes are the ledger's.
// It also has leases: each keeps other processes from running a charge. A lease ends with the
// process that has it, however that dies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dp {

// A place between lines of a store: what stands before it.
struct LedgerPosition {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  // with the ends of lines
};

class LedgerStore {
 public:
  // The right to read and write, which nobody else has until it is gone, or append() returned.
  class Access {
   public:
    virtual ~Access() = default;

    // Whether the lines stand in another file than the one that was settled on, if any was.
    virtual bool is_replaced() = 0;
    // Settles on the file that is there now.
    virtual void settle() = 0;

    // The one line that stood between two places; something else if it is gone.
    virtual std::string line(const LedgerPosition& start, const LedgerPosition& end) = 0;
    // Calls `see` with each line from `from` on. Returns what stands behind the last one: an
    // unfinished line, or nothing.
    virtual std::string each_line(const LedgerPosition& from,
                                  const std::function<void(std::string_view line)>& see) = 0;
    // The SHA-256 of what the caller stored under `name` beside the lines, in hexadecimal; nothing
    // if there is none. It is stored whole or not at all.
    virtual std::optional<std::string> stored_hash(const std::string& name) = 0;
    // Removes an unfinished line behind `end`.
    virtual void cut_off(const LedgerPosition& end) = 0;

    // Writes a line behind `end`. It is on stable storage when this returns. The last call of an
    // access: whatever it throws, the line may be there.
    virtual void append(const LedgerPosition& end, const std::string& line) = 0;
  };

  // The right to run a charge, which no other process has until the object or the process ends.
  class Lease {
   public:
    virtual ~Lease() = default;
  };

  virtual ~LedgerStore() = default;

  // As messages name it.
  virtual std::string name() const = 0;

  // Waits for the right; throws ErrorKind::ledger if another keeps it for so many milliseconds. A
  // queue of others who each have it for a short time is waited for.
  virtual std::unique_ptr<Access> access(int patience) = 0;

  // Null if another has the lease of that charge for so many milliseconds.
  virtual std::unique_ptr<Lease> lease(std::uint64_t charge, int patience) = 0;

  // Throws ErrorKind::ledger if there is a ledger already.
  virtual void check_vacant() = 0;
  // Makes a ledger of these lines, with all of them or none on stable storage.
  virtual void create(const std::string& lines) = 0;
};

}  // namespace dp
