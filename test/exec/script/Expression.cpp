//===- Expression.cpp - formulas for buffer contents ----------------------===//
// SPDX-License-Identifier: MIT
#include "Expression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

uint64_t toBits(ScalarType type, const Number &number) {
  if (isFloat(type))
    return fromDouble(type, number.asDouble());
  uint64_t bits = static_cast<uint64_t>(number.asInteger());
  return sizeOf(type) == 8 ? bits : bits & ((uint64_t(1) << 8 * sizeOf(type)) - 1);
}

namespace {

using Binary = Number (*)(const Number &, const Number &);

template <typename IntOp, typename FloatOp>
Number arithmetic(const Number &a, const Number &b, IntOp intOp, FloatOp floatOp) {
  if (a.isFloating || b.isFloating)
    return Number::of(static_cast<double>(floatOp(a.asDouble(), b.asDouble())));
  return Number::of(static_cast<int64_t>(
      intOp(static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer))));
}

template <typename Op> Number comparison(const Number &a, const Number &b, Op op) {
  bool result =
      a.isFloating || b.isFloating ? op(a.asDouble(), b.asDouble()) : op(a.integer, b.integer);
  return Number::of(int64_t(result));
}

Number divide(const Number &a, const Number &b) {
  if (a.isFloating || b.isFloating)
    return Number::of(a.asDouble() / b.asDouble());
  return Number::of(b.integer == 0 ? 0 : a.integer / b.integer);
}
Number remainder(const Number &a, const Number &b) {
  if (a.isFloating || b.isFloating)
    return Number::of(std::fmod(a.asDouble(), b.asDouble()));
  return Number::of(b.integer == 0 ? 0 : a.integer % b.integer);
}

struct OperatorRow {
  StringRef text;
  int level; ///< higher binds tighter
  Binary apply;
};

#define ARITHMETIC(op)                                                                             \
  [](const Number &a, const Number &b) {                                                           \
    return arithmetic(                                                                             \
        a, b, [](auto x, auto y) { return x op y; }, [](auto x, auto y) { return x op y; });       \
  }
#define COMPARISON(op)                                                                             \
  [](const Number &a, const Number &b) {                                                           \
    return comparison(a, b, [](auto x, auto y) { return x op y; });                                \
  }
#define BITWISE(op)                                                                                \
  [](const Number &a, const Number &b) { return Number::of(a.asInteger() op b.asInteger()); }

// Of branches that are not taken, too, whose amounts may be anything.
#define SHIFT(op)                                                                                  \
  [](const Number &a, const Number &b) { return Number::of(a.asInteger() op(b.asInteger() & 63)); }

// Longer texts first, so that "<<" is not read as "<".
const OperatorRow operators[] = {
    {"||", 1,
     [](const Number &a, const Number &b) {
       return Number::of(int64_t(a.isTrue() || b.isTrue()));
     }},
    {"&&", 2,
     [](const Number &a, const Number &b) {
       return Number::of(int64_t(a.isTrue() && b.isTrue()));
     }},
    {"==", 6, COMPARISON(==)},
    {"!=", 6, COMPARISON(!=)},
    {"<<", 8, SHIFT(<<)},
    {">>", 8, SHIFT(>>)},
    {"<=", 7, COMPARISON(<=)},
    {">=", 7, COMPARISON(>=)},
    {"<", 7, COMPARISON(<)},
    {">", 7, COMPARISON(>)},
    {"|", 3, BITWISE(|)},
    {"^", 4, BITWISE(^)},
    {"&", 5, BITWISE(&)},
    {"+", 9, ARITHMETIC(+)},
    {"-", 9, ARITHMETIC(-)},
    {"*", 10, ARITHMETIC(*)},
    {"/", 10, divide},
    {"%", 10, remainder},
};

class Parser {
public:
  Parser(StringRef text, const ExpressionScope &scope) : whole(text), rest(text), scope(scope) {}

