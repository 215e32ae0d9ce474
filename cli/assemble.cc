#include "cli/assemble.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "core/page_ranges.h"
#include "core/sha256.h"
#include "core/spec.h"
#include "drafts/page_drafter.h"
#include "drafts/registry.h"

namespace docspec {
namespace {

std::string read_bytes(const std::string& input) {
  std::ostringstream out;
  if (input == "-") {
    out << std::cin.rdbuf();
    return std::move(out).str();
  }
  std::error_code error;
  if (std::filesystem::is_directory(input, error))
    throw Error(ExitCode::input_file, input + ": is a folder; several inputs need -o FOLDER");
  std::ifstream file(input, std::ios::binary);
  if (!file)
    throw Error(ExitCode::input_file,
                input + ": " + std::strerror(errno) + "; check the name and its permissions");
  if (const auto size = std::filesystem::file_size(input, error); !error && size > 0) {
    // In one piece: a file that does not fit is std::bad_alloc here, not a bad stream.
    std::string bytes(size, '\0');
    file.read(bytes.data(), std::streamsize(size));
    if (size_t(file.gcount()) != size)
      throw Error(ExitCode::input_file, input + ": ended while it was read; convert it again");
    return bytes;
  }
  out << file.rdbuf();  // a pipe or device has no size
  if (file.bad()) throw Error(ExitCode::input_file, input + ": reading it failed");
  return std::move(out).str();
}

}  // namespace

int drafting_threads(const Options& options) {
  if (options.jobs > 0) return options.jobs;
  return std::max(1, int(std::thread::hardware_concurrency()) - 1);
}

OpenInput open_input(const std::string& input, const Options& options) {
  OpenInput open;
  auto bytes = std::make_shared<InputBytes>();
  bytes->name = input;
  bytes->bytes = read_bytes(input);
  open.page_count = open_document(bytes, options.password)->page_count();
  const PageRanges ranges = options.pages.empty() ? PageRanges() : PageRanges(options.pages);
  open.pages = ranges.pages(open.page_count);
  open.cut = ranges.beyond(open.page_count);
  if (open.pages.empty())
    throw Error(ExitCode::usage, input + ": --pages " + options.pages + " leaves nothing of " +
                                     std::to_string(open.page_count) + " pages");
  open.sha256 = sha256_hex(bytes->bytes);
  open.bytes = std::move(bytes);
  return open;
}

Assembly::Assembly(const Options& options) : options_(options) {
  if (options.draft == "none" && !wants_model(options))
    throw Error(ExitCode::usage,
                "--draft none leaves nothing without a model; name one with --model");
  if (options.draft == "auto" || options.draft == "none" || options.preset == "plain") {
    // Plain decoding drafts too: regions, the size of letters and the checks on finished text.
    sources_ = {"text-layer", "tesseract"};
  } else {
    for (const Spec& spec : parse_spec_list("--draft", options.draft, forms(drafter_registry()))) {
      sources_.push_back(spec.name);
      if (spec.name == "replay") {
        const std::string& file = spec.text("FILE");
        replay_ = std::make_shared<DraftsFile>(parse_drafts_json(read_bytes(file), file));
      }
    }
  }
  if (wants_model(options)) {
    model_ = std::make_unique<ModelRun>(options_);
  } else {
    draft_reader_ = make_draft_reader();
  }
}

Assembly::~Assembly() = default;

DocumentJob Assembly::document_job(const OpenInput& input) const {
  DocumentJob job;
  job.input = input.bytes;
  job.sha256 = input.sha256;
  job.page_count = input.page_count;
  job.pages = input.pages;
  job.workers = drafting_threads(options_);
  job.reader = model_ ? &model_->reader() : draft_reader_.get();
  if (model_) {
    job.model = model_->info();
    job.threads = &model_->threads();
    if (options_.jobs == 0) job.workers = job.threads->drafting_threads();
  }
  PageDraftOptions draft;
  draft.dpi = options_.dpi.value_or(200);
  draft.own_pixels = model_ && !options_.dpi;  // the model's own resize must be the only one
  draft.max_pixels = options_.max_pixels;
  draft.sources = sources_;
  draft.want_image = model_ != nullptr;
  draft.config.lang = options_.lang;
  draft.config.replay = replay_;
  job.make_drafter = [bytes = input.bytes, password = options_.password, draft] {
    auto drafter = std::make_shared<PageDrafter>(draft);
    std::shared_ptr<DocumentReader> reader = open_document(bytes, password);
    return [drafter, reader](int page) { return drafter->draft(*reader, page); };
  };
  return job;
}

}  // namespace docspec
