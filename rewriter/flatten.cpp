#include "rewriter/flatten.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace twiddle::rewriter {
namespace {

bool of_opencl_itself(const clang::SourceManager& sources, clang::SourceLocation location) {
  const std::string_view file = sources.getFilename(sources.getSpellingLoc(location));
  const auto ends_in = [&](std::string_view name) {
    return file.size() >= name.size() && file.substr(file.size() - name.size()) == name;
  };
  return ends_in("opencl-c-base.h") || ends_in("opencl-c.h");
}

// Puts every pragma back as it was written.
class KeepPragmas final : public clang::PragmaHandler {
 public:
  explicit KeepPragmas(FlatSource& flat) : flat_(flat) {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token& first) override {
    const bool hidden = of_opencl_itself(preprocessor.getSourceManager(), introducer.Loc);
    std::string line = "\n#pragma";
    for (clang::Token token = first; token.isNot(clang::tok::eod); preprocessor.LexUnexpandedToken(token))
      line += " " + preprocessor.getSpelling(token);
    if (!hidden) flat_.text += line + "\n";
  }

 private:
  FlatSource& flat_;
};

// Takes note of macros that OpenCL's headers define, of those that the program tests, and of the files that it names.
class TakeNotes final : public clang::PPCallbacks {
 public:
  TakeNotes(clang::Preprocessor& preprocessor, FlatSource& flat, std::set<unsigned>& kept)
      : preprocessor_(preprocessor), flat_(flat), kept_(kept) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs* arguments) override {
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (!macro || arguments || macro->isFunctionLike() || macro->isBuiltinMacro()) return;
    if (of_opencl_itself(preprocessor_.getSourceManager(), macro->getDefinitionLoc()))
      kept_.insert(name.getLocation().getRawEncoding());
  }
  void FileChanged(clang::SourceLocation location, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    if (!location.isValid() || of_opencl_itself(sources, location) || sources.isWrittenInBuiltinFile(location) ||
        sources.isWrittenInCommandLineFile(location))
      return;
    const clang::PresumedLoc presumed = sources.getPresumedLoc(location);
    if (!presumed.isValid() || presumed.getFilename()[0] == '<') return;
    if (std::find(flat_.files.begin(), flat_.files.end(), presumed.getFilename()) == flat_.files.end())
      flat_.files.emplace_back(presumed.getFilename());
  }
  void Ifdef(clang::SourceLocation where, const clang::Token& name, const clang::MacroDefinition& known) override {
    test(where, name, known);
  }
  void Ifndef(clang::SourceLocation where, const clang::Token& name, const clang::MacroDefinition& known) override {
    test(where, name, known);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition& known, clang::SourceRange range) override {
    test(range.getBegin(), name, known);
  }

 private:
  void test(clang::SourceLocation where, const clang::Token& name, const clang::MacroDefinition& known) {
    if (!known && !of_opencl_itself(preprocessor_.getSourceManager(), where))
      flat_.tested.insert(preprocessor_.getSpelling(name));
  }

  clang::Preprocessor& preprocessor_;
  FlatSource& flat_;
  std::set<unsigned>& kept_;  // uses of OpenCL's own macros
};

class Flatten final : public clang::PreprocessorFrontendAction {
 public:
  explicit Flatten(FlatSource& flat) : flat_(flat) {}

