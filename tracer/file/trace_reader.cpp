// Reads trace files, without ever writing to them. A file whose writer died in the middle of a transaction has a rollback
// journal beside it that has to be played back: that is done in a copy.

#include "base/error.h"
#include "base/message.h"
#include "base/temporary_folder.h"
#include "tracer/codec/accesses/accesses.h"
#include "tracer/codec/columns/compress.h"
#include "tracer/file/access_rows.h"
#include "tracer/file/checksum.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/trace_file.h"
#include "tracer/file/trace_metadata.h"
#include "tracer/file/trace_schema.h"
#include "tracer/trace/bytes.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace twiddle {
namespace {

namespace fs = std::filesystem;

fs::path journal_of(const fs::path& file) {
  fs::path journal = file;
  return journal += "-journal";
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
}

// What can be said before SQLite looks at the file: the first hundred bytes are the database's header.
void check_header(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw unreadable("there is no such file");
  if (fs::is_directory(status)) throw unreadable("this is a directory, not a trace");
  if (!fs::is_regular_file(status)) throw unreadable("this is no regular file, and a trace is one");
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw unreadable("the file cannot be opened: {}", std::strerror(errno));
  std::array<unsigned char, 100> header{};
  const ssize_t got = read(descriptor, header.data(), header.size());
  const int reason = errno;
  close(descriptor);
  if (got < 0) throw unreadable("the file cannot be read: {}", std::strerror(reason));
  const auto size = static_cast<std::size_t>(got);
  if (size == 0) throw unreadable("the file is empty");
  constexpr std::string_view magic("SQLite format 3\0", 16);
  if (size < magic.size() || std::memcmp(header.data(), magic.data(), magic.size()) != 0)
    throw unreadable("this is not a Twiddle trace; `twiddle trace … -o FILE.twd` writes one");
  if (size < header.size()) throw unreadable("the trace is cut short");
  if (big_endian(header.data() + 68) != schema::application_id)
    throw unreadable("this is an SQLite database, but not a Twiddle trace");
  const std::uint32_t version = big_endian(header.data() + 60);
  if (version > std::uint32_t(schema::version))
    throw unreadable("this trace has format {}, and this program reads up to {}: a newer Twiddle can read it", version,
                     schema::version);
  if (version == 0) throw unreadable("this trace has no format number: it is damaged");
}

// The tables must be exactly those that the writer makes: no views, no triggers, nothing computed.
void check_schema(const sqlite::Database& database) {
  const int version = version_of(database);
  std::size_t found = 0, wanted = 0;
  for (const schema::Table& table : schema::tables) wanted += table.since <= version ? 1 : 0;
  auto rows = database.prepare("SELECT type, name, sql FROM sqlite_master LIMIT 1000");
  while (rows.next()) {
    const std::string type = rows.text(0), name = rows.text(1);
    if (type != "table" && type != "index") throw unreadable("the trace holds a {}, which no Twiddle writes", type);
    for (const schema::Table& table : schema::tables)
      if (type == "table" && name == table.name && table.since <= version) {
        if (rows.text(2) != table.sql) throw unreadable("the trace's table {} is not as Twiddle makes it", name);
        ++found;
      }
  }
  if (found != wanted) throw unreadable("the trace lacks tables that it should have");
}

sqlite::Database open_checked(const fs::path& file, sqlite::Database::Mode mode) {
  sqlite::Database database(file, mode);
  database.distrust(static_cast<int>(schema::max_cell_bytes));
  check_schema(database);  // the first look at the file: a journal shows here
  return database;
}

// The file as SQLite would repair it, in a copy that is gone from its folder at once and from the disk when closed.
sqlite::Database open_recovered(const fs::path& file) {
  const TemporaryFolder folder(ExitCode::unreadable, "its writer was stopped, and it can only be repaired in a copy");
  const fs::path copy = folder.path() / "trace.twd";
  std::error_code error;
  fs::copy_file(file, copy, error);
  if (!error) fs::copy_file(journal_of(file), journal_of(copy), error);
  if (error)
    throw unreadable("its writer was stopped, and a repaired copy cannot be made in {}: {}", folder.path().string(),
                     error.message());
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add, error);
  return open_checked(copy, sqlite::Database::Mode::read_write);
}

