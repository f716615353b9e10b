import * as z from "zod";
import { findKeyProblem } from "../../run/auth/key-ring.ts";
import { isForwardable } from "../../run/auth/forward-headers.ts";
import { parseStateKey, type StateKey } from "../../turn/state/sealed-state.ts";
import { define, flag, listFromText, milliseconds, oneText, texts, url } from "./kinds.ts";

/** A list that is meant to close the door must not leave it open by being empty. */
const keys = () =>
  z
    .preprocess(
      listFromText,
      z
        .array(z.string().min(1))
        .min(1, "holds no key. Write one, or leave the setting out to let everybody in."),
    )
    .optional()
    .transform((found) => found ?? []);
const pluginKeys = () =>
  z
    .preprocess(
      listFromText,
      z
        .array(
          z
            .string()
            .min(1)
            .superRefine((entry, context) => {
              const problem = findKeyProblem(entry);
              if (problem !== undefined) context.addIssue(problem);
            }),
        )
        .min(1, "holds no key. Write one, or leave the setting out."),
    )
    .optional()
    .transform((found) => found ?? []);
const stateKeys = () =>
  z
    .preprocess(
      listFromText,
      z.array(
        z.string().transform((text, context): StateKey => {
          const key = parseStateKey(text);
          if (key !== undefined) return key;
          context.addIssue(
            'is not id:base64 of 32 bytes, the id of letters, digits and _. Make one: echo "a:$(openssl rand -base64 32)"',
          );
          return z.NEVER;
        }),
      ),
    )
    .default([]);
const headerNames = () =>
  z
    .preprocess(
      listFromText,
      z.array(
        z
          .string()
          .transform((name) => name.toLowerCase())
          .refine(isForwardable, "is not the name of a header that may travel on"),
      ),
    )
    .default([
      "authorization",
      "x-api-key",
      "x-user-id",
      "x-conversation-*",
      "x-request-id",
      "x-ide-*",
      "x-product*",
      "traceparent",
      "accept-language",
    ]);

/** Who may call. */
export const accessSettings = {
  apiKeys: define(
    "RIGHTSEAT_API_KEYS",
    keys(),
    "Keys that callers must show, separated by commas",
    true,
  ),
  pluginKeys: define(
    "RIGHTSEAT_PLUGIN_KEYS",
    pluginKeys(),
    "Keys that plugins must show at `/ws`, separated by commas; `RIGHTSEAT_API_KEYS` where absent: see [IDE plugins](wire-plugin.md)",
    true,
  ),
  testPage: define(
    "RIGHTSEAT_TEST_PAGE",
    flag(),
    "Whether `/simpletest2025` has a page on which the plugin protocol is tried by hand, `true` or `false`; needs keys unless the server listens on loopback: see [The test page](wire-plugin.md#the-test-page)",
  ),
  jwksUrl: define(
    "RIGHTSEAT_JWKS_URL",
    url(),
    "Key set that callers' tokens (JWT) are checked with",
  ),
  jwtIssuer: define("RIGHTSEAT_JWT_ISSUER", oneText(), "`iss` that tokens must have"),
  jwtAudience: define("RIGHTSEAT_JWT_AUDIENCE", oneText(), "`aud` that tokens must have"),
  stateKeys: define(
    "RIGHTSEAT_STATE_KEYS",
    stateKeys(),
    "Keys that seal the `state` of actions, `id:base64` of 32 bytes each, separated by commas: the first seals, all open; a random one where absent, so that states end with the process",
    true,
  ),
  stateLifetime: define(
    "RIGHTSEAT_STATE_LIFETIME_MS",
    milliseconds(600_000),
    "How long the `state` of an action can be used",
  ),
  corsOrigins: define(
    "RIGHTSEAT_CORS_ORIGINS",
    texts(),
    "Origins whose pages may call, separated by commas; `*` for all",
  ),
  forwardHeaders: define(
    "RIGHTSEAT_FORWARD_HEADERS",
    headerNames(),
    "Headers of a request that travel on to the platform, separated by commas; `x-ide-*` means all that begin so, `*` all: see [Models](models.md#what-is-sent-where)",
  ),
  hosts: define(
    "RIGHTSEAT_ALLOWED_HOSTS",
    texts(),
    "Names that the Host header may carry; on loopback without keys, only loopback names where absent",
  ),
};
