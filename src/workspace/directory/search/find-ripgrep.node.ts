/** The path of ripgrep, where the optional package brought it along. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The package is optional, and has no program for some systems.
    return undefined;
  }
}