sqlite::Database open_trace(const fs::path& file) {
  try {
    return open_checked(file, sqlite::Database::Mode::read_only);
  } catch (const sqlite::Failure& failure) {
    std::error_code error;
    const bool needs_repair = failure.code() == SQLITE_READONLY || failure.code() == SQLITE_CANTOPEN;
    if (!needs_repair || !fs::exists(journal_of(file), error)) throw;
  }
  return open_recovered(file);
}

Message sentence_for(const sqlite::Failure& failure) {
  switch (failure.code()) {
    case SQLITE_NOTADB: return Message("this is not a Twiddle trace, or its first page is damaged");
    case SQLITE_CORRUPT: return Message("the trace is damaged or cut short");
    case SQLITE_TOOBIG: return Message("the trace is damaged: it claims more than can be");
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Message("another program holds the trace: try again when it has finished");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return Message("the file cannot be opened");
    default: return Message("the trace cannot be read: {}", failure.what());
  }
}

}  // namespace

struct TraceReader::Implementation {
  fs::path path;
  mutable std::mutex mutex;  // the database serves one thread at a time
  sqlite::Database database;
  mutable LaunchValuesFinder launch_values;

  explicit Implementation(const TraceSource& trace) : launch_values(trace) {}

  // Blocks follow one another as their segments do, and add up to them.
  void read_blocks(TraceInfo& info, std::vector<BlockEntry>& blocks) const {
    std::uint64_t next_step = 1;
    std::vector<std::uint64_t> in_segment(info.segments.size(), 0);
    auto rows = database.prepare(
        "SELECT id, segment, first_step, count, barriers, first_item, last_item, written_buffer, first_written, "
        "last_written FROM blocks ORDER BY id");
    while (rows.next()) {
      if (blocks.size() == schema::max_blocks)
        throw unreadable("the trace has more than {} blocks", schema::max_blocks);
      BlockEntry entry;
      entry.id = rows.integer(0);
      const std::int64_t previous = blocks.empty() ? 0 : static_cast<std::int64_t>(blocks.back().segment);
      entry.segment = bounded<std::size_t>(rows, 1, previous, static_cast<std::int64_t>(info.segments.size()) - 1,
                                           "segment of a block");
      entry.count = bounded<std::uint32_t>(rows, 3, 1, block_capacity, "length of a block");
      entry.barriers = rows.integer(4) != 0;
      const std::uint64_t expected = entry.barriers ? 0 : next_step;
      entry.first_step = bounded<std::uint64_t>(rows, 2, 0, schema::max_steps, "step of a block");
      if (entry.first_step != expected) throw unreadable("the trace lacks the block of step {}", next_step);
      entry.first_item = bounded<std::uint32_t>(rows, 5, 0, UINT32_MAX, "item of a block");
      entry.last_item = bounded<std::uint32_t>(rows, 6, 0, UINT32_MAX, "item of a block");
      entry.written_buffer =
          bounded<int>(rows, 7, -1, static_cast<std::int64_t>(info.buffers.size()) - 1, "buffer of a block");
      entry.first_written = bounded<std::uint32_t>(rows, 8, 0, UINT32_MAX, "element of a block");
      entry.last_written = bounded<std::uint32_t>(rows, 9, 0, UINT32_MAX, "element of a block");
      if (entry.barriers) {
        info.barriers += entry.count;
      } else {
        next_step += entry.count;
        in_segment[entry.segment] += entry.count;
      }
      blocks.push_back(entry);
    }
    for (std::size_t s = 0; s < in_segment.size(); ++s)
      if (in_segment[s] != info.segments[s].count) throw unreadable("the trace lacks blocks of its segment {}", s);
    info.steps = next_step - 1;
  }