  void ExecuteAction() override {
    clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    const clang::SourceManager& sources = preprocessor.getSourceManager();
    std::set<unsigned> kept;
    preprocessor.addPPCallbacks(std::make_unique<TakeNotes>(preprocessor, flat_, kept));
    preprocessor.AddPragmaHandler(new KeepPragmas(flat_));  // the preprocessor's from here on
    preprocessor.EnterMainSourceFile();

    clang::Token token;
    clang::SourceLocation last_kept;
    for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) {
      const clang::SourceLocation outer = sources.getExpansionLoc(token.getLocation());
      if (of_opencl_itself(sources, outer) || sources.isWrittenInBuiltinFile(outer) ||
          sources.isWrittenInCommandLineFile(outer))
        continue;
      // The outermost use of a macro of OpenCL's own that this token comes from.
      clang::SourceLocation own;
      for (clang::SourceLocation at = token.getLocation(); at.isMacroID();) {
        at = sources.getImmediateExpansionRange(at).getBegin();
        if (kept.count(at.getRawEncoding())) own = at;
      }
      if (own.isValid() && own == last_kept) continue;
      last_kept = own;
      std::string spelling;
      if (own.isValid()) {
        llvm::SmallString<32> buffer;
        spelling =
            clang::Lexer::getSpelling(sources.getSpellingLoc(own), buffer, sources, preprocessor.getLangOpts()).str();
      } else {
        spelling = preprocessor.getSpelling(token);
      }
      add(preprocessor, own.isValid() ? own : token.getLocation(), outer, spelling);
    }
    flat_.text += "\n";
  }

 private:
  // What a macro was handed is where it was written; the macro's own text is where the macro was used.
  void add(clang::Preprocessor& preprocessor, clang::SourceLocation location, clang::SourceLocation outer,
           const std::string& spelling) {
    const clang::SourceManager& sources = preprocessor.getSourceManager();
    const clang::SourceLocation written = sources.getFileLoc(location);
    const clang::PresumedLoc line = sources.getPresumedLoc(outer), place = sources.getPresumedLoc(written);
    new_line(line);
    FlatToken token;
    token.offset = flat_.text.size();
    const auto file = std::find(flat_.files.begin(), flat_.files.end(), std::string(place.getFilename()));
    token.at = {static_cast<int>(file - flat_.files.begin()), static_cast<int>(place.getLine()),
                static_cast<int>(place.getColumn())};
    token.begin = token.end = 0;
    if (sources.isInFileID(written, sources.getMainFileID())) {
      const bool of_the_macro = location.isMacroID() && written == outer;
      const clang::SourceLocation last = of_the_macro ? sources.getExpansionRange(location).getEnd() : written;
      token.begin = sources.getFileOffset(written);
      token.end =
          sources.getFileOffset(last) + clang::Lexer::MeasureTokenLength(last, sources, preprocessor.getLangOpts());
    }
    flat_.tokens.push_back(token);
    flat_.text += spelling;
  }

  // Compilers' messages about the rewritten text are to name the program's own lines.
  void new_line(const clang::PresumedLoc& line) {
    constexpr unsigned few = 8;
    if (line.getLine() == last_line_ && last_file_ == line.getFilename()) {
      flat_.text += " ";
      return;
    }
    const bool other_file = last_file_ != line.getFilename();
    if (other_file || line.getLine() < last_line_ || line.getLine() > last_line_ + few) {
      flat_.text += "\n#line " + std::to_string(line.getLine());
      if (other_file) flat_.text += " \"" + std::string(line.getFilename()) + "\"";
      flat_.text += "\n";
    } else {
      flat_.text.append(line.getLine() - last_line_, '\n');
    }
    last_line_ = line.getLine();
    last_file_ = line.getFilename();
  }

  FlatSource& flat_;
  unsigned last_line_ = 0;
  std::string last_file_;
};

// The token that the byte is in or behind.
const FlatToken* token_at(const FlatSource& flat, std::size_t offset) {
  const auto after = std::upper_bound(flat.tokens.begin(), flat.tokens.end(), offset,
                                      [](std::size_t at, const FlatToken& token) { return at < token.offset; });
  return after == flat.tokens.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

bool flatten(const std::string& code, const std::string& name, const std::vector<std::string>& options,
             const clang::tooling::FileContentMappings& headers, FlatSource& flat) {
  return clang::tooling::runToolOnCodeWithArgs(std::make_unique<Flatten>(flat), code, options, name, "twiddle-rewriter",
                                               std::make_shared<clang::PCHContainerOperations>(), headers);
}

Written written_at(const FlatSource& flat, std::size_t offset) {
  const FlatToken* token = token_at(flat, offset);
  return token ? token->at : Written{};
}

std::string written_text(const FlatSource& flat, const std::string& code, std::size_t begin, std::size_t end) {
  constexpr std::size_t max_characters = 200;
  const FlatToken *first = token_at(flat, begin), *last = end > begin ? token_at(flat, end - 1) : nullptr;
  if (!first || !last) return {};
  const std::size_t from = std::min(first->begin, last->begin), to = std::max(first->end, last->end);
  const bool whole = from < to && to <= code.size() && first->end != 0 && last->end != 0;
  const std::string text = whole ? code.substr(from, to - from) : flat.text.substr(begin, end - begin);
  std::string joined;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (joined.empty() || joined.back() == ' ')) continue;
    joined += blank ? ' ' : c;
    if (joined.size() == max_characters) break;
  }
  return joined;
}

}  // namespace twiddle::rewriter
