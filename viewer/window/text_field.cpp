#include "viewer/window/text_field.h"

#include "viewer/panels/panels.h"
#include "viewer/scene/fonts.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_impl_opengl3.h>

namespace twiddle {
namespace {

constexpr float font_size = 14;

ImVec4 colour(const Theme& theme, Role role, float alpha = 1) {
  const Rgb rgb = theme.colour(role);
  return {static_cast<float>(rgb.r) / 255, static_cast<float>(rgb.g) / 255, static_cast<float>(rgb.b) / 255, alpha};
}

}  // namespace

void TextField::open(const std::string& text) {
  text_.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), text_.size() - 1), text_.begin());
  focus_ = true;
  entered_ = false;
}

void TextField::prepare(float scale, Language language) {
  if (scale == font_scale_ && language == font_language_) return;
  font_scale_ = scale, font_language_ = language;
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  const FontFile file = font_file(Face::Mono, Weight::Regular);
  const ImFont* font = file.path.empty() ? nullptr : io.Fonts->AddFontFromFileTTF(file.path.c_str(), font_size * scale);
  if (!font) io.Fonts->AddFontDefault();
#if IMGUI_VERSION_NUM < 19200
  const ImWchar* ranges = language == Language::Japanese  ? io.Fonts->GetGlyphRangesJapanese()
                          : language == Language::Chinese ? io.Fonts->GetGlyphRangesChineseSimplifiedCommon()
                                                          : nullptr;
#else
  const ImWchar* ranges = nullptr;  // any letter, when it is needed
#endif
  const FontFile letters = cjk_font_file(language, Weight::Regular);
  if (language != Language::English && !letters.path.empty()) {
    ImFontConfig more;
    more.MergeMode = true;
    more.FontNo = letters.index;
    io.Fonts->AddFontFromFileTTF(letters.path.c_str(), font_size * scale, &more, ranges);
  }
#if IMGUI_VERSION_NUM < 19200
  // Later versions draw glyphs when they are needed; before, the texture has to be made anew.
  io.Fonts->Build();
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

std::optional<std::string> TextField::show(const Scene& scene, const Theme& theme) {
  std::optional<Box> box;
  for (const Shape2D& shape : scene.shapes)
    if (shape.mark >= 0 && scene.marks[shape.mark].mark.command == text_field_mark && !box) box = bounds(shape);
  if (!box) return std::nullopt;
  ImGui::SetNextWindowPos({box->x, box->y});
  ImGui::SetNextWindowSize({box->w, box->h});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10 * font_scale_, (box->h - font_size * font_scale_) / 2));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(theme, Role::Ink));
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, colour(theme, Role::HoverSoft));
  std::optional<std::string> entered;
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav;
  if (ImGui::Begin("##field", nullptr, flags)) {
    ImGui::SetNextItemWidth(box->w);
    if (focus_) ImGui::SetKeyboardFocusHere();
    focus_ = false;
    ImGui::InputText("##text", text_.data(), text_.size());
    if (entered_) {
      entered_ = false;
      entered = text_.data();
      focus_ = true;  // a wrong entry can be corrected
    }
  }
  ImGui::End();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(4);
  return entered;
}

}  // namespace twiddle