  // A blob whose checksum is right.
  static std::vector<std::byte> checked(sqlite::Statement& row, int checksum_column, int data_column) {
    const auto data = row.blob(data_column);
    if (crc32(data) != static_cast<std::uint64_t>(row.integer(checksum_column)))
      throw unreadable("the trace is damaged: a part of it does not match its checksum");
    return {data.begin(), data.end()};
  }

  // Every function that reads runs through here: one at a time, and every failure names the file.
  template <typename Function>
  auto guarded(const Function& function) const {
    const std::lock_guard lock(mutex);
    return named(path, function);
  }
  template <typename Function>
  static auto named(const fs::path& path, const Function& function) {
    try {
      return function();
    } catch (const sqlite::Failure& failure) {
      throw unreadable("{}: {}", path.string(), sentence_for(failure));
    } catch (const Error& error) {
      throw Error(error.code(), Message("{}: {}", path.string(), error.message()));
    } catch (const std::bad_alloc&) { throw unreadable("{}: there is not enough memory to read it", path.string()); }
  }
};

TraceReader::TraceReader() : self_(std::make_unique<Implementation>(*this)) {}
TraceReader::~TraceReader() = default;

std::shared_ptr<const TraceReader> TraceReader::open(const fs::path& file) {
  // The constructor is private.
  std::shared_ptr<TraceReader> reader(new TraceReader);
  Implementation& self = *reader->self_;
  self.path = reader->path_ = file;
  self.guarded([&] {
    check_header(file);
    self.database = open_trace(file);
    self.database.execute("BEGIN");  // one moment of a file that may still be growing
    reader->info_ = read_metadata(self.database);
    self.read_blocks(reader->info_, reader->blocks_);
    if (reader->info_.version >= 2) reader->access_entries_ = read_access_entries(self.database, reader->info_);
    if (reader->info_.complete && stored_checksum(self.database) != metadata_checksum(self.database))
      throw unreadable("the trace is damaged: its tables do not match their checksum");
    self.database.execute("COMMIT");
  });
  return reader;
}

std::shared_ptr<const TraceSource> TraceReader::another() const { return open(path_); }

std::uint64_t TraceReader::file_bytes() const {
  std::error_code error;
  const std::uint64_t size = fs::file_size(self_->path, error);
  return error ? 0 : size;
}

std::vector<std::byte> TraceReader::block_bytes(const BlockEntry& entry) const {
  return self_->guarded([&] {
    auto row = self_->database.prepare("SELECT checksum, data FROM blocks WHERE id = ?");
    if (!row.bind(0, entry.id).next()) throw unreadable("the trace lost a block");
    return self_->checked(row, 0, 1);
  });
}

void TraceReader::for_each_content(int buffer, const EachContent& each) const {
  self_->guarded([&] {
    const BufferInfo& info = info_.buffers.at(static_cast<std::size_t>(buffer));
    const auto size = static_cast<std::int64_t>(info.count * traits(info.type).bytes);
    auto rows = self_->database.prepare(
        "SELECT first_byte, bytes, checksum, data FROM first_contents WHERE buffer = ? ORDER BY id");
    rows.bind(0, buffer);
    std::vector<std::byte> bytes;
    while (rows.next()) {
      const std::int64_t first = bounded(rows, 0, 0, size, "place of a first content");
      const std::int64_t count =
          bounded(rows, 1, 0, std::min<std::int64_t>(schema::content_chunk, size - first), "size of a first content");
      const std::size_t word = component_bytes_of(info.type);
      if (count % static_cast<std::int64_t>(word) != 0)
        throw unreadable("a first content of the trace ends within a value");
      bytes.resize(static_cast<std::size_t>(count));
      decompress(self_->checked(rows, 2, 3), word, bytes);
      each(static_cast<std::uint64_t>(first), bytes);
    }
  });
}

