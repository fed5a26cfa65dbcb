//===- MetadataTree.cpp - metadata that are being written -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/entry/MetadataTree.h"
#include "lgc/CompileError.h"
#include "llvm/BinaryFormat/MsgPackWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lgc {

void MetadataNode::become(Kind wanted) {
  KILN_CHECK(kind == Kind::None || kind == wanted, "metadata: a value of two kinds");
  kind = wanted;
}

void MetadataNode::setNumber(Kind wanted, uint64_t value) {
  become(wanted);
  number = value;
}

void MetadataNode::set(StringRef value) {
  become(Kind::Text);
  text = value.copy(allocator);
}

void MetadataNode::set(ArrayRef<uint64_t> values) {
  become(Kind::Array);
  for (uint64_t value : values)
    add().set(value);
}

MetadataNode *MetadataNode::make(StringRef key) {
  ++count;
  return new (allocator) MetadataNode(allocator, key.copy(allocator));
}

MetadataNode &MetadataNode::asMap() {
  become(Kind::Map);
  return *this;
}

MetadataNode &MetadataNode::operator[](StringRef key) {
  become(Kind::Map);
  MetadataNode **place = &first;
  for (; *place; place = &(*place)->next) {
    const int order = (*place)->name.compare(key);
    if (order == 0)
      return **place;
    if (order > 0)
      break;
  }
  MetadataNode *node = make(key);
  node->next = *place;
  *place = node;
  return *node;
}

MetadataNode &MetadataNode::add() {
  become(Kind::Array);
  MetadataNode *node = make("");
  (last ? last->next : first) = node;
  last = node;
  return *node;
}

MetadataNode &MetadataNode::at(unsigned index) {
  become(Kind::Array);
  while (index >= count)
    add();
  MetadataNode *node = first;
  while (index-- > 0)
    node = node->next;
  return *node;
}

void MetadataNode::write(msgpack::Writer &writer) const {
  switch (kind) {
  case Kind::None:
    return writer.write(uint64_t(0));
  case Kind::Bool:
    return writer.write(number != 0);
  case Kind::Number:
    return writer.write(number);
  case Kind::Text:
    return writer.write(text);
  case Kind::Map:
    writer.writeMapSize(count);
    break;
  case Kind::Array:
    writer.writeArraySize(count);
    break;
  }
  for (const MetadataNode *child = first; child; child = child->next) {
    if (kind == Kind::Map)
      writer.write(child->name);
    child->write(writer);
  }
}

std::string MetadataTree::text() const {
  std::string bytes;
  raw_string_ostream os(bytes);
  os.SetBufferSize(2048); // the writer asks for byte after byte
  msgpack::Writer writer(os);
  top.write(writer);
  os.flush();
  return bytes;
}

} // namespace lgc
