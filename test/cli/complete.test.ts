// Scripts of completion in real shells that lack what they need: nothing is printed, and the shell goes on.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addCompletion } from "../../src/cli/complete.ts";
import { createProgram } from "../../src/cli/commands.ts";

const folder = mkdtempSync(join(tmpdir(), "rightseat-shell-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scriptOf(shell: string): string {
  const printed: string[] = [];
  const { log } = console;
  console.log = (text: string) => printed.push(text);
  try {
    const program = createProgram();
    addCompletion(program);
    program.parse(["complete", shell], { from: "user" });
  } finally {
    console.log = log;
  }
  return printed.join("\n");
}

const words = 'COMP_WORDS=(rightseat c); COMP_CWORD=1; COMP_LINE="rightseat c"; COMP_POINT=11';
/** Each shell without its settings; the script is read twice, as in a shell that is set up twice. */
const shells: [shell: string, options: string[], then: string][] = [
  ["bash", ["--norc", "--noprofile"], `${words}; __rightseat_complete`],
  ["zsh", ["-f"], "true"],
  ["fish", ["--no-config"], 'complete -C "rightseat c" >/dev/null'],
];
const isHere = ([shell]: (typeof shells)[number]): boolean =>
  ["/bin", "/usr/bin", "/usr/local/bin"].some((path) => existsSync(join(path, shell)));

test.each(shells.filter(isHere))("%s prints nothing and goes on", (shell, options, then) => {
  const path = join(folder, shell);
  writeFileSync(path, scriptOf(shell));
  const strict = shell === "fish" ? "" : "set -e; ";
  const run = `${strict}source ${path}; source ${path}; ${then}; echo done`;
  const { status, stdout, stderr } = spawnSync(shell, [...options, "-c", run], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: folder },
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "done\n", stderr: "" });
});

test.each(["bash", "zsh", "fish", "powershell"])(
  "the script of %s asks for what it needs",
  (shell) => {
    const guards: Record<string, RegExp> = {
      bash: /declare -F _get_comp_words_by_ref .*\|\| return 0\n {4}_get_comp_words_by_ref/,
      zsh: /\(\( ! \$\{\+functions\[compdef\]\} \)\) \|\| compdef _rightseat rightseat\n/,
      fish: /type -q rightseat; or return 0\n {4}set -l results \(rightseat/,
      powershell:
        /if \(Get-Command Register-ArgumentCompleter [^{]*\{ Register-ArgumentCompleter .* \}\n/,
    };
    expect(scriptOf(shell)).toMatch(guards[shell] ?? /^$/);
  },
);

test("bash completes files itself where the program leaves them to it", () => {
  expect(scriptOf("bash")).toMatch(/^complete -o default -F __rightseat_complete rightseat$/m);
});
