import { statSync } from "node:fs";

/**
 * Goes to the folder where the person is. `npm run rightseat` starts us in the folder of package.json,
 * although the arguments come from elsewhere (INIT_CWD); a script of another name has arguments of its
 * own, which are written for that folder.
 */
export function enterCallerDirectory(environment: NodeJS.ProcessEnv): void {
  const directory = environment["INIT_CWD"];
  if (!isPassedOn(environment) || !directory) return;
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) process.chdir(directory);
}

/** The package.json of `npm run rightseat`, where the settings of the project are beside it. */
export function findScriptManifest(environment: NodeJS.ProcessEnv): string | undefined {
  return isPassedOn(environment) ? environment["npm_package_json"] || undefined : undefined;
}

/** npm tells the name of the script. */
function isPassedOn(environment: NodeJS.ProcessEnv): boolean {
  return environment["npm_lifecycle_event"] === "rightseat";
}
