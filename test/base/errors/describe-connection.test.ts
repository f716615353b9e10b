import { expect, test } from "vitest";
import { describeConnection } from "../../../src/base/errors/describe-cause.ts";

function withCode(code: string, message = "secret-of-ours"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  [withCode("ECONNREFUSED"), "the connection was refused (ECONNREFUSED)"],
  [withCode("ENOTFOUND"), "the host name was not found (DNS) (ENOTFOUND)"],
  [withCode("EAI_AGAIN"), "the host name was not found (DNS) (EAI_AGAIN)"],
  [
    withCode("DEPTH_ZERO_SELF_SIGNED_CERT"),
    "TLS failed, or the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
  ],
  [
    withCode("ERR_TLS_CERT_ALTNAME_INVALID"),
    "TLS failed, or the certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)",
  ],
  [
    withCode("ERR_SSL_WRONG_VERSION_NUMBER"),
    "the server speaks no TLS there (https in place of http?) (ERR_SSL_WRONG_VERSION_NUMBER)",
  ],
  [
    withCode("HPE_INVALID_CONSTANT"),
    "the server speaks no HTTP there (http in place of https?) (HPE_INVALID_CONSTANT)",
  ],
  [withCode("UND_ERR_CONNECT_TIMEOUT"), "the connection took too long (UND_ERR_CONNECT_TIMEOUT)"],
  [
    withCode("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"),
    "the proxy refused (HTTP 407)",
  ],
  [
    Object.assign(new Error("Expected HTTP/"), { name: "HTTPParserError" }),
    "the server speaks no HTTP there (http in place of https?) (HTTPParserError)",
  ],
  [withCode("EWHATEVER"), "the connection failed (EWHATEVER)"],
  [
    new TypeError("fetch failed", {
      cause: new AggregateError([withCode("ECONNREFUSED"), withCode("EACCES")], "both"),
    }),
    "the connection was refused (ECONNREFUSED)",
  ],
  [new TypeError("fetch failed"), "the connection failed (TypeError)"],
  [undefined, "the connection failed"],
])("%s is told as: %s", (thrown, words) => {
  expect(describeConnection(thrown)).toBe(words);
});
