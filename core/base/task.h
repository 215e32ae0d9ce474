#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace docspec {

/// A lazy, single-threaded coroutine. It starts with `start` or when it is awaited, and runs until
/// it awaits something that is not ready; that resumes it. Destroying
/// it ends it where it waits. What it was called with must outlive it.
template <class T>
class [[nodiscard]] Task {
  struct Awaited;

  struct Common {
    std::coroutine_handle<> awaiting = std::noop_coroutine();
    std::exception_ptr error;

    struct GoBack {
      bool await_ready() noexcept { return false; }
      template <class Promise>
      std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) noexcept {
        return ended.promise().awaiting;
      }
      void await_resume() noexcept {}
    };
    std::suspend_always initial_suspend() noexcept { return {}; }
    GoBack final_suspend() noexcept { return {}; }
    void unhandled_exception() { error = std::current_exception(); }
  };
  struct Valued : Common {
    std::optional<T> value;
    void return_value(T given) { value.emplace(std::move(given)); }
  };
  struct Valueless : Common {
    void return_void() {}
  };

 public:
  struct promise_type : std::conditional_t<std::is_void_v<T>, Valueless, Valued> {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  /// Its value, once, when it is done; throws what it threw.
  T get() {
    auto& promise = handle_.promise();
    if (promise.error) std::rethrow_exception(promise.error);
    if constexpr (!std::is_void_v<T>) return std::move(*promise.value);
  }
  /// start() and get(), for a task that waits for nothing.
  T run() {
    start();
    return get();
  }
  Awaited operator co_await() { return {*this}; }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  struct Awaited {
    Task& task;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
      task.handle_.promise().awaiting = awaiting;
      return task.handle_;
    }
    T await_resume() { return task.get(); }
  };

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace docspec
