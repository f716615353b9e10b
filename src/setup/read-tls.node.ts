import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Config, ConfigError } from "./config.ts";

/**
 * The certificate and key of the settings; undefined where there are none.
 *
 * @throws ConfigError where one of them is missing, cannot be read, or does not fit the other
 */
export function readTls({
  tlsCert,
  tlsKey,
}: Pick<Config, "tlsCert" | "tlsKey">): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new ConfigError("RIGHTSEAT_TLS_CERT and RIGHTSEAT_TLS_KEY: set both, or neither.");
  }
  const pair = {
    cert: readPem("RIGHTSEAT_TLS_CERT", tlsCert),
    key: readPem("RIGHTSEAT_TLS_KEY", tlsKey),
  };
  try {
    createSecureContext(pair);
  } catch {
    const files = [tlsCert, tlsKey].map((file) => JSON.stringify(file)).join(" and ");
    throw new ConfigError(
      `RIGHTSEAT_TLS_CERT and RIGHTSEAT_TLS_KEY: ${files} are not a certificate and its key.`,
    );
  }
  return pair;
}

function readPem(setting: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new ConfigError(`${setting}: ${JSON.stringify(file)} cannot be read.`);
  }
  if (text.includes("-----BEGIN ")) return text;
  throw new ConfigError(`${setting}: ${JSON.stringify(file)} is not a PEM file.`);
}
