// Names that an agent may not write, or not read without being allowed to.

/** Folders and files that run code or settings of the person's own tools. */
const protectedNames = new Set([".git", ".ssh", ".vscode", ".idea", ".husky", ".codebuddy"]);
const secretNames = new Set([
  ".npmrc",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".dockercfg",
  ".git-credentials",
  ".dev.vars",
  ".vault-token",
  ".yarnrc.yml",
  ".terraformrc",
  ".s3cfg",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "credentials.yaml",
  "auth.json",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "master.key",
]);
/** Folders of which nothing is read without being allowed to. */
const secretFolders = new Set([".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".gcloud"]);
const secretEnds = [
  ".pem",
  ".key",
  ".p12",
  ".pfx",
  ".jks",
  ".keystore",
  ".kdbx",
  ".ppk",
  ".p8",
  ".asc",
  ".gpg",
  ".tfstate",
  ".tfvars",
  ".ovpn",
];
const secretStarts = [".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "service-account"];
/** The workspace's own settings of this product. */
const ownSettings = "rightseat.json";

/** Marks that some file systems leave out of names. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]/g;

/**
 * Whether an agent may never write there, in any letter case, and in any spelling that some file system takes for
 * the same name.
 *
 * @param path as `parsePath` gives it
 */
export function isProtected(path: string): boolean {
  const names = path.split("/").map(foldName);
  if (names.length === 1 && names[0] === ownSettings) return true;
  return names.some(
    (name, nth) =>
      protectedNames.has(name) ||
      name.startsWith(".env") ||
      // What Windows calls `.git` where a name must be short.
      /^git~\d/.test(name) ||
      (name === "workflows" && names[nth - 1] === ".github"),
  );
}

/** Whether a name of the path says that there may be secrets. */
export function isSecretPath(path: string): boolean {
  const names = path.split("/").map(foldName);
  return names.some((name, nth) => isSecretName(name) || isFolderOf(names, nth));
}

/** Whether the path leads into the data of git, which nobody reads. */
export function isGitData(path: string): boolean {
  return path.split("/").some((segment) => {
    const name = foldName(segment);
    return name === ".git" || /^git~\d/.test(name);
  });
}

function isSecretName(name: string): boolean {
  return (
    secretNames.has(name) ||
    secretStarts.some((start) => name.startsWith(start)) ||
    secretEnds.some((end) => name.endsWith(end))
  );
}

function isFolderOf(names: readonly string[], nth: number): boolean {
  return secretFolders.has(names[nth] ?? "");
}

/** One form for all spellings: letter case, width, marks that are not seen, dots and spaces at the end. */
export function foldName(name: string): string {
  const folded = name.normalize("NFKC").replaceAll(invisible, "").toUpperCase().toLowerCase();
  let end = folded.length;
  while (end > 0 && (folded[end - 1] === "." || folded[end - 1] === " ")) end -= 1;
  return folded.slice(0, end);
}
