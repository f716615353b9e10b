// Names that an agent may not write, or not read without being allowed to.
import { trimEndSigns } from "../../base/text/lines.ts";

/** Folders and files that run code or settings of the person's own tools. */
const protectedNames = new Set([".git", ".ssh", ".vscode", ".idea", ".husky", ".codebuddy"]);
/** Names that programs have fixed, and that say nothing of what is inside. */
const secretNames = new Set(
  ".npmrc .netrc _netrc .pypirc .pgpass .my.cnf .dockercfg .yarnrc.yml .terraformrc .s3cfg auth.json".split(
    " ",
  ),
);
/** Folders of which nothing is read without being allowed to. */
const secretFolders = new Set([".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".gcloud"]);
const secretStart = /^(?:\.env|\.dev\.vars|id_(?:rsa|dsa|ecdsa|ed25519))/;
/** Endings of files that are nothing but keys. */
const keyEndings = new Set("pem key p8 p12 pfx jks keystore kdbx ppk asc gpg ovpn".split(" "));
/** Whole words of a name that say what is inside, without a number at their end. */
const secretWord =
  /^(?:env|secrets?|credentials?|creds|passwords?|passwd|htpasswd|passphrases?|tokens?|vault|kubeconfig|tfstate|tfvars|apikeys?|serviceaccounts?)$/;
const secretHint = /env|secret|cred|pass|token|vault|kube|tfstate|tfvars|key|account/i;
/** The same of folders, whose names say less of a single file. */
const secretFolderWord = /^(?:secrets?|credentials?|passwords?)$/;
const harmlessWord = /^(?:examples?|samples?|templates?)$/;
/** Endings of data and configuration; a name that ends in the name of an environment has none, as `env.local`. */
const dataEnding =
  /^(?:json[c5l]?|ya?ml|toml|ini|cfg|cnf|conf|config|properties|xml|plist|csv|hcl|local|dev|development|test|staging|prod|production)$/;
const backupWord = /^(?:bak|old|orig|original|backup|back|saved?|copy|tmp|swp)?\d{0,14}$/;
/** Folders with code of others, which installers fill. */
const installedFolders = new Set(
  (
    "node_modules bower_components jspm_packages web_modules vendor vendors third_party third-party thirdparty 3rdparty " +
    "godeps pods carthage elm-stuff site-packages dist-packages __pypackages__ venv virtualenv"
  ).split(" "),
);
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
  const names = path.split("/").map(foldFileName);
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

/**
 * Whether a name of the path says that there may be secrets: of a key, of a folder of such, or by a whole word of the
 * name of a data or configuration file.
 *
 * @param isFolder of what the path leads to
 */
export function isSecretPath(path: string, isFolder = false): boolean {
  const names = path.split("/");
  const isSecret = (written: string): boolean => {
    const name = foldFileName(written);
    return secretNames.has(name) || secretFolders.has(name) || isKeyOrSettings(name);
  };
  return names.some(isSecret) || (!isFolder && isSecretData(names));
}

/** Whether a folder of this name holds code of others. */
export function isInstalledFolder(name: string): boolean {
  return installedFolders.has(foldFileName(name));
}

/** Whether the path leads into the data of git, which nobody reads. */
export function isGitData(path: string): boolean {
  return path.split("/").some((segment) => {
    const name = foldFileName(segment);
    return name === ".git" || /^git~\d/.test(name);
  });
}

function isKeyOrSettings(name: string): boolean {
  if (secretStart.test(name)) return !readName(name).words.some(isHarmless);
  // Most names hold no such word, and need not be read.
  return name.split(/[^a-z\d]+/).some(isKeyEnding) && isKeyEnding(readName(name).ending);
}

function isKeyEnding(word: string): boolean {
  return keyEndings.has(word);
}

function isSecretData(names: readonly string[]): boolean {
  // Nearly all names can be passed over at once: each of the words above has one of these in it.
  const whole = names.join("/");
  if (isPlain(whole) && !secretHint.test(whole)) return false;
  const name = names.at(-1) ?? "";
  const isData = (end: string): boolean => dataEnding.test(end) || secretWord.test(end);
  const last = /.\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (last !== undefined && !isData(last) && !backupWord.test(last)) return false;
  const { words, ending } = readName(name);
  if (ending !== "" && !isData(ending)) return false;
  if (words.some(isHarmless)) return false;
  const isAccount = words.some((word, nth) => word === "account" && words[nth - 1] === "service");
  if (isAccount || words.some((word) => secretWord.test(word))) return true;
  const noun = words.findLast((word) => !dataEnding.test(word));
  if (noun === "key" || noun === "keys") return true;
  return names
    .slice(0, -1)
    .some((folder) => readName(folder).words.some((word) => secretFolderWord.test(word)));
}

function isHarmless(word: string): boolean {
  return harmlessWord.test(word);
}

/** The words of a name, split at signs and before capitals, and its ending; what only says that it is a copy goes. */
function readName(written: string): { words: string[]; ending: string } {
  const name = isPlain(written) ? written : written.normalize("NFKC").replaceAll(invisible, "");
  const parts = [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    sign: name[index - 1],
    word,
  }));
  while (parts.length > 1 && backupWord.test(parts.at(-1)?.word.toLowerCase() ?? "")) parts.pop();
  const last = parts.at(-1);
  const ending = parts.length > 1 && last?.sign === "." ? last.word.toLowerCase() : "";
  const words = parts.flatMap(({ word }) => [
    word,
    ...word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u),
  ]);
  return { words: words.map((word) => word.toLowerCase().replace(/\d{1,9}$/, "")), ending };
}

/** One form for all spellings: letter case, width, marks that are not seen, dots and spaces at the end. */
export function foldFileName(name: string): string {
  const folded = isPlain(name)
    ? name.toLowerCase()
    : name.normalize("NFKC").replaceAll(invisible, "").toUpperCase().toLowerCase();
  return trimEndSigns(folded, ". ");
}

/** Plain ASCII has one form, and nearly all names are. */
function isPlain(name: string): boolean {
  return /^[ -~]*$/.test(name);
}
