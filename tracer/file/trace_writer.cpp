// Writes trace files. Everything goes through one transaction after another, each small; when the process dies, SQLite's
// rollback journal takes the file back to the last of them (see trace_reader.cpp for how a reader does that).

#include "tracer/codec/codec.h"
#include "tracer/codec/codec_state.h"
#include "tracer/codec/compress.h"
#include "tracer/file/checksum.h"
#include "tracer/file/segment_facts.h"
#include "tracer/file/sqlite.h"
#include "tracer/file/summary.h"
#include "tracer/file/trace_file.h"
#include "tracer/file/trace_metadata.h"
#include "tracer/file/trace_schema.h"
#include "tracer/trace/bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <optional>

namespace twiddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool all_zero(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

fs::path with_suffix(const fs::path& file, const char* suffix) {
  fs::path result = file;
  return result += suffix;
}

void remove_trace(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(with_suffix(file, "-journal"), ignored);
}

// Where to write, so that an existing file stays until there is a better one.
fs::path place_for(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return file;
  if (fs::is_directory(status))
    throw usage_error("cannot write {}: it is a directory, name a file in it", file.string());
  if (!fs::is_regular_file(status)) throw usage_error("cannot write {}: a trace needs a regular file", file.string());
  return with_suffix(file, ".part");
}

// The elements that a block writes; see BlockEntry.
struct WrittenRange {
  int buffer = -1;
  std::uint32_t first = UINT32_MAX, last = 0;
};

WrittenRange written_range(const OperationBlock& block) {
  WrittenRange range;
  bool any = false;
  for (const SiteColumns& columns : block.sites) {
    const ShapeTraits& shape = traits(columns.shape);
    if (shape.writes == 0 || columns.count == 0) continue;
    const int buffer = columns.buffers[shape.write_buffer];
    range.buffer = !any || range.buffer == buffer ? buffer : -1;
    any = true;
    for (std::size_t w = 0; w < std::size_t(shape.writes); ++w)
      for (const std::uint32_t index : columns.index[shape.write_index[w]]) {
        range.first = std::min(range.first, index);
        range.last = std::max(range.last, index);
      }
  }
  return range;
}

void sync_file(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

struct TraceWriter::Implementation {
  fs::path target, path;
  Pace pace;
  sqlite::Database database;
  sqlite::Statement insert_block, insert_content, insert_patch, insert_summary;
  bool in_transaction = false, open = false;
  std::size_t uncommitted = 0;
  Clock::time_point last_commit = Clock::now();
  std::uint64_t committed_bytes = 0;

  TraceInfo info;  // as handed to begin; launches and segments stay empty
  std::optional<CodecState> codec;
  std::optional<Summaries> summaries;
  std::optional<LaunchInfo> launch;
  std::optional<SegmentFacts> facts;  // of the segment being written
  std::size_t segments = 0;           // begun so far
  int epoch = 0, stage = 0;           // of the segment being written
  std::uint64_t next_step = 1;
  std::uint64_t kept = 0, inconsistent = 0;  // of the launch

  Implementation(const fs::path& file, Pace how_often);
  void begin_transaction();
  void commit();
  void commit_when_due();
  void insert_patch_chunk(int buffer, const std::vector<std::uint32_t>& elements, const std::vector<std::byte>& bytes);
  void write_progress();
  void open_segment(int new_epoch, int new_stage);
  void close_segment();
  void write_summaries(std::int64_t segment);
  std::uint64_t patch(int buffer, std::span<const std::byte> device);
  void close_database();
  void close(bool complete);

  // Every public function runs through here: what SQLite reports becomes a sentence.
  template <typename Function>
  auto guarded(const Function& function) {
    try {
      return function();
    } catch (const sqlite::Failure& failure) {
      throw usage_error("cannot write {}: {}", path.string(), failure.what());
    }
  }
};

TraceWriter::Implementation::Implementation(const fs::path& file, Pace how_often)
    : target(file), path(place_for(file)), pace(how_often) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, ignored))
    throw usage_error("cannot write {}: there is no folder {}", file.string(), folder.string());
  remove_trace(path);
  guarded([&] {
    database = sqlite::Database(path, sqlite::Database::Mode::create);
    open = true;
    // A process that dies leaves the operating system's copy of the file intact, so nothing waits for the disk.
    database.execute("PRAGMA page_size = 4096");
    database.execute("PRAGMA journal_mode = TRUNCATE");
    database.execute("PRAGMA synchronous = OFF");
    begin_transaction();
    database.execute(fmt::format("PRAGMA application_id = {}", schema::application_id));
    database.execute(fmt::format("PRAGMA user_version = {}", schema::version));
    for (const schema::Table& table : schema::tables) database.execute(std::string(table.sql));
    commit();
    insert_block = database.prepare("INSERT INTO blocks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert_content = database.prepare("INSERT INTO first_contents VALUES (NULL, ?, ?, ?, ?, ?)");
    insert_patch = database.prepare("INSERT INTO patches VALUES (NULL, ?, ?, ?, ?, ?)");
    insert_summary = database.prepare("INSERT INTO summaries VALUES (NULL, ?, ?, ?, ?, ?)");
  });
}