void TraceReader::for_each_patch(int launch, const std::function<void(const Patch&)>& each) const {
  self_->guarded([&] {
    auto rows =
        self_->database.prepare("SELECT buffer, count, checksum, data FROM patches WHERE launch = ? ORDER BY id");
    rows.bind(0, launch);
    while (rows.next()) {
      Patch patch;
      patch.buffer = bounded<int>(rows, 0, 0, static_cast<std::int64_t>(info_.buffers.size()) - 1, "buffer of a patch");
      const auto count = bounded<std::size_t>(rows, 1, 0, schema::patch_chunk, "size of a patch");
      const BufferInfo& buffer = info_.buffers[patch.buffer];
      const auto data = self_->checked(rows, 2, 3);
      ByteReader in(data);
      patch.elements.resize(count);
      decompress(in.string(), sizeof(std::uint32_t), std::as_writable_bytes(std::span(patch.elements)));
      for (std::size_t i = 1; i < count; ++i) patch.elements[i] += patch.elements[i - 1];
      patch.bytes.resize(count * traits(buffer.type).bytes);
      decompress(in.string(), component_bytes_of(buffer.type), patch.bytes);
      each(patch);
    }
  });
}

AccessLog TraceReader::accesses(const AccessEntry& entry) const {
  const std::vector<std::byte> bytes = self_->guarded([&] {
    auto row = self_->database.prepare("SELECT checksum, data FROM accesses WHERE id = ?");
    if (!row.bind(0, entry.id).next()) throw unreadable("the trace lost accesses");
    return self_->checked(row, 0, 1);
  });
  // Not guarded: operations of the launch may have to be read, each guarded by itself.
  return Implementation::named(self_->path, [&] {
    const AccessFormat format =
        info_.version < schema::values_predicted ? AccessFormat::PlainValues : AccessFormat::PredictedValues;
    return decode_accesses(bytes, entry, info_, format, self_->launch_values);
  });
}

std::vector<float> TraceReader::summary(int segment, int buffer) const {
  return self_->guarded([&]() -> std::vector<float> {
    if (segment >= std::int64_t(schema::max_summarised_segments)) return {};
    auto row = self_->database.prepare(
        "SELECT ranges, checksum, data FROM summaries WHERE buffer = ? AND segment <= ? ORDER BY id DESC LIMIT 1");
    if (!row.bind(0, buffer).bind(1, segment).next()) return {};
    std::vector<float> ranges(bounded<std::size_t>(row, 0, 0, schema::summary_ranges, "size of a summary"));
    decompress(self_->checked(row, 1, 2), sizeof(float), std::as_writable_bytes(std::span(ranges)));
    return ranges;
  });
}

std::vector<TraceReader::Bookmark> TraceReader::bookmarks() const {
  return self_->guarded([&] {
    std::vector<Bookmark> bookmarks;
    auto rows = self_->database.prepare("SELECT step, note FROM bookmarks ORDER BY step");
    while (rows.next() && bookmarks.size() < schema::max_bookmarks)
      bookmarks.push_back({bounded<std::uint64_t>(rows, 0, 0, schema::max_steps, "step of a bookmark"), rows.text(1)});
    return bookmarks;
  });
}

void TraceReader::verify() const {
  self_->guarded([&] {
    for (const char* sql :
         {"SELECT checksum, data FROM first_contents ORDER BY id", "SELECT checksum, data FROM blocks ORDER BY id",
          "SELECT checksum, data FROM patches ORDER BY id", "SELECT checksum, data FROM summaries ORDER BY id",
          "SELECT checksum, data FROM accesses ORDER BY id"}) {
      if (info_.version < 2 && std::string_view(sql).find("accesses") != std::string_view::npos) continue;
      auto rows = self_->database.prepare(sql);
      while (rows.next()) self_->checked(rows, 0, 1);
    }
  });
}

void set_bookmark(const fs::path& file, std::uint64_t step, const std::string& note, bool present) {
  TraceReader::open(file);  // says what is wrong with the file, if anything is
  try {
    sqlite::Database database(file, sqlite::Database::Mode::read_write);
    if (present)
      database.prepare("INSERT OR REPLACE INTO bookmarks VALUES (?, ?)").run(step, note);
    else
      database.prepare("DELETE FROM bookmarks WHERE step = ?").run(step);
  } catch (const sqlite::Failure& failure) {
    throw usage_error("the bookmark cannot be kept in {}: {}", file.string(), failure.what());
  }
}

}  // namespace twiddle
