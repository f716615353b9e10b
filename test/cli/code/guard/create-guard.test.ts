// What is written unasked: source files that nothing runs or reads but as such. All else is asked for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGuard, type Guard } from "../../../../src/cli/code/guard.ts";
import { temporaryFolder } from "../../call/temporary-folder.ts";
import { words } from "../../../helpers/words.ts";

const root = "/nowhere";
const guard = createGuard(root);
const guardOf = (path: string): Guard | undefined => guard([path]);
const withCheck = createGuard(root, (path) => path === "run.sh");

/** Files that tools run or read first, and that the list of names that this rule has replaced named. */
const asked = words`
  package.json package-lock.json pnpm-lock.yaml yarn.lock pyproject.toml setup.cfg setup.py
  requirements.txt requirements-dev.txt Cargo.toml go.mod go.sum pom.xml Gemfile Gemfile.lock
  composer.json rightseat.gemspec vitest.config.ts vitest.workspace.ts jest.config.cjs
  jest.setup.js tsconfig.json tsconfig.build.json eslint.config.mjs .eslintrc .eslintrc.json
  babel.config.js .babelrc .mocharc.yml webpack.config.js vite.config.mts rollup.config.js
  playwright.config.ts karma.conf.js pytest.ini tox.ini conftest.py tests/unit/conftest.py
  Makefile GNUmakefile rules.mk CMakeLists.txt build.gradle build.gradle.kts settings.gradle
  gradlew Rakefile phpunit.xml phpunit.xml.dist build.rs .cargo/config.toml App.csproj
  Directory.Build.props Dockerfile docker-compose.yml BUILD.bazel sitecustomize.py Taskfile.yml
  justfile turbo.json .husky/pre-commit .githooks/pre-push lefthook.yml .pre-commit-config.yaml
  .github/workflows/test.yml .github/CODEOWNERS .gitlab-ci.yml .travis.yml .circleci/config.yml
  Jenkinsfile azure-pipelines.yml .ci/run.sh AGENTS.md docs/AGENTS.md CLAUDE.md .cursorrules
  .cursor/rules/a.mdc .claude/settings.json .vscode/tasks.json .mcp.json rightseat.json
  node_modules/.bin/vitest packages/a/node_modules/b/index.js .venv/bin/pytest .gitignore
  src/.gitignore .rgignore`;
/** What that list did not name. */
const unnamed = words`pytest.toml .rspec .flake8 gradle/wrapper/gradle-wrapper.properties README.md
  .devcontainer.json vendor/acme/a.php third_party/lib/a.c lib/site-packages/a.py docs/HEAD
  docs/config docs/objects/info/alternates docs/refs/heads/main .hg/hgrc .jj/repo/config.toml
  .svn/entries .bzr/branch.py a/.hidden/a.ts tasks.py docs/conf.py vite.config.ts
  vite.config.dev.ts gulpfile.coffee noxfile.py Guardfile project/Build.scala buildSrc/src/A.kt
  magefile.go gatsby-node.js webpack.mix.js webpack.prod.js jest-preset.js ext/extconf.rb
  setup.hs Setup.hs Makefile.PL githooks/pre-push.sh x.desktop data.json config/initial.yaml
  hosts x.service git~1/hooks/a.js svg.svg noext Package@swift-5.9.swift toxfile.py
  SConstruct.py PRESUBMIT.py site_scons/site_init.py fabfile/__init__.py libshop.so-gdb.py
  plopfile.js config-overrides.js src/setupProxy.js serverless.ts typedoc.cjs src/setupVitest.ts
  vitest-setup.ts jest-environment.js shop.build.ps1 hooks/pre-commit.sh scripts/pre-push.py
  tools/git_hooks/check.py scripts/postinstall.js`;
/** What is asked for at the top of a package alone, where tools look. */
const atTop = words`
  jupyter_notebook_config.py celeryconfig.py medusa-config.js ormconfig.ts lighthouserc.js
  karma-conf.js rushfile.js git.bat npm.cmd`;
/** Source files, as the tests of that list had them, and others. */
const free = words`app/models/user.rb cmd/build/main.go crates/shop/src/lib.rs index.html jest-utils.ts
  lib/setup.ts lib/shop.rb main.go protest/a.py src/Contest.java src/Greatest.cs
  src/KeySpec.java src/abTest.ts src/agents.ts src/attestation/sign.go src/cart.js src/config.ts
  src/contest.py src/dressing_suite.rs src/features/cart/cart.tsx src/github/api.ts
  src/hooks/use-cart.ts src/inspect.rb src/latest.ts src/latest/a.js
  src/main/java/shop/Cart.java src/makefile-parser.ts src/openapi-spec.ts src/packages.ts
  src/requirements.ts src/specification.ts src/speedTest.js src/steps/cart.py
  src/testing/scripted-model.ts src/unittest-flow.ts src/wizard_steps.py src/workspace/read.ts
  src/a.tsx web/index.html styles/main.scss db/001.sql scripts/deploy.sh src/vendor.ts
  src/node_modules.ts app/external/api.ts src/config/load.py config.py src/app-config.ts
  src/main/scala/shop/project/Task.scala src/posts/post-update.tsx lib/shop/config/load.rb`;

