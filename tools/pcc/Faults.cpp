//===- Faults.cpp - what is wrong in a file -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Faults.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace pcc {

char Noted::ID = 0;

void Noted::log(llvm::raw_ostream &out) const { out << "errors that are noted already"; }

std::error_code Noted::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

void Faults::add(Message message) {
  const bool isKnown = llvm::any_of(messages, [&](const Message &other) {
    return other.isError == message.isError && other.text == message.text &&
           other.place.pointer == message.place.pointer && other.place.line == message.place.line &&
           other.place.column == message.place.column;
  });
  if (!isKnown)
    messages.push_back(std::move(message));
}

void Faults::note(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const Noted &) {},
      [&](const replay::PlacedError &placed) {
        if (count++ < most)
          add({true, "", placed.place, placed.what});
      },
      [&](const llvm::ErrorInfoBase &other) {
        if (count++ < most)
          add({true, "", {}, other.message()});
      });
}

void Faults::warn(TextPlace place, std::string text) {
  if (messages.size() < 2 * most)
    add({false, "", std::move(place), std::move(text)});
}

llvm::Error Faults::since(size_t before) const {
  return count == before ? llvm::Error::success() : llvm::make_error<Noted>();
}

std::vector<Message> Faults::take() {
  llvm::sort(messages, [](const Message &a, const Message &b) {
    return std::tie(a.place.line, a.place.column, a.text) <
           std::tie(b.place.line, b.place.column, b.text);
  });
  if (isFull()) {
    TextPlace last = messages.back().place;
    last.pointer.clear();
    messages.push_back(
        {true, "", std::move(last), std::to_string(most) + " errors: no more are looked for"});
  }
  return std::move(messages);
}

} // namespace pcc
