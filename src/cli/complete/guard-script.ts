/** Of each shell, the lines that need what may not be there, such as bash-completion, and what they become. */
const changes: Readonly<Record<string, readonly (readonly [line: RegExp, becomes: string])[]>> = {
  bash: [
    // The scripts of other programs set them, too.
    [/^readonly (\w+)=/gm, "[[ ${$1+x} ]] || readonly $1="],
    [
      /^ {4}_get_comp_words_by_ref /gm,
      "    declare -F _get_comp_words_by_ref >/dev/null && type compopt >/dev/null 2>&1 || return 0\n$&",
    ],
  ],
  zsh: [[/^compdef /gm, "(( ! ${+functions[compdef]} )) || $&"]],
  fish: [[/^ {4}set -l results \((\w+) /gm, "    type -q $1; or return 0\n$&"]],
  powershell: [
    [
      /^Register-ArgumentCompleter .*$/gm,
      "if (Get-Command Register-ArgumentCompleter -ErrorAction SilentlyContinue) { $& }",
    ],
  ],
};

/** The script so that the shell prints nothing, and goes on, where it lacks what completions need. */
export function guardScript(shell: string, script: string): string {
  return (changes[shell] ?? []).reduce(
    (text, [line, becomes]) => text.replaceAll(line, becomes),
    script,
  );
}