void TraceWriter::Implementation::begin_transaction() {
  if (!in_transaction) database.execute("BEGIN");
  in_transaction = true;
}

void TraceWriter::Implementation::commit() {
  if (in_transaction) database.execute("COMMIT");
  in_transaction = false;
  uncommitted = 0;
  last_commit = Clock::now();
  std::error_code ignored;
  committed_bytes = fs::file_size(path, ignored);
}

// What a reader sees of the launch and the segment in progress.
void TraceWriter::Implementation::write_progress() {
  if (facts) write_segment(database, segments - 1, facts->segment());
  if (!launch) return;
  LaunchInfo now = *launch;
  now.kept = kept;
  now.inconsistent_reads = inconsistent;
  write_launch(database, now);
}

void TraceWriter::Implementation::commit_when_due() {
  if (uncommitted < pace.bytes && Clock::now() - last_commit < pace.interval) return;
  begin_transaction();
  write_progress();
  commit();
}

void TraceWriter::Implementation::open_segment(int new_epoch, int new_stage) {
  close_segment();
  if (segments > 0 || next_step > 1) write_summaries(static_cast<std::int64_t>(segments) - 1);
  epoch = new_epoch;
  stage = new_stage;
  facts.emplace(launch->number, epoch, stage, next_step);
  ++segments;
}

void TraceWriter::Implementation::close_segment() {
  if (!facts) return;
  begin_transaction();
  write_segment(database, segments - 1, facts->segment());
  facts.reset();
}

void TraceWriter::Implementation::write_summaries(std::int64_t segment) {
  if (info.detail != Detail::Values || segment >= std::int64_t(schema::most_summarised_segments)) return;
  const std::vector<bool> changed = summaries->renew(codec->memory());
  for (std::size_t b = 0; b < changed.size(); ++b) {
    if (!changed[b]) continue;
    begin_transaction();
    const std::vector<float>& ranges = summaries->of(static_cast<int>(b));
    const auto frame = compress(std::as_bytes(std::span(ranges)), sizeof(float));
    insert_summary.bind(0, segment).bind(1, b).bind(2, ranges.size()).bind(3, crc32(frame)).bind(4, frame).run();
    uncommitted += frame.size();
  }
}

void TraceWriter::Implementation::insert_patch_chunk(int buffer, const std::vector<std::uint32_t>& elements,
                                                     const std::vector<std::byte>& bytes) {
  begin_transaction();
  std::vector<std::uint32_t> steps(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) steps[i] = elements[i] - (i ? elements[i - 1] : 0);
  const ElementTraits& type = traits(info.buffers[buffer].type);
  ByteWriter data;
  data.string(compress(std::as_bytes(std::span(steps)), sizeof(std::uint32_t)));
  data.string(compress(bytes, type.wide ? 8 : 4));
  const auto blob = data.take();
  insert_patch.bind(0, launch->number)
      .bind(1, buffer)
      .bind(2, elements.size())
      .bind(3, crc32(blob))
      .bind(4, blob)
      .run();
  uncommitted += blob.size();
  commit_when_due();
}

// Stores where the device differs from the replay, and puts the device's content in its place. Returns how many elements.
std::uint64_t TraceWriter::Implementation::patch(int buffer, std::span<const std::byte> device) {
  const std::span<const std::byte> replayed = codec->memory().bytes(buffer);
  const std::size_t size = std::min(replayed.size(), device.size());
  const std::size_t element = traits(info.buffers[buffer].type).bytes;
  std::uint64_t differing = 0;
  std::vector<std::uint32_t> elements;
  std::vector<std::byte> bytes;
  for (std::size_t page = 0; page < size; page += State::page_bytes) {
    const std::size_t end = std::min(size, page + State::page_bytes);
    if (std::memcmp(replayed.data() + page, device.data() + page, end - page) == 0) continue;
    for (std::size_t at = page; at + element <= end; at += element) {
      if (std::memcmp(replayed.data() + at, device.data() + at, element) == 0) continue;
      elements.push_back(static_cast<std::uint32_t>(at / element));
      bytes.insert(bytes.end(), device.begin() + static_cast<std::ptrdiff_t>(at),
                   device.begin() + static_cast<std::ptrdiff_t>(at + element));
      ++differing;
    }
    codec->memory().assign(buffer, page, device.subspan(page, end - page));
    if (info.detail == Detail::Values && elements.size() + State::page_bytes / element > schema::patch_chunk) {
      insert_patch_chunk(buffer, elements, bytes);
      elements.clear();
      bytes.clear();
    }
  }
  if (info.detail == Detail::Values && !elements.empty()) insert_patch_chunk(buffer, elements, bytes);
  return differing;
}

void TraceWriter::Implementation::close_database() {
  for (sqlite::Statement* statement : {&insert_block, &insert_content, &insert_patch, &insert_summary})
    *statement = sqlite::Statement();
  database.close();
}

