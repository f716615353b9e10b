// Commands in Debian's bubblewrap, which .ci/run installs: without it these fail.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommands } from "../helpers/run-commands.ts";

async function openSandbox(files: Readonly<Record<string, string>> = {}) {
  const hidden: string[] = [];
  const opened = await openCommands(files, { hidden });
  const { place } = opened.project;
  for (const folder of ["home", "elsewhere"]) mkdirSync(join(place, folder));
  writeFileSync(join(place, "home", "key"), "canary\n");
  writeFileSync(join(place, "settings.json"), "canary\n");
  hidden.push(join(place, "home"), join(place, "state"), join(place, "settings.json"));
  const line = (text: string) => opened.run({ command: ["/bin/sh", "-c", text] });
  return { ...opened, line };
}

test("a command works in the folder, and what it changes is undone", async () => {
  const { line, undo, project } = await openSandbox({ a: "1\n" });
  expect(
    await line(
      "echo 2 > a; cat a; pwd; touch /tmp/rightseat-made $HOME/y && ls /tmp/rightseat-made",
    ),
  ).toMatchObject({
    exit_code: 0,
    output: `2\n${project.folder}\n/tmp/rightseat-made\n`,
  });
  expect(project.read("a")).toBe("2\n");
  expect(existsSync("/tmp/rightseat-made")).toBe(false);
  expect(existsSync(join(project.place, "home", "y"))).toBe(false);
  await undo();
  expect(project.read("a")).toBe("1\n");
});

test("home and secrets are not in sight", async () => {
  const { line, project } = await openSandbox({ ".env": "canary\n", "certs/a.pem": "canary\n" });
  const { place } = project;
  const files = [`${place}/home/key`, `${place}/settings.json`, ".env", "certs/a.pem"];
  const { output } = await line(`cat ${files.join(" ")}; ls -A ${place}/state /home /root`);
  expect(output).not.toContain("canary");
  expect(output).not.toContain("workspaces");
});

test("nothing outside can be written, also not after it tries to remount", async () => {
  const { line, project } = await openSandbox({ ".git/hooks/x": "", a: "" });
  const outside = join(project.place, "elsewhere");
  const tries = [
    `mount -o remount,rw / `,
    `mount -o remount,rw,bind /`,
    `mount -t tmpfs none ${outside}`,
    `umount ${project.place}/home`,
    `unshare -Urm mount -o remount,rw,bind /`,
    `unshare -Urm umount /root`,
    `touch ${outside}/made`,
    `touch /usr/made`,
    `echo x > .git/hooks/y`,
    `chmod u+s /bin/sh`,
    `mknod dev b 8 0`,
    `cat /proc/sys/kernel/panic > /proc/sys/kernel/panic`,
    `ls ${outside}/made /usr/made`,
  ];
  const { output } = await line(
    tries.map((each) => `( ${each} ) 2>/dev/null && echo "DONE: ${each}"`).join("\n"),
  );
  expect(output).toBe("");
  expect(existsSync(join(outside, "made"))).toBe(false);
  expect(existsSync(join(project.folder, ".git/hooks/y"))).toBe(false);
});

test("there is no network, and no other process", async () => {
  const { run, line } = await openSandbox();
  // Programs of the system: a Node below /home is out of sight.
  const tries = `: > /dev/tcp/192.0.2.1/9; : > /dev/tcp/example.com/80; grep : /proc/net/dev | grep -vc '^ *lo:'`;
  const { output } = await run({ command: ["bash", "-c", tries] });
  expect(output).toMatch(/Network is unreachable/);
  expect(output).toMatch(/name resolution|not known/);
  expect(output).toMatch(/^0$/m);
  expect((await line("ls /proc | grep -c '^[0-9]'"))["output"]).toMatch(/^[1-6]\n$/);
});

test("a command ends with the time limit, whatever it has started", async () => {
  const { run, project } = await openSandbox();
  const line = "(setsid sh -c 'sleep 3; echo x > late' &) ; sleep 60";
  const outcome = await run({ command: ["/bin/sh", "-c", line], time_limit: 1 });
  expect(outcome).toMatchObject({ code: "timeout" });
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(project.all()).toEqual({});
});

test("where it cannot start, nothing is run", async () => {
  const { run, project } = await openSandbox({ a: "1\n" });
  expect(await run({ command: ["no-such-program"] })).toMatchObject({ code: "no-sandbox" });
  // A folder that is gone cannot be bound.
  rmSync(project.folder, { recursive: true });
  expect(await run({ command: ["touch", "/tmp/made"] })).toMatchObject({ success: false });
});
