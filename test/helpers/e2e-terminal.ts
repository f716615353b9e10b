// A program at a terminal: Node has no pseudo terminals, Python does.
import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { type Program, spawnNode } from "./e2e-process.ts";

/** As keys: the program is killed, as by `kill -9`. */
export const killed = "SIGKILL";

/** What the screen shows, and the keys that the person presses then. */
export type ScreenStep = readonly [shown: string, keys: string];

const python = `
import fcntl, json, os, pty, re, signal, struct, sys, termios, time
# A test that gave up leaves nobody at the terminal.
signal.alarm(300)
steps, argv = json.loads(sys.argv[1]), sys.argv[2:]
pid, screen = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
left = ""
def look():
    global left
    try:
        seen = os.read(screen, 65536).decode("utf8", "replace")
    except OSError:
        return False
    sys.stdout.write(seen)
    sys.stdout.flush()
    left += re.sub(r"\\x1b\\[[0-9;?]*[A-Za-z]", "", seen)
    return seen != ""
for shown, keys in steps:
    while shown not in left:
        if not look():
            sys.exit("The program ended before it showed: " + shown)
    left = left[left.index(shown) + len(shown):]
    # The prompt listens once it is drawn.
    time.sleep(0.3)
    if keys == "SIGKILL":
        os.kill(pid, 9)
        break
    for key in re.findall(r"\\x1b\\[[0-9]*[A-Z~]|.", keys, re.S):
        os.write(screen, key.encode())
        time.sleep(0.05)
while look():
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

/** Runs a Node program at a terminal of 100 columns, by default where no settings file lies. */
export async function runAtTerminal(
  args: readonly string[],
  environment: Record<string, string>,
  steps: readonly ScreenStep[],
  directory?: string,
): Promise<{ code: number | null; screen: string; raw: string; err: string }> {
  const runner = `
    const { spawn } = require("node:child_process");
    const [python, steps, ...args] = process.argv.slice(1);
    const child = spawn("python3", ["-c", python, steps, process.execPath, ...args], { stdio: "inherit" });
    child.on("close", (code) => (process.exitCode = code ?? 1));`;
  const program: Program = spawnNode(
    ["-e", runner, "--", python, JSON.stringify(steps), ...args],
    environment,
    directory,
  );
  const code = await program.exited;
  const raw = program.stdout;
  return { code, screen: stripVTControlCharacters(raw), raw, err: program.stderr };
}