  Expected<Number> run() {
    Number result = ternary();
    skipSpace();
    if (message.empty() && !rest.empty())
      fail("an operator");
    if (!message.empty())
      return failure(message);
    return result;
  }

private:
  // Formulas are read once for each element: what looks at every character is as simple as can be.
  void skipSpace() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\t'))
      rest = rest.drop_front();
  }
  bool take(char wanted) {
    skipSpace();
    if (rest.empty() || rest.front() != wanted)
      return false;
    rest = rest.drop_front();
    return true;
  }
  Number fail(const Twine &wanted) {
    if (message.empty())
      message = ("expression '" + whole + "': expected " + wanted + " at '" + rest + "'").str();
    rest = "";
    return {};
  }

  Number ternary() {
    if (++depth > 100)
      return fail("less nesting");
    Number condition = binary(1);
    if (take('?')) {
      bool isTrue = condition.isTrue();
      skipping += !isTrue;
      Number yes = ternary();
      skipping -= !isTrue;
      if (!take(':'))
        return fail("':'");
      skipping += isTrue;
      Number no = ternary();
      skipping -= isTrue;
      condition = isTrue ? yes : no;
    }
    --depth;
    return condition;
  }

  const OperatorRow *peekOperator(int minLevel) {
    skipSpace();
    if (rest.empty() || StringRef(")],?:").contains(rest.front()))
      return nullptr;
    for (const OperatorRow &row : operators)
      if (row.text.front() == rest.front() && rest.starts_with(row.text))
        return row.level >= minLevel ? &row : nullptr;
    return nullptr;
  }

  Number binary(int minLevel) {
    Number left = unary();
    while (const OperatorRow *row = peekOperator(minLevel)) {
      rest = rest.drop_front(row->text.size());
      Number right = binary(row->level + 1);
      left = row->apply(left, right);
    }
    return left;
  }

  Number unary() {
    if (++depth > 100)
      return fail("less nesting");
    Number result;
    if (take('-')) {
      Number value = unary();
      result = value.isFloating
                   ? Number::of(-value.floating)
                   : Number::of(static_cast<int64_t>(0 - static_cast<uint64_t>(value.integer)));
    } else if (take('~')) {
      result = Number::of(~unary().asInteger());
    } else if (rest.starts_with("!") && !rest.starts_with("!=") && take('!')) {
      result = Number::of(int64_t(!unary().isTrue()));
    } else {
      result = primary();
    }
    --depth;
    return result;
  }

  Number primary() {
    if (take('(')) {
      Number value = ternary();
      return take(')') ? value : fail("')'");
    }
    if (!rest.empty() && llvm::isDigit(rest.front()))
      return literal();
    StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty())
      return fail("a value");
    rest = rest.drop_front(name.size());
    if (take('['))
      return element(name);
    if (take('('))
      return name == "fold" ? fold() : call(name);
    if (auto local = locals.find(name); local != locals.end())
      return local->second;
    auto found = scope.variables.find(name.str());
    return found == scope.variables.end() ? fail("a variable, not '" + name + "',")
                                          : Number::of(found->second);
  }

  Number literal() {
    size_t length = 0;
    bool isHex = rest.starts_with("0x");
    while (length < rest.size() && (llvm::isAlnum(rest[length]) || rest[length] == '.' ||
                                    (!isHex && (rest[length] == '-' || rest[length] == '+') &&
                                     (rest[length - 1] == 'e' || rest[length - 1] == 'E'))))
      ++length;
    StringRef text = rest.take_front(length);
    rest = rest.drop_front(length);
    uint64_t integer = 0;
    if (!text.getAsInteger(0, integer))
      return Number::of(static_cast<int64_t>(integer));
    double floating = 0;
    return text.getAsDouble(floating) ? fail("a number") : Number::of(floating);
  }

  Number element(StringRef name) {
    Number index = ternary();
    if (!take(']'))
      return fail("']'");
    auto found = scope.buffers.find(name.str());
    if (found == scope.buffers.end())
      return fail("a buffer, not '" + name + "',");
    const NamedValues &values = found->second;
    size_t size = sizeOf(values.type), count = values.data->size() / size;
    if (skipping && static_cast<uint64_t>(index.asInteger()) >= count)
      return {};
    if (static_cast<uint64_t>(index.asInteger()) >= count)
      return fail("an index below " + Twine(count) + ", not " + Twine(index.asInteger()) + ",");
    uint64_t bits = loadBits(values.type, values.data->data() + index.asInteger() * size);
    return isFloat(values.type) ? Number::of(toDouble(values.type, bits))
                                : Number::of(toInteger(values.type, bits));
  }

  /// The body's text is read once for each step; after the last the parser stands behind it.
  Number fold() {
    skipSpace();
    StringRef counter = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(counter.size());
    if (counter.empty() || !take(','))
      return fail("a name and ','");
    Number low = ternary();
    if (!take(','))
      return fail("','");
    Number high = ternary();
    if (!take(','))
      return fail("','");
    Number result = ternary();
    if (!take(','))
      return fail("','");
    int64_t from = low.asInteger(), to = high.asInteger();
    if (to - from > maxSteps)
      return fail("fewer steps");
    std::map<StringRef, Number> outer = locals;
    bool isEmpty = from >= to;
    skipping += isEmpty; // then the body is read only to get past it
    StringRef body = rest;
    for (int64_t step = from; message.empty() && step < std::max(to, from + 1); ++step) {
      rest = body;
      locals[counter] = Number::of(step);
      locals["acc"] = result;
      Number next = ternary();
      if (!isEmpty)
        result = next;
    }
    skipping -= isEmpty;
    locals = std::move(outer);
    return take(')') ? result : fail("')'");
  }

  Number call(StringRef name) {
    Number a = ternary(), b;
    bool hasTwo = take(',');
    if (hasTwo)
      b = ternary();
    if (!take(')'))
      return fail("')'");
    if (hasTwo && (name == "min" || name == "max")) {
      bool less =
          a.isFloating || b.isFloating ? a.asDouble() < b.asDouble() : a.integer < b.integer;
      return less == (name == "min") ? a : b;
    }
    if (hasTwo)
      return fail("one argument");
    if (std::optional<ScalarType> type = scalarTypeOf(name)) {
      uint64_t bits = toBits(*type, a);
      return isFloat(*type) ? Number::of(toDouble(*type, bits))
                            : Number::of(toInteger(*type, bits));
    }
    return function(name, a);
  }

  Number function(StringRef name, const Number &a) {
    if (name == "abs")
      return a.isFloating ? Number::of(std::fabs(a.floating)) : Number::of(std::abs(a.integer));
    if (name == "floor")
      return Number::of(std::floor(a.asDouble()));
    if (name == "sqrt")
      return Number::of(std::sqrt(a.asDouble()));
    if (name == "float")
      return Number::of(a.asDouble());
    if (name == "int")
      return Number::of(a.asInteger());
    if (name == "popcount")
      return Number::of(int64_t(__builtin_popcountll(a.asInteger())));
    return fail("a function, not '" + name + "',");
  }

  StringRef whole, rest;
  const ExpressionScope &scope;
  std::string message;
  unsigned depth = 0;
  unsigned skipping = 0;              ///< inside of parts of ?: that were not chosen
  std::map<StringRef, Number> locals; ///< counters and `acc` of fold()
  static constexpr int64_t maxSteps = 4096;
};

} // namespace

Expected<Number> evaluate(StringRef text, const ExpressionScope &scope) {
  return Parser(text, scope).run();
}

} // namespace exec
