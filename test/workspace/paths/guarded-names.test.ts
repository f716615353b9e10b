// Which names say that there may be secrets: words of the name, of files that hold data or settings.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSecretPath } from "../../../src/workspace/paths/guarded-names.ts";
import { words } from "../../helpers/words.ts";

const secret = words`
  env secret secrets credential credentials password passwords token tokens vault kubeconfig
  tfstate`;
const endings = [".json", ".yaml", ".yml", ".toml", ".ini", ".properties", ".conf", ""];
const copies = ["", ".bak", ".old", ".orig", "~", ".backup", ".1", "-old", " (copy)", ".bak2"];
const harmless = ["example", "sample", "template"];

const plain = fc.stringMatching(/^[a-df-su-z]{2,6}[xz]$/);
const sign = fc.constantFrom("-", "_", ".");
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
/** A word among others, joined as people join them. */
const name = fc
  .tuple(fc.constantFrom(...secret), fc.array(plain, { maxLength: 2 }), plain, sign, fc.nat(3))
  .map(([word, before, after, joint, way]) => {
    const parts = [...before, word, ...(way === 1 ? [after] : [])];
    if (way === 2) return parts.map((part, nth) => (nth === 0 ? part : capital(part))).join("");
    if (way === 3) return parts.map((part) => part.toUpperCase()).join("_");
    return parts.join(joint === "." && way === 1 ? "-" : joint);
  });
const folder = fc.constantFrom("", "config/", "deploy/prod/", "src/env/");

describe("a data or configuration file with a whole word for secrets in its name", () => {
  test("is secret with any ending of such files, in any folder, and so are its copies", () => {
    const all = fc.tuple(folder, name, fc.constantFrom(...endings), fc.constantFrom(...copies));
    fc.assert(
      fc.property(all, ([above, stem, ending, copy]) => {
        expect([stem + ending + copy, isSecretPath(above + stem + ending + copy)]).toEqual([
          stem + ending + copy,
          true,
        ]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is none where the name says that nothing real is inside", () => {
    const all = fc.tuple(name, sign, fc.constantFrom(...harmless), fc.constantFrom(...endings));
    fc.assert(
      fc.property(all, ([stem, joint, word, ending]) => {
        expect(isSecretPath(`${stem}${joint}${word}${ending}`)).toBe(false);
      }),
    );
  });

  test("is none where the word is but a part of another, or the file is source or prose", () => {
    const ends = fc.constantFrom(".ts", ".py", ".go", ".java", ".md", ".css", ".html", ".tsx");
    fc.assert(
      fc.property(name, ends, (stem, ending) => {
        expect(isSecretPath(stem + ending)).toBe(false);
      }),
    );
    const longer = fc.tuple(plain, fc.constantFrom(...secret), plain, fc.constantFrom(...endings));
    fc.assert(
      fc.property(longer, ([before, word, after, ending]) => {
        expect(isSecretPath(before + word + after + ending)).toBe(false);
      }),
    );
  });
});

test.each([
  "prod.env",
  "secrets.env",
  ".env",
  ".env.local",
  ".ENV~",
  ".envrc",
  "env",
  "env.production",
  "service_account.json",
  "serviceAccount.yaml",
  "service-account-prod.json",
  "credentials.toml",
  "credentials",
  "Credentials.JSON.old",
  "aws_credentials.ini",
  "kubeconfig",
  "kubeconfig.yaml",
  "staging.kubeconfig",
  "terraform.tfstate.backup",
  "terraform.tfstate",
  "prod.tfvars",
  "x.auto.tfvars.json",
  ".vault_pass",
  ".vault-token",
  "vault.yml",
  "dbPassword.properties",
  "DBPassword.xml",
  "secrets2.yaml",
  "token.csv",
  ".git-credentials",
  ".htpasswd",
  ".dev.vars",
  "id_rsa",
  "id_ed25519.bak",
  "master.key",
  "server.pem",
  "server.pem.bak",
  "gcp-key.json",
  "apiKeys.yaml",
  "private_key",
  "a/.aws/x",
  "secrets/db.json",
  "config/credentials/google.yaml",
  "#secrets.yaml#",
  "ｓecrets.json",
  "sec\u200brets.json",
  ".npmrc",
  "src/token/secret.json",
])("%s is secret", (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each(
  words`
  tokenizer.json tokenizer_config.json environment.yml envoy.yaml package.json secretary.json
  monkey.json keyboard.json key-bindings.json vaulted.toml .env.example .env.sample
  secrets.template.yaml credentials.example.json src/env.ts src/token.py lib/password.go
  src/secrets/read.ts docs/env.md src/tokens/index.ts vault/README.md src/env/config.json
  secrets/README.md styles/tokens.css password.svg Dockerfile Makefile README`,
)("%s is not secret", (path) => {
  expect(isSecretPath(path)).toBe(false);
});

test.each(["src/env", "src/token", "vault", "packages/secrets", "credentials"])(
  "the folder %s may be looked into",
  (path) => {
    expect(isSecretPath(path, true)).toBe(false);
  },
);
