import { expect, test } from "vitest";
import { type Outline, outlineOf } from "../../src/model/outline.ts";

/** An outline as a person would write it down: indented entries with their lines. */
function print({ entries, imports, todos }: Outline): {
  entries: string[];
  imports: string[];
  todos: string[];
} {
  return {
    entries: entries.map(
      ({ kind, name, line, depth }) => `${"  ".repeat(depth)}${kind} ${name} ${line}`,
    ),
    imports,
    todos: todos.map(({ line, text }) => `${line} ${text}`),
  };
}

test("TypeScript: declarations, class members, arrow functions and nothing that is only called", () => {
  const text = `import { readFile } from "node:fs/promises";
import type {
  Cart,
} from "./cart.ts";

export interface Store<Item> {
  get(id: string): Promise<Item>;
  readonly size: number;
}

export type Id = string;

/** Keeps carts: export function notThisOne() {} */
export class CartStore
  extends Base<Cart>
  implements Store<Cart>
{
  #carts = new Map<string, Cart>();
  readonly #abort = (): void => this.close();

  constructor(size: number) {
    super(size);
    for (const id of this.ids()) {
      this.load(id);
    }
  }

  async get(id: string): Promise<Cart> {
    return this.#carts.get(id) ?? fail(id); // TODO: retry
  }

  static of<T>(
    size: number,
  ): CartStore {
    return new CartStore(size);
  }
}

export const load: Loader = async function* (id, done = () => {}) {
  yield id;
};
const total = (prices: number[], rate = (1 + 2) * 3): number => prices.length * rate;
const product = (1 + 2) * 3;
const lengths = names.map((name) => name.length);

describe("a store", () => {
  it("answers", function () {});
});
`;
  expect(print(outlineOf(text, "typescript"))).toEqual({
    entries: [
      "interface Store 6",
      "  method get 7",
      "type Id 11",
      "class CartStore 14",
      "  method #abort 19",
      "  method constructor 21",
      "  method get 28",
      "  method of 32",
      "function load 39",
      "function total 42",
    ],
    imports: ["node:fs/promises", "./cart.ts"],
    todos: ["29 TODO: retry"],
  });
});

test("Python: classes, methods, nested functions, and no code inside strings", () => {
  const text = `#!/usr/bin/env python
"""Module doc.

class NotAClass:
"""
import os, sys
from typing import (
    Any,
)


@dataclass
class Cart:
    """Holds items."""

    def __init__(self, items: list[str]) -> None:
        self.items = items  # TODO: copy

    async def total(
        self,
        rate: float,
    ) -> float:
        def inner(x):
            return x

        sql = """
def not_a_function():
"""
        return 1.0


def 计算(甲):
    return 甲


try:
    x = 1
except Exception:
    x = 2`;
  expect(print(outlineOf(text, "python"))).toEqual({
    entries: [
      "class Cart 13",
      "  method __init__ 16",
      "  method total 19",
      "    function inner 23",
      "function 计算 32",
    ],
    imports: ["os, sys", "typing"],
    todos: ["17 TODO: copy"],
  });
});

test("Go: grouped imports and types, methods under their receiver", () => {
  const text = `package main

import (
	"fmt"
	nethttp "net/http"
)

import "os"

type (
	Point struct {
		X int
	}
	Name string
)

type Server struct {
	addr string
}

type Handler interface {
	Serve(w int) error
}

type List[T any] struct{}

// FIXME close it
func (s *Server) Start(ctx int) error {
	if s.addr == "" {
		return fmt.Errorf("x")
	}
	return nil
}

func (l *List[T]) Push(x T) {}

func main() {
	go func() {
	}()
}`;
  expect(print(outlineOf(text, "go"))).toEqual({
    entries: [
      "struct Point 11",
      "struct Server 17",
      "interface Handler 21",
      "struct List 25",
      "method Server.Start 28",
      "method List.Push 35",
      "function main 37",
    ],
    imports: ["fmt", "net/http", "os"],
    todos: ["27 FIXME close it"],
  });
});

