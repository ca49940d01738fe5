// What operating systems do in different ways: randomness, pages, forks, threads, large memory.
// Files have a header of their own, platform_file.h. No other file of the core includes a header of
// a system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp {

// Asks the system's generator for `size` bytes. Returns how many it wrote, which may be fewer, or
// -1 with the reason in errno; EINTR means that a signal came first.
std::ptrdiff_t random_bytes(void* out, std::size_t size);

// Pages of zeros that hold nothing else. Linux fills them with zeros again in a forked child,
// however it was forked; elsewhere the child gets a copy, see after_fork(). Throws std::bad_alloc.
void* private_pages(std::size_t size);
// Of the same size. The caller erases them first if they hold a secret.
void release_pages(void* pages, std::size_t size);

// Has every child that the C library forks call `forget`, before the fork returns there. It does
// nothing where processes do not fork. Throws std::bad_alloc.
void after_fork(void (*forget)());

// Of this process, as long as it lives.
long process_id();

// A pointer that each thread has for itself, null at first. When a thread ends, `end` gets its own,
// unless that is null. It lives as long as the process. Throws std::bad_alloc.
class ThreadPointer {
 public:
  explicit ThreadPointer(void (*end)(void*));
  void* get() const;
  void set(void* pointer) const;

 private:
  std::uintptr_t key_;
};

// An object that each thread has for itself, made when it is first asked for. A thread_local object
// with a destructor will not do: GCC's threads on Windows free its memory first, and then destroy
// what is no longer there (GCC bug 80816).
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

// Uninitialised memory for whole data, aligned for every fundamental type, to be released with
// std::free(). Where the system gives large pages (Linux), it consists of them from twice
// kLargePage bytes on, and starts at a multiple of kLargePage: with small pages, their first touch
// takes as long as the work on them. Throws std::bad_alloc.
constexpr std::size_t kLargePage = std::size_t{1} << 21;
void* large_memory(std::size_t size);

}  // namespace dp
