import { type JWTPayload, type JWTVerifyOptions, errors, jwtVerify } from "jose";
import { type KeySetDeps, createKeySet } from "./key-set.ts";
import { AppError } from "../../base/errors/app-error.ts";
import { nameCause } from "../../base/errors/describe-cause.ts";

export interface TokenSettings {
  jwksUrl?: string | undefined;
  jwtIssuer?: string | undefined;
  jwtAudience?: string | undefined;
}

/** Signatures with a public key only: a shared secret could be that public key. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];
/** What the clocks of issuer and server may differ by, in seconds. */
const clockTolerance = 5;
/** In characters (OpenID Connect Core, section 2). */
const maxSubject = 255;

/**
 * Checks tokens (JWT) with an issuer's key set: signature, `exp` (required), `nbf`, `iss` and `aud` where
 * the settings name them, and `sub` (required), since limits and states are bound to whom it names. A
 * token must name its key (`kid`); extensions that it calls critical are refused.
 *
 * @returns checks a token and answers its subject; throws AppError `unauthorized`, `keys_unavailable`
 */
export function createTokenCheck(
  jwksUrl: string,
  { jwtIssuer, jwtAudience }: TokenSettings,
  deps: KeySetDeps,
): (token: string) => Promise<string> {
  const findKey = createKeySet(jwksUrl, deps);
  const options: JWTVerifyOptions = {
    algorithms,
    clockTolerance,
    requiredClaims: ["exp", "sub"],
    ...(jwtIssuer === undefined ? {} : { issuer: jwtIssuer }),
    ...(jwtAudience === undefined ? {} : { audience: jwtAudience }),
  };
  return async (token) => {
    try {
      const now = { ...options, currentDate: new Date(deps.now()) };
      const find: typeof findKey = (header, jws) => {
        if (!header.kid) throw new errors.JWKSNoMatchingKey();
        return findKey(header, jws);
      };
      return subjectOf(await verify(token, find, now));
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      const message = {
        en: "Send a valid token, as Authorization: Bearer TOKEN.",
        zh: "请以 Authorization: Bearer TOKEN 的形式发送有效的令牌。",
      };
      throw new AppError("unauthorized", message, { cause: thrown, reason: reasonOf(thrown) });
    }
  };
}

async function verify(
  token: string,
  findKey: ReturnType<typeof createKeySet>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, findKey, options)).payload;
  } catch (thrown) {
    if (!(thrown instanceof errors.JWKSMultipleMatchingKeys)) throw thrown;
    // While keys are changed two may have one name.
    for await (const key of thrown) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (cause) {
        if (!(cause instanceof errors.JWSSignatureVerificationFailed)) throw cause;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** @throws JWTClaimValidationFailed */
function subjectOf({ sub, ...claims }: JWTPayload): string {
  // It comes from a token, whatever the type says.
  const subject: unknown = sub;
  if (typeof subject === "string" && subject.trim() !== "" && subject.length <= maxSubject)
    return subject;
  const expected = `"sub" is not a text of 1 to ${maxSubject} characters`;
  throw new errors.JWTClaimValidationFailed(expected, claims, "sub", "invalid");
}

/** What each kind of error of jose means, the first that fits. */
const reasons: readonly [new (...given: never[]) => Error, string][] = [
  [errors.JWTExpired, "the token has expired"],
  [errors.JWKSNoMatchingKey, "the token names no key of the key set"],
  [errors.JWKSMultipleMatchingKeys, "the key set has several keys of that name"],
  [errors.JWSSignatureVerificationFailed, "the signature is not of that key"],
  [errors.JOSEAlgNotAllowed, "the token is signed in a way that is not allowed"],
  [errors.JOSENotSupported, "the token needs something that is not supported"],
  [errors.JWTInvalid, "the token has no claims that can be read"],
  [errors.JWSInvalid, "the token is not a signed JWT"],
];

/** What a claim is about that was not accepted. */
const claims: ReadonlyMap<string, string> = new Map([
  ["aud", "the token is for another audience"],
  ["iss", "the token is of another issuer"],
  ["nbf", "the token is not valid yet"],
  ["sub", `the token's "sub" is not a text of 1 to ${maxSubject} characters`],
  ["exp", 'the token\'s "exp" is not a number'],
]);

/** For the log: our own words, nothing of the token. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    if (thrown.reason === "missing") return `the token has no "${thrown.claim}"`;
    return claims.get(thrown.claim) ?? `the token's "${thrown.claim}" is not accepted`;
  }
  return reasons.find(([kind]) => thrown instanceof kind)?.[1] ?? nameCause(thrown);
}