test("Java: constructors and methods, but neither calls, loops nor the constants of an enum", () => {
  const text = `package a.b;

import java.util.List;
import static java.util.Map.*;

/**
 * Doc.
 */
@Service("x")
public class UserService extends Base
        implements Runnable {
    private final Map<String, List<Integer>> cache = new HashMap<>();

    public UserService(Repo repo) {
        this.repo = repo;
    }

    @Override
    public void run() {
        doIt(1);
        if (x) {
        }
        for (int i = 0; i < 1; i++) {
        }
    }

    @GetMapping("/x") public <T> List<T> find(String a,
            int b) throws IOException {
        return repo.find(a);
    }

    abstract int size();

    enum Color {
        RED("r"), GREEN("g");
        Color(String s) {}
    }

    record Pair(int a, int b) {}
}`;
  expect(print(outlineOf(text, "java"))).toEqual({
    entries: [
      "class UserService 10",
      "  method UserService 14",
      "  method run 19",
      "  method find 27",
      "  method size 32",
      "  enum Color 34",
      "    method Color 36",
      "  record Pair 39",
    ],
    imports: ["java.util.List", "java.util.Map.*"],
    todos: [],
  });
});

test("Kotlin: data classes, companions and extension functions", () => {
  const text = `package a
import a.b.C

data class User(
    val name: String,
) : Base() {
    val x by lazy { 1 }
    init {
        foo()
    }
    override fun toString(): String = name
    companion object {
        fun of(x: Int) = User("")
    }
}

sealed interface Shape
enum class Color { RED }
object Singleton {
    suspend fun go() {}
}
fun <T> List<T>.second(): T = this[1]`;
  expect(print(outlineOf(text, "kotlin"))).toEqual({
    entries: [
      "class User 4",
      "  method toString 11",
      "  method of 13",
      "interface Shape 17",
      "enum Color 18",
      "object Singleton 19",
      "  method go 20",
      "function List<T>.second 22",
    ],
    imports: ["a.b.C"],
    todos: [],
  });
});

test("C#: members of a class with braces on their own lines", () => {
  const text = `using System;
using Foo = System.Text;

namespace App
{
    [Serializable]
    public partial class Cart : IEnumerable<int>, IDisposable
    {
        public int Count { get; }
        private readonly List<(int, string)> items = new();

        public Cart(int count)
        {
            Count = count;
        }

        public async Task<List<int>> GetAsync<T>(T x) => await Foo(x);

        [Fact]
        public void Test()
        {
            lock (x)
            {
            }
            using (var y = Open())
            {
            }
            return;
        }
    }

    public record Point(int X, int Y);
}`;
  expect(print(outlineOf(text, "csharp"))).toEqual({
    entries: [
      "namespace App 4",
      "  class Cart 7",
      "    method Cart 12",
      "    method GetAsync 17",
      "    method Test 20",
      "  record Point 32",
    ],
    imports: ["System", "System.Text"],
    todos: [],
  });
});

test("Rust: methods of impl blocks and traits", () => {
  const text = `use std::{fs, io};
use crate::model::Chat;

#[derive(Debug)]
pub struct Cart<T> {
    items: Vec<T>,
}

impl<T> Cart<T>
where
    T: Clone,
{
    pub fn new() -> Self {
        Self { items: vec![] }
    }

    pub(crate) async fn total(&self) -> u32 { 0 }
}

impl fmt::Display for Cart<u8> {
    fn fmt(&self) -> Result { Ok(()) }
}

trait Shape {
    fn area(&self) -> f64;
}

mod tests {
    #[test]
    fn works() {}
}

macro_rules! twice {
}`;
  expect(print(outlineOf(text, "rust"))).toEqual({
    entries: [
      "struct Cart 5",
      "impl <T> Cart<T> 9",
      "  method new 13",
      "  method total 17",
      "impl fmt::Display for Cart<u8> 20",
      "  method fmt 21",
      "trait Shape 24",
      "  method area 25",
      "mod tests 28",
      "  function works 30",
      "macro_rules twice 33",
    ],
    imports: ["std::{fs, io}", "crate::model::Chat"],
    todos: [],
  });
});

