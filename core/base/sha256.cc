#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "core/base/error.h"

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

std::string sha256_hex_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw Error(ExitCode::input_file,
                file.string() + ": " + std::strerror(errno) + "; check the name");
  Hash hash;
  std::string piece(1 << 20, '\0');
  while (in.read(piece.data(), std::streamsize(piece.size())) || in.gcount() > 0)
    hash.add({piece.data(), size_t(in.gcount())});
  if (in.bad()) throw Error(ExitCode::input_file, file.string() + ": reading it failed");
  return hash.hex();
}

}  // namespace docspec
