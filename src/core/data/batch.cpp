#include "core/data/batch.h"

namespace dp {

void* BatchBuffer::room(std::size_t bytes) {
  const std::size_t lines = bytes / sizeof(Line) + 1;
  if (lines_.size() < lines) lines_.resize(lines);
  return lines_.data();
}

}  // namespace dp
