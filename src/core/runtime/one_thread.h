// Rows that may turn out to be for one thread.
#pragma once

namespace dp {

// Rows that other threads than the caller's may try to read, although they are not concurrent():
// the attempt may throw OneThreadOnly, and then a pass begins again with one thread.
class TryableRows {
 public:
  virtual ~TryableRows() = default;
  virtual bool worth_trying() const = 0;
};

struct OneThreadOnly {};

}  // namespace dp
