import { describe, expect, test } from "vitest";
import { isTestFile } from "../../../../src/cli/code/guard/is-test-file.ts";

/** What runners collect by themselves, by their documentation, and what belongs to it. */
const collected = {
  "node --test": [
    "src/cart.test.js",
    "src/cart-test.mjs",
    "src/cart_test.cjs",
    "test-cart.js",
    "test.ts",
    "test/cart.js",
    "packages/a/test/deep/cart.mts",
    "src/cart.test.js.snapshot",
  ],
  vitest: ["src/cart.spec.ts", "src/cart.test-d.ts", "src/__snapshots__/cart.test.ts.snap"],
  jest: [
    "src/__tests__/cart.jsx",
    "src/__mocks__/axios.js",
    "src/cart.spec.tsx",
    "src/setupTests.ts",
  ],
  mocha: ["test/cart.mjs", "test/helpers/start.js"],
  jasmine: ["spec/cartSpec.js", "spec/helpers/start.js", "spec/support/jasmine.json"],
  playwright: ["e2e/login.ts", "tests/login.spec.ts"],
  cypress: ["cypress/e2e/login.cy.ts", "cypress/support/commands.ts", "src/Cart.cy.tsx"],
  "bun test": ["src/cart_spec.ts"],
  "deno test": ["cart_test.ts"],
  pytest: [
    "test_cart.py",
    "cart_test.py",
    "tests/__init__.py",
    "tests/helpers.py",
    "tests/data.json",
  ],
  unittest: ["testcart.py", "shop/tests.py"],
  "go test": ["cart/cart_test.go", "cart/testdata/input.json"],
  "cargo test": ["tests/cart.rs", "src/tests.rs", "src/cart/tests.rs", "src/cart_test.rs"],
  "mvn test": ["src/test/java/shop/Helper.java", "shop/CartTest.java", "shop/TestCart.java"],
  "mvn verify": ["shop/CartIT.java", "src/integration-test/java/Cart.java"],
  "gradle test": [
    "app/src/androidTest/Cart.kt",
    "lib/src/commonTest/kotlin/Cart.kt",
    "CartSpec.groovy",
  ],
  rspec: ["spec/cart_spec.rb", "spec/support/shop.rb", "lib/cart_spec.rb"],
  minitest: ["test/test_cart.rb", "test/fixtures/carts.yml"],
  cucumber: ["features/cart.feature", "features/step_definitions/cart_steps.rb"],
  behave: ["features/steps/cart.py"],
  phpunit: ["tests/bootstrap.php", "src/CartTest.php"],
  codeception: ["src/LoginCest.php"],
  "dotnet test": ["Shop.Tests/Cart.cs", "ShopTests/Cart.cs", "src/CartTests.cs"],
  "swift test": ["Tests/ShopTests/CartTests.swift"],
  "mix test": ["test/cart_test.exs", "test/support/case.ex"],
  "rebar3 ct": ["apps/shop/cart_SUITE.erl"],
  "dart test": ["test/cart_test.dart", "integration_test/app.dart"],
  ctest: ["tests/cart.c", "src/test_cart.cpp", "src/cart_unittest.cc", "src/CartTest.cpp"],
  busted: ["spec/cart_spec.lua"],
  prove: ["t/cart.t", "t/lib/Shop.pm"],
  testthat: ["tests/testthat.R", "tests/testthat/test-cart.R"],
  bats: ["cart.bats"],
  pester: ["Cart.Tests.ps1"],
  "cabal test": ["src/CartSpec.hs"],
};

describe("files that a runner collects or reads along", () => {
  test.each(
    Object.entries(collected).flatMap(([runner, paths]) => paths.map((path) => ({ runner, path }))),
  )("$runner: $path", ({ path }) => {
    expect(isTestFile(path)).toBe(true);
  });

  test("letter case does not matter where no word depends on it", () => {
    for (const path of ["TEST/cart.js", "src/CART.Test.JS", "Tests/a.py", "SRC/__TESTS__/a.js"])
      expect(isTestFile(path)).toBe(true);
  });
});

test.each([
  "src/cart.js",
  "src/latest.ts",
  "src/contest.py",
  "src/abTest.ts",
  "src/speedTest.js",
  "src/testing/scripted-model.ts",
  "src/Contest.java",
  "src/Greatest.cs",
  "src/KeySpec.java",
  "src/openapi-spec.ts",
  "src/specification.ts",
  "src/inspect.rb",
  "src/unittest-flow.ts",
  "src/attestation/sign.go",
  "src/features/cart/cart.tsx",
  "src/wizard_steps.py",
  "src/steps/cart.py",
  "src/dressing_suite.rs",
  "src/latest/a.js",
  "protest/a.py",
  "lib/shop.rb",
  "crates/shop/src/lib.rs",
  "src/main/java/shop/Cart.java",
  "docs/test.md",
  "tests/README.md",
  "specs/cart.md",
  "README.md",
])("the source %s is no test", (path) => {
  expect(isTestFile(path)).toBe(false);
});
