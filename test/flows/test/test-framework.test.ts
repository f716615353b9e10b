import { expect, test } from "vitest";
import { findTestFramework } from "../../../src/flows/test/test-framework.ts";

test.each([
  ["typescript", '{"devDependencies":{"vitest":"5.0.0"}}', "vitest", "src/a.test.ts"],
  ["typescript", '{"devDependencies":{"ts-jest":"29"}}', "jest", "src/a.test.ts"],
  ["javascript", '{"devDependencies":{"mocha":"10"}}', "mocha", "src/a.spec.ts"],
  ["javascript", "{}", "node:test", "src/a.test.ts"],
])("%s with %s is tested with %s, in %s", (language, content, name, path) => {
  const packageFiles = [{ filepath: "package.json", content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.name).toBe(name);
  expect(found?.testPath("src/a.ts", packageFiles)).toBe(path);
});

test.each([
  [
    "python",
    "[tool.poetry.dev-dependencies]\npytest = '8'",
    "pytest",
    "shop/cart.py",
    "shop/test_cart.py",
  ],
  ["python", "", "unittest", "cart.py", "test_cart.py"],
  ["go", "module shop", "go test", "cart/cart.go", "cart/cart_test.go"],
  ["go", "require github.com/stretchr/testify v1.9.0", "testify", "cart.go", "cart_test.go"],
  [
    "java",
    "<artifactId>junit-jupiter</artifactId>",
    "JUnit 5",
    "src/main/java/Cart.java",
    "src/test/java/CartTest.java",
  ],
  ["java", "<artifactId>junit</artifactId>", "JUnit 4", "Cart.java", "CartTest.java"],
  ["rust", "[package]", "cargo test", "src/lib.rs", "src/lib.rs"],
  ["csharp", '<PackageReference Include="NUnit" />', "NUnit", "Cart.cs", "CartTests.cs"],
  ["csharp", "", "xUnit", "Cart.cs", "CartTests.cs"],
  ["ruby", "gem 'rspec'", "RSpec", "lib/cart.rb", "spec/cart_spec.rb"],
  ["ruby", "gem 'minitest'", "minitest", "app/cart.rb", "test/cart_test.rb"],
  ["php", "{}", "PHPUnit", "src/Cart.php", "tests/CartTest.php"],
])("%s with %j is tested with %s", (language, content, name, path, testPath) => {
  const packageFiles = [{ filepath: "manifest", content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.name).toBe(name);
  expect(found?.testPath(path, packageFiles)).toBe(testPath);
});

test.each([
  ["python", "pyproject.toml", 'testpaths = ["checks"]', "src/shop/cart.py", "checks/test_cart.py"],
  ["python", "pytest.ini", "[pytest]\ntestpaths = tests", "shop/cart.py", "tests/test_cart.py"],
  ["python", "api/setup.cfg", "pytest", "api/src/shop/cart.py", "api/tests/test_cart.py"],
  [
    "csharp",
    "tests/Shop.Tests/Shop.Tests.csproj",
    "",
    "src/Shop/Cart.cs",
    "tests/Shop.Tests/CartTests.cs",
  ],
  ["csharp", "src/Shop/Shop.csproj", "", "src/Shop/Cart.cs", "src/Shop/CartTests.cs"],
])("tests of %s stand where %s says", (language, filepath, content, path, testPath) => {
  const packageFiles = [{ filepath, content }];
  const found = findTestFramework(language, packageFiles);
  expect(found?.testPath(path, packageFiles)).toBe(testPath);
});

test("a language without a known framework has none", () => {
  expect(findTestFramework("cobol", [])).toBeUndefined();
});
