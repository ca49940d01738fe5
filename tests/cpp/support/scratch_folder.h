// Test support: an empty folder that is deleted with the object.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "core/platform.h"

namespace dp::test {

class ScratchFolder {
 public:
  ScratchFolder() {
    static std::atomic<int> number{0};
    folder_ = std::filesystem::temp_directory_path() /
              ("psilence-" + std::to_string(process_id()) + "-" + std::to_string(++number));
    std::filesystem::remove_all(folder_);  // left behind by a process of this number that died
    std::filesystem::create_directory(folder_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  // Path of a file in UTF-8, as `name` is.
  std::string file(const std::string& name) const {
    return (folder_ / std::filesystem::u8path(name)).u8string();
  }

  std::size_t count() const {
    const std::filesystem::directory_iterator files(folder_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

 private:
  std::filesystem::path folder_;
};

inline std::string content(const std::string& path) {
  std::ifstream in(std::filesystem::u8path(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace dp::test
