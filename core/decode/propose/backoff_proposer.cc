#include "core/decode/propose/backoff_proposer.h"

#include "core/decode/propose/window_proposer.h"

namespace docspec {

std::unique_ptr<Proposer> make_backoff_proposer(std::vector<DraftTokens> drafts, size_t window,
                                                size_t reach, int32_t stop_token) {
  WindowOptions options;
  options.window = window;
  options.reach = reach;
  options.stop_token = stop_token;
  options.max_candidates = 8;
  return make_window_proposer(std::move(drafts), options);
}

}  // namespace docspec
