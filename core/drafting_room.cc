#include "core/drafting_room.h"

namespace docspec {

void DraftingRoom::set_threads(int threads) {
  const std::lock_guard lock(mutex_);
  threads_ = threads;
  changed_.notify_all();
}

void DraftingRoom::expect(int pages) {
  const std::lock_guard lock(mutex_);
  expected_ += pages;
  ++events_;
  changed_.notify_all();
}

bool DraftingRoom::all_begun() const {
  const std::lock_guard lock(mutex_);
  return expected_ == 0;
}

DraftingRoom::Place::Place(DraftingRoom& room) : room_(room) {
  std::unique_lock lock(room_.mutex_);
  room_.changed_.wait(lock, [&] { return room_.drafting_ < room_.threads_; });
  ++room_.drafting_;
}

DraftingRoom::Place::~Place() {
  const std::lock_guard lock(room_.mutex_);
  --room_.drafting_;
  room_.changed_.notify_all();
}

uint64_t DraftingRoom::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void DraftingRoom::tell_drafted() {
  const std::lock_guard lock(mutex_);
  ++events_;
  changed_.notify_all();
}

void DraftingRoom::wait(uint64_t seen) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return events_ > seen; });
}

}  // namespace docspec
