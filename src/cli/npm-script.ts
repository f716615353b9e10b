/** Whether `npm run rightseat` has started us, in the folder of package.json, wherever the person is: npm tells its name. */
export function isNpmScript(): boolean {
  return process.env["npm_lifecycle_event"] === "rightseat";
}
