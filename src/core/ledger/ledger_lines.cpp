#include "core/ledger/ledger_lines.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/ledger/record.h"

namespace dp {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

}  // namespace

void check_line_length(std::size_t length) {
  if (length > kMostLineBytes) {
    throw Error(ErrorKind::ledger, "a line of more than 65536 bytes.");
  }
}

std::string for_each_line(const PlatformFile& file,
                          std::uint64_t from,
                          std::uint64_t to,
                          const std::function<void(std::string_view line)>& see) {
  std::vector<char> piece(kPieceBytes);
  std::string tail;
  while (from < to) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(to - from, kPieceBytes));
    const std::size_t count = file.read_some(from, piece.data(), wanted);
    if (count == 0) break;  // the file is shorter by now
    from += count;
    std::string_view rest(piece.data(), count);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      check_line_length(tail.size() + end);
      if (tail.empty()) {
        see(rest.substr(0, end));
      } else {
        tail += rest.substr(0, end);
        see(tail);
        tail.clear();
      }
      rest.remove_prefix(end + 1);
    }
    tail += rest;
    check_line_length(tail.size());
  }
  return tail;
}

}  // namespace dp