test("C++: classes, prototypes and definitions, but no local variables or function pointers", () => {
  const text = `#include <vector>
#include "foo.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

namespace app {

struct point;

template <typename T>
class Stack : public Base<T>
{
 public:
  explicit Stack(int n) : n_(n) {}
  virtual ~Stack();
  void push(const T& value);
  std::function<int(int)> cb;
  int size() const { return n_; }

 private:
  int n_{0};
};

enum class Color { Red };

}  // namespace app

typedef int (*fn)(int);
int add(int a, int b);

static void helper(void)
{
    std::lock_guard<std::mutex> lock(mutex_);
    helper();
#ifdef X
    foo(1);
#endif
out:
    return;
}

void app::Stack::push(const int& value) {
    x = foo(1);
}

int main(int argc, char **argv) {
    /* HACK: leave */
    return add(1, 2);
}`;
  expect(print(outlineOf(text, "cpp"))).toEqual({
    entries: [
      "namespace app 6",
      "class Stack 11",
      "  method Stack 14",
      "  method ~Stack 15",
      "  method push 16",
      "  method size 18",
      "enum Color 24",
      "function add 29",
      "function helper 31",
      "function app::Stack::push 42",
      "function main 46",
    ],
    imports: ["<vector>", '"foo.h"'],
    todos: ["47 HACK: leave"],
  });
});

test("Ruby: modules, predicates and methods of the class itself", () => {
  const text = `require "json"
require_relative 'foo'

=begin
class No
=end
module Shop
  class Cart < Base
    attr_reader :items

    def initialize(items)
      @items = items
    end

    def empty?
      @items.empty?
    end

    def self.build(x) = new(x)

    private def secret
    end
  end
end`;
  expect(print(outlineOf(text, "ruby"))).toEqual({
    entries: [
      "module Shop 7",
      "  class Cart 8",
      "    method initialize 11",
      "    method empty? 15",
      "    method self.build 19",
      "    method secret 21",
    ],
    imports: ["json", "foo"],
    todos: [],
  });
});

test("PHP: imports apart from traits, and no closures", () => {
  const text = String.raw`<?php
namespace App\Http;

use App\Models\User;
require_once 'x.php';

#[Attr]
final class UserController extends Controller
{
    use HasFactory;

    public function __construct(private User $user) {}

    // TODO later
    protected static function index(Request $r): array
    {
        $f = function ($x) { return $x; };
        return [];
    }
}

function helper(&$x) {
}`;
  expect(print(outlineOf(text, "php"))).toEqual({
    entries: [
      "namespace App\\Http 2",
      "class UserController 8",
      "  method __construct 12",
      "  method index 15",
      "function helper 22",
    ],
    imports: ["App\\Models\\User", "x.php"],
    todos: ["14 TODO later"],
  });
});

test("an unknown language shows what is unmistakable, and prose shows nothing", () => {
  const swift =
    "public final class Cart: Base {\n  func total(of items: [Item]) -> Int {\n  }\n}\n";
  expect(print(outlineOf(swift, "")).entries).toEqual(["class Cart 1", "  method total 2"]);
  const prose =
    "The class Foo explains it.\nfunction notes\n# class Foo {\nimport taxes (a def of sorts)";
  expect(outlineOf(prose, "").entries).toEqual([]);
  expect(outlineOf("# Title\nclass Foo {", "markdown").entries).toEqual([]);
});

test("comments are counted where the language's are known, and only there", () => {
  const text = "/* one\n * two\n */\n\nlet a; // three\n/* four */ let b;\n// five\n";
  expect(outlineOf(text, "typescript")).toMatchObject({ lines: 7, blank: 1, comments: 4 });
  expect(outlineOf(text, "unheard-of")).toMatchObject({ lines: 7, blank: 1, comments: undefined });
});

