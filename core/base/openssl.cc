// Hashes and base64 by OpenSSL.
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <memory>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"

namespace docspec {
namespace {

class Hash {
 public:
  Hash() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string out;
    for (unsigned i = 0; i < size; ++i) {
      out += "0123456789abcdef"[digest[i] >> 4];
      out += "0123456789abcdef"[digest[i] & 15];
    }
    return out;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_hex_of_file(const std::filesystem::path& file,
                               const std::atomic<bool>* interrupted) {
  const FileDescriptor in = open_regular(file, ExitCode::input_file);
  Hash hash;
  std::string piece(1 << 20, '\0');
  while (true) {
    if (interrupted && *interrupted)
      throw Error(ExitCode::interrupted, file.string() + ": interrupted");
    const ssize_t count = read(in.get(), piece.data(), piece.size());
    if (count == 0) return hash.hex();
    if (count > 0) hash.add({piece.data(), size_t(count)});
    if (count < 0 && errno != EINTR)
      throw Error(ExitCode::input_file, file.string() + ": reading it failed");
  }
}

std::string to_base64(std::string_view bytes) {
  constexpr size_t kPiece = 3 << 20;  // OpenSSL counts in int; only the last piece has padding
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends what it writes with a 0
  for (size_t at = 0; at < bytes.size(); at += kPiece)
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()) + at / 3 * 4,
                    reinterpret_cast<const unsigned char*>(bytes.data()) + at,
                    int(std::min(kPiece, bytes.size() - at)));
  out.pop_back();
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > size_t(INT_MAX)) return std::nullopt;
  std::string out(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), int(text.size())) < 0)
    return std::nullopt;
  out.resize(out.size() - size_t(text.ends_with('=')) - size_t(text.ends_with("==")));
  if (to_base64(out) != text) return std::nullopt;  // OpenSSL also takes blanks and odd padding
  return out;
}

}  // namespace docspec
