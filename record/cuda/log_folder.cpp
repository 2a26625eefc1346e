#include "record/cuda/log_folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace twiddle_cuda {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

bool LogFolder::open(const std::string& folder, int files, std::string& reason) {
  folder_ = folder;
  mkdir(folder.c_str(), 0777);
  const auto cannot = [&](const std::string& path) {
    reason = path + " cannot be written: " + std::strerror(errno);
    return false;
  };
  // Programs that start others write a folder each: the first to come has the name as it is.
  const std::string events = folder + "/events.jsonl";
  const int file = ::open(events.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST && folder.find("/process-") == std::string::npos)
    return open(folder + "/process-" + std::to_string(getpid()), files, reason);
  if (file < 0) return cannot(events);
  events_ = fdopen(file, "w");
  for (int i = 0; i < files; ++i) {
    const std::string path = folder + "/log-" + std::to_string(i) + ".bin";
    files_.push_back(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (files_.back() < 0) return cannot(path);
  }
  // Signals are the program's own business: its handlers run on its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int i = 0; i < files; ++i) threads_.emplace_back(&LogFolder::work, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return true;
}

LogFolder::~LogFolder() {
  {
    const std::lock_guard guard(lock_);
    closing_ = true;
  }
  more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (const int file : files_)
    if (file >= 0) close(file);
  if (events_) std::fclose(events_);
}

void LogFolder::event(const std::string& object) {
  const std::lock_guard guard(events_lock_);
  if (!events_) return;
  std::fwrite(object.data(), 1, object.size(), events_);
  std::fputc('\n', events_);
  std::fflush(events_);
}

void LogFolder::file(const std::string& name, const void* bytes, std::size_t count) {
  const std::string path = folder_ + "/" + name, part = path + ".part";
  FILE* out = std::fopen(part.c_str(), "wb");
  if (!out) return;
  const bool whole = std::fwrite(bytes, 1, count, out) == count;
  if (std::fclose(out) == 0 && whole) std::rename(part.c_str(), path.c_str());
}

void LogFolder::write(const char* bytes, std::size_t count, std::uint64_t at, std::shared_ptr<void> done) {
  {
    const std::lock_guard guard(lock_);
    pieces_.push_back({bytes, count, at, std::move(done)});
    ++busy_;
  }
  more_.notify_one();
}

void LogFolder::flush() {
  std::unique_lock guard(lock_);
  idle_.wait(guard, [&] { return busy_ == 0; });
}

void LogFolder::work() {
  for (;;) {
    Piece piece;
    {
      std::unique_lock guard(lock_);
      more_.wait(guard, [&] { return closing_ || !pieces_.empty(); });
      if (pieces_.empty()) return;
      piece = std::move(pieces_.front());
      pieces_.pop_front();
    }
    if (!failed_ && !put(piece) && !failed_.exchange(true))
      event("{\"failed\":" + quoted(std::string("the log cannot be written: ") + std::strerror(errno)) + "}");
    piece.done.reset();
    {
      const std::lock_guard guard(lock_);
      --busy_;
    }
    idle_.notify_all();
  }
}

bool LogFolder::put(const Piece& piece) {
  for (std::uint64_t done = 0; done < piece.count;) {
    const std::uint64_t at = piece.at + done, stripe = at / stripe_bytes, within = at % stripe_bytes;
    const std::uint64_t count = std::min<std::uint64_t>(piece.count - done, stripe_bytes - within);
    const int file = files_[stripe % files_.size()];
    const ssize_t written =
        pwrite(file, piece.bytes + done, count, static_cast<off_t>(stripe / files_.size() * stripe_bytes + within));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace twiddle_cuda