describe("a file", () => {
  test.each([...asked, ...unnamed])("%s is asked for", (path) => {
    expect(guardOf(path)).toBeDefined();
  });

  test.each(free)("%s is a source, and passes, with and without a check", (path) => {
    expect([guardOf(path), withCheck([path])]).toEqual([undefined, undefined]);
  });

  const segment = fc
    .stringMatching(/^[a-z]{1,8}$/)
    .filter((name) => !/^(?:test|spec|venv)/.test(name));
  const folders = fc.array(segment, { maxLength: 3 });

  test("of any other ending, or none, is asked for, wherever it is", () => {
    const kinds =
      "json json5 yaml yml toml ini cfg conf properties xml lock md mdx txt rst csv svg plist gradle kts sbt mk cmake " +
      "ninja bzl nix rake gemspec ru exs csx fsx csproj props targets sln pth tf tfvars ipynb service desktop";
    const ending = fc.oneof(
      fc.constantFrom("", ...kinds.split(" ")),
      fc.stringMatching(/^\d{1,6}$/),
    );
    fc.assert(
      fc.property(folders, segment, ending, (above, name, end) => {
        const path = [...above, end === "" ? name : `${name}.${end}`].join("/");
        expect(guardOf(path)).toMatch(/other|installed/);
      }),
    );
  });

  test("with a dot before any name of its path is asked for, in any spelling", () => {
    const dot = fc.constantFrom(".", "․", "\u200b.", ".\u00ad", "．");
    fc.assert(
      fc.property(folders, folders, segment, dot, fc.nat(3), (above, below, name, mark, nth) => {
        const names = [...above, name, ...below, "a.ts"];
        const at = nth % names.length;
        const path = names.map((one, place) => (place === at ? mark + one : one)).join("/");
        expect(guardOf(path)).toBe("hidden");
      }),
    );
  });

  test("is asked for in any letter case, below any folder, and with dots and spaces at its end", () => {
    const flips = fc.infiniteStream(fc.boolean());
    const ends = fc.constantFrom("", ".", " ", ". ");
    const all = fc.constantFrom(...asked, ...unnamed.filter((path) => !path.startsWith("project")));
    fc.assert(
      fc.property(all, flips, folders, ends, (path, upper, above, end) => {
        const written = Array.from(path)
          .map((sign) => (upper.next().value === true ? sign.toUpperCase() : sign))
          .join("");
        expect(guardOf([...above, written].join("/") + end)).toBeDefined();
      }),
    );
  });

  test.each([
    "ｐackage.json",
    "packa\u200bge.json",
    ".git\u00adhub/workflows/a.yml",
    "conftest.py\u200d",
  ])("in a spelling that some file system takes for the same is asked for: %j", (path) => {
    expect(guardOf(path)).toBeDefined();
  });

  test.each(atTop)("%s is asked for at the top of a package, and a source elsewhere", (name) => {
    const folder = temporaryFolder({ "packages/a/package.json": "{}", "packages/a/src/b.ts": "" });
    const judge = createGuard(folder);
    const paths = [name, `packages/a/${name}`, `packages/a/src/${name}`];
    expect(paths.map((path) => judge([path]))).toEqual(["config", "config", undefined]);
  });

  test.each([
    "config/deploy.rb",
    "apps/shop/config/puma.rb",
    "config/app.php",
    "project/src/main/scala/Shop.scala",
  ])("%s, of a folder for settings or builds, is asked for", (path) => {
    expect(guardOf(path)).toBe("config");
  });

  test("is judged by all its names", () => {
    expect(guard(["src/a.ts", "lib/a.ts"])).toBeUndefined();
    expect(guard(["src/a.ts", ".vscode/a.ts"])).toBe("hidden");
    expect(guard(["cfg/a.ts", "vite.config.ts"])).toBe("config");
  });
});

describe("a source in what looks like a repository", () => {
  test.each(["objects", "refs", "config", "hooks"])("with HEAD and %s is asked for", (entry) => {
    const folder = temporaryFolder({ [`docs/${entry}/x`]: "" });
    const judge = createGuard(folder);
    expect(judge(["docs/deep/run.py"])).toBeUndefined();
    writeFileSync(join(folder, "docs/HEAD"), "ref: refs/heads/main\n");
    expect(judge(["docs/deep/run.py"])).toBe("repository");
  });

  test("by the name of its folder is asked for", () => {
    expect(guardOf("fixtures/shop.git/hooks/run.py")).toBe("repository");
  });
});

/** What runners collect by themselves, by their documentation, and what belongs to it. */
const collected = {
  "node --test": words`
    src/cart.test.js src/cart-test.mjs src/cart_test.cjs test-cart.js test.ts test/cart.js
    packages/a/test/deep/cart.mts src/cart.test.js.snapshot`,
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

describe("with a check, what a runner collects or reads along is asked for", () => {
  test.each(
    Object.entries(collected).flatMap(([runner, paths]) => paths.map((path) => ({ runner, path }))),
  )("$runner: $path", ({ path }) => {
    expect(withCheck([path])).toBeDefined();
  });

  test("and so is what the check names; without one, tests are sources", () => {
    expect([withCheck(["run.sh"]), withCheck(["src/a.test.ts"])]).toEqual(["check", "test"]);
    expect([guardOf("run.sh"), guardOf("src/a.test.ts")]).toEqual([undefined, undefined]);
  });

  test("letter case does not matter where no word depends on it", () => {
    for (const path of ["TEST/cart.js", "src/CART.Test.JS", "Tests/a.py", "SRC/__TESTS__/a.js"])
      expect(withCheck([path])).toBe("test");
  });
});
