import type { Config } from "../setup/config.ts";

/** How callers are told apart: `2 keys, tokens of https://issuer.example/jwks.json`, or `none`. */
export function describeAuth({ apiKeys, jwksUrl }: Pick<Config, "apiKeys" | "jwksUrl">): string {
  const count = apiKeys.length;
  const ways = [
    ...(count === 0 ? [] : [count === 1 ? "1 key" : `${count} keys`]),
    ...(jwksUrl === undefined ? [] : [`tokens of ${jwksUrl}`]),
  ];
  return ways.join(", ") || "none";
}
