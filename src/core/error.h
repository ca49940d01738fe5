// The only error type of the core: a kind, and a sentence that names arguments and public
// parameters.
//
// A message never holds a value from private data, because untrusted readers can see it.
#pragma once

#include <stdexcept>
#include <string>

namespace dp {

// The framework's published variants, in the order of its documentation, followed by additional
// ones.
enum class ErrorKind {
  ffi,
  type_parse,
  type,
  failed_function,
  failed_map,
  relation_debug,
  failed_cast,
  domain_mismatch,
  metric_mismatch,
  measure_mismatch,
  make_domain,
  make_transformation,
  make_measurement,
  metric_space,
  invalid_distance,
  search,
  overflow,
  not_implemented,
  entropy,       // the operating system gave no randomness
  memory,        // not enough memory
  stale_object,  // a handle that did not survive being saved and loaded
  storage,       // a file could not be locked, or written durably
  unbounded,     // a query that one person can change without limit
  keys,          // groups that are not public, or have no privacy loss to be released with
  domain,        // a column that is not declared, or not as required
  unsupported,   // a step or a function that queries do not have
  budget,        // a loss that does not suffice
  source,        // data that differ from their declaration
  backend,       // an engine that failed; its message is hidden
  ledger,        // a ledger is damaged, is an older copy, or lacks the named record
  interrupted    // the user asked to stop; carries no message
};

// "failed_function": the suffix of R condition classes (`dp_error_failed_function`).
const char* name(ErrorKind kind);

// "FailedFunction": the published spelling, the prefix of every message that a user sees.
const char* variant(ErrorKind kind);

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace dp
