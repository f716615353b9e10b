// Names of files that other programs run, or that tell them what to run. In lower case.

/** Why a file is always asked for. */
export type GuardKind = "manifest" | "build" | "hook" | "ci" | "agent" | "installed" | "ignore";

export interface GuardedNames {
  kind: GuardKind;
  /** Of files, whole. */
  names?: readonly string[];
  starts?: readonly string[];
  ends?: readonly string[];
  /** Folders; all that is in them is meant. */
  folders?: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Dependencies, and scripts that are run when these are installed. */
const manifests: GuardedNames = {
  kind: "manifest",
  names: words(`
    package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json yarn.lock
    pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb lerna.json deno.json deno.jsonc
    deno.lock jsr.json import_map.json .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bower.json
    pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock uv.toml
    pdm.lock environment.yml environment.yaml manifest.in cargo.toml cargo.lock go.mod
    go.sum go.work go.work.sum pom.xml composer.json composer.lock gemfile gemfile.lock
    gems.rb gems.locked podfile podfile.lock package.swift package.resolved mix.exs mix.lock
    rebar.config pubspec.yaml pubspec.lock project.clj deps.edn shard.yml stack.yaml
    cabal.project conanfile.txt conanfile.py vcpkg.json flake.nix flake.lock default.nix
    shell.nix paket.dependencies nuget.config packages.config packages.lock.json global.json
  `),
  ends: words(".gemspec .podspec .cabal .nimble .rockspec .opam"),
};

/** What builds and tests read before they do anything. */
const builds: GuardedNames = {
  kind: "build",
  names: words(`
    makefile gnumakefile bsdmakefile cmakelists.txt cmakepresets.json cmakeuserpresets.json
    meson.build meson_options.txt configure configure.ac build build.bazel workspace
    workspace.bazel module.bazel buck pants build.rs build.zig build.sbt build.xml
    build.cake build.sc build.mill sconstruct sconscript wscript tup.config justfile
    .justfile rakefile rakefile.rb thorfile guardfile fastfile earthfile tiltfile
    vagrantfile procfile dockerfile containerfile .dockerignore gradlew gradlew.bat mvnw
    mvnw.cmd gradle.properties local.properties pytest.ini .pytest.ini tox.ini tox.toml
    conftest.py noxfile.py fabfile.py dodo.py sitecustomize.py usercustomize.py mypy.ini
    ruff.toml .ruff.toml pytype.toml .coveragerc pylintrc phpunit.xml phpunit.xml.dist
    phpstan.neon phpstan.neon.dist psalm.xml rust-toolchain rust-toolchain.toml clippy.toml
    rustfmt.toml turbo.json nx.json project.json workspace.json angular.json rush.json
    bunfig.toml bsconfig.json rescript.json metro.config gulpfile.babel.js nodemon.json
    wrangler.toml wrangler.json wrangler.jsonc netlify.toml vercel.json firebase.json
    serverless.yml skaffold.yaml testng.xml setuptests.js setuptests.ts setuptests.jsx
    setuptests.tsx cypress.json junit-platform.properties .mocharc test_helper.rb
    spec_helper.rb rails_helper.rb test_helper.exs .tool-versions mise.toml .mise.toml
    .nvmrc .node-version .python-version .ruby-version .sdkmanrc openapitools.json
  `),
  starts: words(`
    tsconfig jsconfig gulpfile gruntfile webpackfile jakefile taskfile docker-compose
    compose.y dockerfile. makefile. jest-setup jest. vitest. karma. global-setup globalsetup
    global-teardown globalteardown directory.build. directory.packages.
  `),
  ends: words(`
    .gradle .gradle.kts .mk .mak .cmake .ninja .bzl .bazel .sbt .csproj .fsproj .vbproj
    .vcxproj .proj .sln .slnx .props .targets .runsettings .pbxproj .xcconfig .pth
    .dockerfile
  `),
  folders: words(".cargo .mvn .config .devcontainer .storybook buildsrc"),
};

const hooks: GuardedNames = {
  kind: "hook",
  names: words(".gitattributes .gitmodules .gitconfig .mailmap .pre-commit-hooks.yaml"),
  starts: words("lefthook .lefthook .pre-commit-config .overcommit commitlint"),
  folders: words(".git .husky .githooks githooks git-hooks .hooks .lefthook"),
};

const ci: GuardedNames = {
  kind: "ci",
  names: words(`
    jenkinsfile codecov.yml .codecov.yml codeowners renovate.json renovate.json5
    cloudbuild.yaml cloudbuild.yml appspec.yml wercker.yml cirrus.yml
  `),
  starts: words(`
    .gitlab-ci .travis azure-pipelines bitbucket-pipelines .drone .cirrus appveyor .appveyor
    buildspec .woodpecker .coding-ci .cnb. jenkinsfile.
  `),
  folders: words(`
    .github .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .teamcity .azuredevops
    .azure-pipelines .ci .jenkins .tekton
  `),
};

/** What tells agents and editors what to do. */
const agents: GuardedNames = {
  kind: "agent",
  names: words(`
    agents.md agent.md claude.md claude.local.md gemini.md codebuddy.md
    copilot-instructions.md conventions.md skill.md rightseat.json .mcp.json mcp.json
    opencode.json opencode.jsonc llms.txt
  `),
  starts: words(".cursorrules .windsurfrules .clinerules .roorules .aider .goosehints"),
  ends: words(".code-workspace .instructions.md .prompt.md .mdc"),
  folders: words(`
    .claude .cursor .windsurf .clinerules .roo .codebuddy .agents .agent .codex .gemini
    .opencode .aider .continue .kiro .amazonq .vscode .idea .vs .zed .fleet .rightseat
  `),
};

/** Code of others that checks run. */
const installed: GuardedNames = {
  kind: "installed",
  folders: words(`
    node_modules .yarn .pnpm bower_components site-packages .venv venv .tox .nox
    __pypackages__ .bundle .gradle .terraform .eggs
  `),
};

/** They decide what is read without asking. */
const ignores: GuardedNames = {
  kind: "ignore",
  names: words(".gitignore .ignore .rgignore .npmignore .fdignore"),
};

export const guardedNames: readonly GuardedNames[] = [
  manifests,
  builds,
  hooks,
  ci,
  agents,
  installed,
  ignores,
];
