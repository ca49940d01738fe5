#include "core/data/lines.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/runtime/parallel.h"

namespace dp {
namespace {

constexpr std::size_t kStride = 4096;

// Number of line ends among `size` bytes. Eight at a time, without tables or special instructions.
std::uint64_t count_line_ends(const char* bytes, std::size_t size) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kLow = 0x7f * kOnes;
  std::uint64_t count = 0;
  std::size_t i = 0;
  while (size - i >= 8) {
    // Each byte of `tally` counts for one place in the word: at most 255 words at a time.
    const std::size_t end = i + 8 * std::min<std::size_t>((size - i) / 8, 255);
    std::uint64_t tally = 0;
    for (; i < end; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i, 8);
      word ^= '\n' * kOnes;                                   // 0 where a line ends
      tally += ~(((word & kLow) + kLow) | word | kLow) >> 7;  // 1 there, 0 elsewhere
    }
    constexpr std::uint64_t kEven = 0x00ff00ff00ff00ff;
    const std::uint64_t pairs = (tally & kEven) + ((tally >> 8) & kEven);
    count += (pairs * 0x0001000100010001) >> 48;
  }
  for (; i < size; ++i) count += bytes[i] == '\n' ? 1 : 0;
  return count;
}

class LineColumn final : public Column {
 public:
  explicit LineColumn(Text text) : text_(std::move(text)) {
    const std::string_view all = text_.characters;
    const std::size_t strides = (all.size() + kStride - 1) / kStride;
    ends_before_.resize(strides + 1);
    constexpr std::size_t kTask = 256;  // strides: 1 MiB
    const std::size_t threads = strides >= 8 * kTask ? thread_count() : 1;
    parallel_for((strides + kTask - 1) / kTask, threads, [&](std::size_t task) {
      for (std::size_t i = task * kTask; i < std::min(strides, (task + 1) * kTask); ++i) {
        const std::string_view bytes = all.substr(i * kStride, kStride);
        ends_before_[i + 1] = count_line_ends(bytes.data(), bytes.size());
      }
    });
    for (std::size_t i = 0; i < strides; ++i) ends_before_[i + 1] += ends_before_[i];
    const bool open = !all.empty() && all.back() != '\n';
    size_ = static_cast<std::size_t>(ends_before_.back()) + (open ? 1 : 0);
  }

  AtomType type() const override { return AtomType::string; }
  std::size_t size() const override { return size_; }

  Batch read(std::size_t begin, std::size_t size, BatchBuffer& buffer) const override {
    auto* cells = buffer.cells<std::string>(size);
    std::string_view rest = size == 0 ? std::string_view() : from_line(begin);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) {
        cells[i] = rest;  // the last line
        break;
      }
      const bool crlf = end > 0 && rest[end - 1] == '\r';
      cells[i] = rest.substr(0, crlf ? end - 1 : end);
      rest.remove_prefix(end + 1);
    }
    return {cells, nullptr, size};
  }

 private:
  // The text from the beginning of a line on.
  std::string_view from_line(std::size_t line) const {
    if (line == 0) return text_.characters;
    // The stride that contains the end of the line before.
    const auto past = std::lower_bound(ends_before_.begin(), ends_before_.end(), line);
    const auto stride = static_cast<std::size_t>(past - ends_before_.begin()) - 1;
    std::string_view rest = text_.characters.substr(stride * kStride);
    for (std::uint64_t skip = line - ends_before_[stride]; skip > 0; --skip) {
      rest.remove_prefix(rest.find('\n') + 1);
    }
    return rest;
  }

  Text text_;
  std::vector<std::uint64_t> ends_before_;  // line ends before byte i * kStride, and in all
  std::size_t size_;
};

}  // namespace

ColumnPtr lines_of(Text text) { return std::make_shared<LineColumn>(std::move(text)); }

}  // namespace dp