void TraceWriter::Implementation::close(bool complete) {
  close_segment();
  begin_transaction();
  if (complete) {
    write_meta(database, "complete", "1");
    write_meta(database, "checksum", std::to_string(metadata_checksum(database)));
  } else {
    write_progress();
  }
  commit();
  close_database();
  std::error_code error;
  fs::remove(with_suffix(path, "-journal"), error);
  sync_file(path);
  if (complete && path != target) {
    fs::rename(path, target, error);
    if (error) throw usage_error("cannot replace {}: {}", target.string(), error.message());
    path = target;
  }
  open = false;
}

TraceWriter::TraceWriter(const fs::path& file, Pace pace) : self_(std::make_unique<Implementation>(file, pace)) {}

TraceWriter::~TraceWriter() {
  if (!self_->open) return;
  self_->close_database();
  remove_trace(self_->path);
}

void TraceWriter::begin(const TraceInfo& info) {
  Implementation& self = *self_;
  self.info = info;
  self.info.complete = false;
  self.codec.emplace(info.buffers);
  self.summaries.emplace(info.buffers);
  self.guarded([&] {
    self.begin_transaction();
    write_metadata(self.database, self.info);
    self.commit();
  });
}

void TraceWriter::first_content(int buffer, std::span<const std::byte> bytes) {
  Implementation& self = *self_;
  const BufferInfo& info = self.info.buffers.at(static_cast<std::size_t>(buffer));
  const std::size_t word = traits(info.type).wide ? 8 : 4;
  bytes = bytes.first(std::min<std::size_t>(bytes.size(), info.count * traits(info.type).bytes));
  self.guarded([&] {
    for (std::size_t at = 0; at < bytes.size(); at += schema::content_chunk) {
      const auto part = bytes.subspan(at, std::min(schema::content_chunk, bytes.size() - at));
      if (all_zero(part)) continue;
      self.codec->memory().assign(buffer, at, part);
      const auto frame = compress(part, word);
      self.begin_transaction();
      self.insert_content.bind(0, buffer).bind(1, at).bind(2, part.size()).bind(3, crc32(frame)).bind(4, frame).run();
      self.uncommitted += frame.size();
      self.commit_when_due();
    }
  });
}

void TraceWriter::begin_launch(const LaunchInfo& launch) {
  Implementation& self = *self_;
  self.guarded([&] {
    if (!self.launch) self.write_summaries(-1);
    self.launch = launch;
    self.kept = self.inconsistent = 0;
    self.codec->begin_launch(launch);
    self.begin_transaction();
    self.write_progress();
  });
}

void TraceWriter::append(int epoch, int stage, OperationBlock&& block) {
  Implementation& self = *self_;
  assert(self.launch && block.count > 0 && block.count <= block_capacity);
  self.guarded([&] {
    if (!self.facts || (!block.barriers && (epoch != self.epoch || stage != self.stage)))
      self.open_segment(epoch, stage);
    block.segment = self.segments - 1;
    block.first_step = block.barriers ? 0 : self.next_step;
    if (!block.barriers) {
      self.next_step += block.count;
      self.facts->add(block);
    }
    self.kept += block.count;
    const auto data = encode(block, *self.codec, self.inconsistent);
    self.begin_transaction();
    self.insert_block.bind(0, block.segment)
        .bind(1, block.first_step)
        .bind(2, block.count)
        .bind(3, block.barriers ? 1 : 0);
    self.insert_block.bind(4, block.item.front()).bind(5, block.item.back());
    const WrittenRange written = written_range(block);
    self.insert_block.bind(6, written.buffer).bind(7, written.first).bind(8, written.last);
    self.insert_block.bind(9, crc32(data)).bind(10, data).run();
    self.uncommitted += data.size();
    self.commit_when_due();
  });
}

void TraceWriter::end_launch(const LaunchInfo& launch,
                             const std::function<std::span<const std::byte>(int)>& device_buffer) {
  Implementation& self = *self_;
  assert(self.launch && self.launch->number == launch.number);
  self.guarded([&] {
    self.close_segment();
    std::uint64_t unexplained = 0;
    for (std::size_t b = 0; device_buffer && b < self.info.buffers.size(); ++b)
      if (self.info.buffers[b].space != Space::Local) {
        const auto device = device_buffer(static_cast<int>(b));
        if (!device.empty()) unexplained += self.patch(static_cast<int>(b), device);
      }
    self.write_summaries(static_cast<std::int64_t>(self.segments) - 1);
    self.launch = launch;
    self.launch->unexplained = self.info.detail == Detail::Values ? unexplained : 0;
    self.begin_transaction();
    self.write_progress();
    self.commit_when_due();
  });
}

std::vector<std::byte> TraceWriter::replayed(int buffer) const {
  const auto bytes = self_->codec->memory().bytes(buffer);
  return {bytes.begin(), bytes.end()};
}

void TraceWriter::finish() {
  self_->guarded([&] { self_->close(true); });
}

void TraceWriter::interrupt() {
  self_->guarded([&] { self_->close(false); });
}

std::uint64_t TraceWriter::bytes_written() const { return self_->committed_bytes; }
const fs::path& TraceWriter::path() const { return self_->path; }

}  // namespace twiddle
