// Requests of every flow on the files of `eval-cases/code`, as an IDE sends them.

export interface LanguageCase {
  command: string;
  /** The answer comes without the model: a tree of functions, or what a click applies. */
  isWithoutModel?: true;
  /** The text at which the cursor stands. */
  cursor?: string;
  /** First and last line of the selection. */
  lines?: readonly [first: number, last: number];
  /** What the person has written. */
  prompt?: Readonly<Record<string, string>>;
  /** A case whose answer comes before, and a text in the prompt of what is clicked then. */
  follow?: { name: string; click: string };
}

export interface LanguageFile {
  /** The editor's language id. */
  language: string;
  /** In `eval-cases/code`. */
  source: string;
  /** In the project. */
  path: string;
  packageFile: { filepath: string; content: string };
  /** What is found from the package file. */
  framework: string;
  testPath: string;
  cases: Readonly<Record<string, LanguageCase>>;
}

type Place = Pick<LanguageCase, "cursor" | "lines">;

/** Where the flows look in a file: what is explained, repaired, improved, documented and tested. */
interface Places {
  explain: Place;
  fix: Place;
  optimize: Place & Pick<LanguageCase, "prompt">;
  docstring: Place;
  unittest: Place;
}

/** The cases that every language has. */
function casesOf(places: Places): Record<string, LanguageCase> {
  return {
    explain: { command: "explain", ...places.explain },
    "explain-file": { command: "explain" },
    fix: { command: "fix", ...places.fix },
    optimize: { command: "optimize", ...places.optimize },
    docstring: { command: "docstring", ...places.docstring },
    "unittest-file": { command: "unittest", isWithoutModel: true },
    unittest: { command: "unittest", ...places.unittest },
    "unittest-write": {
      command: "unittest-write",
      ...places.unittest,
      follow: { name: "unittest", click: "\n2. happy path" },
    },
  };
}

const readable = { en: "Make it more readable.", zh: "提高可读性。" };

export const languageFiles: readonly LanguageFile[] = [
  {
    language: "typescript",
    source: "cart.ts",
    path: "src/cart.ts",
    packageFile: {
      filepath: "package.json",
      content: '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "^5.0.0" } }\n',
    },
    framework: "vitest",
    testPath: "src/cart.test.ts",
    cases: {
      ...casesOf({
        explain: { cursor: "const value = Number(text)" },
        fix: { lines: [67, 72] },
        optimize: { cursor: "let result", prompt: readable },
        docstring: { cursor: "return value > 100" },
        unittest: { cursor: "const value = Number(text)" },
      }),
      "fix-ambiguous": {
        command: "fix",
        lines: [50, 83],
        prompt: { en: "Paid items stay in the basket.", zh: "付款后商品仍留在购物篮里。" },
      },
      "fix-place-chosen": {
        command: "fix",
        isWithoutModel: true,
        lines: [50, 83],
        follow: { name: "fix-ambiguous", click: "; change 1: place 3 of 6, line 72\n" },
      },
    },
  },
  {
    language: "python",
    source: "cart.py",
    path: "shop/cart.py",
    packageFile: {
      filepath: "pyproject.toml",
      content:
        '[project]\nname = "shop"\nversion = "1.0.0"\n\n[dependency-groups]\ndev = ["pytest>=9"]\n',
    },
    framework: "pytest",
    testPath: "shop/test_cart.py",
    cases: {
      ...casesOf({
        explain: { cursor: "for price in prices" },
        fix: { lines: [15, 27] },
        optimize: { cursor: "for price in prices" },
        docstring: { cursor: "# Reads the file." },
        unittest: { lines: [15, 27] },
      }),
      "fix-whole-file": {
        command: "fix",
        isWithoutModel: true,
        lines: [15, 27],
        follow: { name: "fix", click: "\n\n```diff\nfile " },
      },
      "docstring-code": { command: "docstring", cursor: "value -= 1" },
    },
  },
  {
    language: "go",
    source: "cart.go",
    path: "cart/cart.go",
    packageFile: {
      filepath: "go.mod",
      content:
        "module example.com/shop\n\ngo 1.25\n\nrequire github.com/stretchr/testify v1.11.1\n",
    },
    framework: "testify",
    testPath: "cart/cart_test.go",
    cases: {
      ...casesOf({
        explain: { cursor: "for _, price" },
        fix: { cursor: "for _, price" },
        optimize: { cursor: "for _, price", prompt: readable },
        docstring: { cursor: "func (i *Item) SetPrice" },
        unittest: { cursor: "for _, price" },
      }),
      "fix-again": { command: "fix", lines: [67, 70] },
      "unittest-again": { command: "unittest", cursor: "str.ToUpper" },
    },
  },
  {
    language: "java",
    source: "Cart.java",
    path: "src/main/java/shop/cart/Cart.java",
    packageFile: {
      filepath: "pom.xml",
      content:
        "<project>\n  <artifactId>shop</artifactId>\n  <dependencies>\n    <dependency>\n" +
        "      <groupId>org.junit.jupiter</groupId>\n" +
        "      <artifactId>junit-jupiter</artifactId>\n      <scope>test</scope>\n" +
        "    </dependency>\n  </dependencies>\n</project>\n",
    },
    framework: "JUnit 5",
    testPath: "src/test/java/shop/cart/CartTest.java",
    cases: casesOf({
      explain: { cursor: "int sum = 0" },
      fix: { lines: [22, 52] },
      optimize: { cursor: "while (sum" },
      docstring: { cursor: "return switch" },
      unittest: { cursor: "int sum = 0" },
    }),
  },
  {
    language: "rust",
    source: "cart.rs",
    path: "src/cart.rs",
    packageFile: {
      filepath: "Cargo.toml",
      content: '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2024"\n',
    },
    framework: "cargo test",
    testPath: "src/cart.rs",
    cases: {
      ...casesOf({
        explain: { cursor: "let mut sum" },
        fix: { cursor: "let mut sum" },
        optimize: { cursor: "let mut sum", prompt: readable },
        docstring: { cursor: "path.is_empty" },
        unittest: { cursor: "let mut sum" },
      }),
      "fix-broken": { command: "fix", lines: [74, 74] },
    },
  },
  {
    language: "csharp",
    source: "Cart.cs",
    path: "src/Shop/Cart.cs",
    packageFile: {
      filepath: "tests/Shop.Tests/Shop.Tests.csproj",
      content:
        '<Project Sdk="Microsoft.NET.Sdk">\n  <ItemGroup>\n' +
        '    <PackageReference Include="NUnit" Version="4.4.0" />\n' +
        "  </ItemGroup>\n</Project>\n",
    },
    framework: "NUnit",
    testPath: "tests/Shop.Tests/CartTests.cs",
    cases: casesOf({
      explain: { cursor: "var sum = 0" },
      fix: { lines: [27, 64] },
      optimize: { cursor: "var sum = 0", prompt: readable },
      docstring: { cursor: "Owner = owner;" },
      unittest: { cursor: "var sum = 0" },
    }),
  },
];
