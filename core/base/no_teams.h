#pragma once

#include <omp.h>

namespace docspec {

/// Keeps libraries from opening OpenMP teams in this thread: on few cores they cost six times the
/// work (drafts.md 2). The thread's setting comes back afterwards, for libtorch.
class NoTeams {
 public:
  NoTeams() : levels_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~NoTeams() { omp_set_max_active_levels(levels_); }
  NoTeams(const NoTeams&) = delete;
  NoTeams& operator=(const NoTeams&) = delete;

 private:
  int levels_;
};

}  // namespace docspec
