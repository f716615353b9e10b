type Environment = Readonly<Record<string, string | undefined>>;

/** Of a name in capitals: what says that the value opens something. */
const secretWords = [
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "API_KEY",
  "APIKEY",
  "ACCESS_KEY",
  "PRIVATE_KEY",
  "SIGNING_KEY",
  "ENCRYPTION_KEY",
  "AUTH_KEY",
  "WEBHOOK",
];
const secretStarts = ["RIGHTSEAT_", "COPILOT_", "OPENAI_", "ANTHROPIC_", "NPM_CONFIG_//"];
const secretEnds = ["_KEY", "_KEYS", "_PASS", "_PWD", "_PAT", "_AUTH", "_DSN", "_JWT", "_COOKIE"];
const secretNames = new Set(["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "PGPASSFILE"]);
/** `https://ada:sesame@example.org`. */
const urlWithPassword = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/**
 * What the check gets of the environment: all but what opens something, by its name or as an address with a
 * password. A list of what may go along would break the tools that nobody has thought of.
 *
 * @param secrets values that never go along, whatever they are called: the keys of the models
 */
export function createCheckEnvironment(
  environment: Environment,
  secrets: readonly string[] = [],
): Record<string, string> {
  const known = new Set(secrets.filter((secret) => secret !== ""));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || isSecretName(name)) continue;
    if (known.has(value) || urlWithPassword.test(value)) continue;
    kept[name] = value;
  }
  return kept;
}

function isSecretName(written: string): boolean {
  const name = written.toUpperCase();
  return (
    secretNames.has(name) ||
    secretStarts.some((start) => name.startsWith(start)) ||
    secretEnds.some((end) => name.endsWith(end)) ||
    secretWords.some((word) => name.includes(word))
  );
}
