// Differences between operating systems: randomness, pages, forks, threads, large memory. For files
// see platform_file.h. No other file of the core includes a system header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp {

// Asks the system's generator for `size` bytes. Returns the number of written bytes, which can be
// fewer, or -1 with the reason in errno; EINTR means that a signal came first.
std::ptrdiff_t random_bytes(void* out, std::size_t size);

// Zeroed pages that hold nothing else. Linux fills them with zeros again in a forked child,
// whatever the kind of fork; elsewhere the child gets a copy, see after_fork(). Throws
// std::bad_alloc.
void* private_pages(std::size_t size);
// Releases pages of this size. The caller erases them first if they hold a secret.
void release_pages(void* pages, std::size_t size);

// Makes every child that the C library forks call `forget`, before the fork returns there. It does
// nothing if processes do not fork. Throws std::bad_alloc.
void after_fork(void (*forget)());

// The id of this process, unique while it lives.
long process_id();

// A pointer for each thread, null at first. When a thread ends, `end` gets its pointer, unless that
// is null. It lives as long as the process. Throws std::bad_alloc.
class ThreadPointer {
 public:
  explicit ThreadPointer(void (*end)(void*));
  void* get() const;
  void set(void* pointer) const;

 private:
  std::uintptr_t key_;
};

// One object for each thread, made on first use. A thread_local object with a destructor does not
// work: GCC's threads on Windows free its memory before they destroy it (GCC bug 80816).
template <class T>
class PerThread {
 public:
  PerThread() : pointer_([](void* object) { delete static_cast<T*>(object); }) {}
  // Null if this thread has not asked yet.
  T* if_made() const { return static_cast<T*>(pointer_.get()); }
  T& operator()() const {
    T* object = if_made();
    if (object == nullptr) {
      object = new T();
      pointer_.set(object);
    }
    return *object;
  }

 private:
  ThreadPointer pointer_;
};

// Uninitialised memory for whole data, aligned for every fundamental type; release it with
// std::free(). If the system has large pages (Linux), memory of at least twice kLargePage bytes
// consists of them, and starts at a multiple of kLargePage: with small pages, their first touch
// takes as long as the work on them. Throws std::bad_alloc.
constexpr std::size_t kLargePage = std::size_t{1} << 21;
void* large_memory(std::size_t size);

}  // namespace dp