test("line numbers are those of the file", () => {
  const { entries, todos } = outlineOf(
    "def total(items):\n    # FIXME: empty\n    return 0\n",
    "python",
    40,
  );
  expect(entries).toEqual([{ kind: "function", name: "total", line: 40, endLine: 42, depth: 0 }]);
  expect(todos).toEqual([{ line: 41, text: "FIXME: empty" }]);
});

test("a selected method is found without its class around it", () => {
  const script =
    "  async load(id: string): Promise<Cart> {\n    if (id) {\n      go(id);\n    }\n  }\n";
  expect(print(outlineOf(script, "typescript", 9)).entries).toEqual(["function load 9"]);
  const java = "    public int size(List<Cart> carts) {\n        return count(carts);\n    }\n";
  expect(print(outlineOf(java, "java", 9)).entries).toEqual(["function size 9"]);
});

test("a selection that begins in the middle of a line claims no prototype", () => {
  const text = "std::lock_guard<std::mutex> lock(mutex_);\n    run();\n";
  expect(outlineOf(text, "cpp", 12).entries).toEqual([]);
});

test("a function ends where its indentation does", () => {
  const text =
    "int main(void)\n{\n#ifdef A\n  run();\n#endif\nout:\n  return 0;\n}\n\nint after;\n";
  expect(outlineOf(text, "c").entries).toEqual([
    { kind: "function", name: "main", line: 1, endLine: 8, depth: 0 },
  ]);
});

test("line ends of Windows and of old Macs change nothing", () => {
  const text = "import os\n\n# TODO: 检查\nclass 购物车:\n    def 合计(self):\n        return 0\n";
  const expected = outlineOf(text, "python");
  expect(print(expected)).toEqual({
    entries: ["class 购物车 4", "  method 合计 5"],
    imports: ["os"],
    todos: ["3 TODO: 检查"],
  });
  expect(outlineOf(text.replaceAll("\n", "\r\n"), "python")).toEqual(expected);
  expect(outlineOf(text.replaceAll("\n", "\r"), "python")).toEqual(expected);
});

test("an empty text has no lines", () => {
  expect(outlineOf("", "typescript")).toEqual({
    lines: 0,
    blank: 0,
    comments: 0,
    entries: [],
    imports: [],
    todos: [],
    read: 0,
  });
});

test("a marker counts in comments only", () => {
  const text =
    'const a = "TODO: no"; // XXX yes\nconst url = "https://host/TODO";\n{/* HACK: this too */}\n';
  expect(print(outlineOf(text, "typescript")).todos).toEqual(["1 XXX yes", "3 HACK: this too"]);
});

test("one huge line is read up to its five hundredth character", () => {
  const text = `function first() {}${" ".repeat(600)}${"function late() {} // TODO: late ".repeat(100_000)}`;
  expect(print(outlineOf(text, "javascript"))).toEqual({
    entries: ["function first 1"],
    imports: [],
    todos: [],
  });
});

test("of a very long text the first lines are read and all are counted", () => {
  const outline = outlineOf("function f() {}\n".repeat(30_000), "javascript");
  expect(outline).toMatchObject({ lines: 30_000, read: 20_000 });
  expect(outline.entries).toHaveLength(20_000);
});

test.each(["(", "a::a", "*a ", "@a(", "const a = ((a)", "/* ", '"""', "<", " \t", "import {a,"])(
  "text made of %j takes time linear in its length",
  (unit) => {
    const line = unit.repeat(Math.ceil(500 / unit.length));
    const started = performance.now();
    for (const language of ["typescript", "python", "java", "cpp", "rust", ""]) {
      outlineOf(`${line}\n`.repeat(1_000), language);
      outlineOf(line.repeat(1_000), language);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);
