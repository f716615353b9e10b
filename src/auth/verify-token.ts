import { type JWTPayload, type JWTVerifyOptions, errors, jwtVerify } from "jose";
import { AppError } from "../errors/app-error.ts";
import { type KeySetDeps, createKeySet } from "./key-set.ts";

export interface TokenSettings {
  jwksUrl: string;
  jwtIssuer?: string | undefined;
  jwtAudience?: string | undefined;
}

export interface TokenDeps extends KeySetDeps {
  /** Milliseconds since 1970. */
  now: () => number;
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
  { jwksUrl, jwtIssuer, jwtAudience }: TokenSettings,
  deps: TokenDeps,
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
      const reason = reasonOf(thrown);
      throw new AppError(
        "unauthorized",
        `${reason}Send a valid token, as Authorization: Bearer TOKEN.`,
        { cause: thrown },
      );
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

/** @throws AppError `unauthorized` */
function subjectOf({ sub }: JWTPayload): string {
  // It comes from a token, whatever the type says.
  const subject: unknown = sub;
  if (typeof subject === "string" && subject.trim() !== "" && subject.length <= maxSubject)
    return subject;
  throw new AppError(
    "unauthorized",
    `The token's "sub" must be a text of 1 to ${maxSubject} characters that names who asks. Send another token.`,
  );
}

/** Our own words; empty where the token says too little of itself. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof errors.JWTExpired) return "The token has expired. ";
  if (!(thrown instanceof errors.JWTClaimValidationFailed)) return "";
  return `The token's "${thrown.claim}" is ${thrown.reason === "missing" ? "missing" : "not accepted"}. `;
}
