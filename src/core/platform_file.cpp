#include "core/platform_file.h"

#include <utility>

#include "core/error.h"
#include "core/platform_file_faults.h"
#include "core/platform_file_refusals.h"

namespace dp {

#ifdef DP_TEST_HOOKS
namespace {

DiskRule g_rule = nullptr;

}  // namespace

void rule_disk(DiskRule rule) { g_rule = rule; }

std::ptrdiff_t ask_disk(DiskCall call, std::size_t size) {
  return g_rule != nullptr ? g_rule(call, size) : static_cast<std::ptrdiff_t>(size);
}
#endif

void refuse_file(const std::string& path, const char* what, const std::string& reason) {
  throw Error(ErrorKind::storage, "`" + path + "` " + what + ": " + reason + ".");
}

void refuse_second_name(const std::string& path) {
  refuse_file(path, kOpened, "it is a hard link, and has another name");
}

void refuse_irregular(const std::string& path) {
  refuse_file(path, kOpened, "it is not a regular file");
}

void refuse_zero_byte(const std::string& path) {
  const std::size_t zero = path.find('\0');
  if (zero != std::string::npos) {
    refuse_file(path.substr(0, zero), kOpened, "its name goes on with a zero byte");
  }
}

PlatformFile::PlatformFile(std::string path, std::intptr_t handle)
    : path_(std::move(path)), handle_(handle) {}

PlatformFile::PlatformFile(PlatformFile&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, kNone)) {}

PlatformFile& PlatformFile::operator=(PlatformFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

}  // namespace dp
