import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardOf } from "../../../../src/cli/code/guard/guard-of.ts";

const guarded = {
  manifest: [
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "requirements.txt",
    "requirements-dev.txt",
    "Cargo.toml",
    "go.mod",
    "go.sum",
    "pom.xml",
    "Gemfile",
    "Gemfile.lock",
    "composer.json",
    "rightseat.gemspec",
  ],
  build: [
    "vitest.config.ts",
    "vitest.workspace.ts",
    "jest.config.cjs",
    "jest.setup.js",
    "tsconfig.json",
    "tsconfig.build.json",
    "eslint.config.mjs",
    ".eslintrc",
    ".eslintrc.json",
    "babel.config.js",
    ".babelrc",
    ".mocharc.yml",
    "webpack.config.js",
    "vite.config.mts",
    "rollup.config.js",
    "playwright.config.ts",
    "karma.conf.js",
    "pytest.ini",
    "tox.ini",
    "conftest.py",
    "tests/unit/conftest.py",
    "Makefile",
    "GNUmakefile",
    "rules.mk",
    "CMakeLists.txt",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "gradlew",
    "Rakefile",
    "phpunit.xml",
    "phpunit.xml.dist",
    "build.rs",
    ".cargo/config.toml",
    "App.csproj",
    "Directory.Build.props",
    "Dockerfile",
    "docker-compose.yml",
    "BUILD.bazel",
    "sitecustomize.py",
    "Taskfile.yml",
    "justfile",
    "turbo.json",
  ],
  hook: [".husky/pre-commit", ".githooks/pre-push", "lefthook.yml", ".pre-commit-config.yaml"],
  ci: [
    ".github/workflows/test.yml",
    ".github/CODEOWNERS",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".ci/run.sh",
  ],
  agent: [
    "AGENTS.md",
    "docs/AGENTS.md",
    "CLAUDE.md",
    ".cursorrules",
    ".cursor/rules/a.mdc",
    ".claude/settings.json",
    ".vscode/tasks.json",
    ".mcp.json",
    "rightseat.json",
  ],
  installed: ["node_modules/.bin/vitest", "packages/a/node_modules/b/index.js", ".venv/bin/pytest"],
  ignore: [".gitignore", "src/.gitignore", ".rgignore"],
} as const;

const all = Object.entries(guarded).flatMap(([kind, paths]) =>
  paths.map((path) => ({ kind, path })),
);

describe("files that other programs run or read first", () => {
  test.each(all)("$path is guarded as $kind", ({ kind, path }) => {
    expect(guardOf(path)).toBe(kind);
  });

  test("any letter case, folder above and dots at the end change nothing", () => {
    const flips = fc.infiniteStream(fc.boolean());
    const folder = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        flips,
        fc.array(folder, { maxLength: 3 }),
        fc.constantFrom("", ".", " ", ". "),
        ({ path }, upper, above, end) => {
          const written = Array.from(path)
            .map((sign) => (upper.next().value === true ? sign.toUpperCase() : sign))
            .join("");
          expect(guardOf([...above, written].join("/") + end)).toBeDefined();
        },
      ),
    );
  });

  test.each([
    "ｐackage.json",
    "packa\u200bge.json",
    ".git\u00adhub/workflows/a.yml",
    "conftest.py\u200d",
  ])("a spelling that some file system takes for the same is guarded: %j", (path) => {
    expect(guardOf(path)).toBeDefined();
  });
});

describe("other files", () => {
  test.each([
    "src/cart.js",
    "src/config.ts",
    "test/cart.test.js",
    "README.md",
    "lib/setup.ts",
    "src/packages.ts",
    "docs/package.md",
    "src/requirements.ts",
    "src/makefile-parser.ts",
    "app/models/user.rb",
    "main.go",
    "cmd/build/main.go",
    "src/workspace/read.ts",
    "index.html",
    "src/agents.ts",
    "src/hooks/use-cart.ts",
    "src/github/api.ts",
    "jest-utils.ts",
    "a.gradients",
  ])("%s is not guarded", (path) => {
    expect(guardOf(path)).toBeUndefined();
  });
});
