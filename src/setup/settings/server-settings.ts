import * as z from "zod";
import { Locale } from "../../base/errors/locale.ts";
import { define, numberFromText, oneText } from "./kinds.ts";

/** For a service of our name, Kubernetes sets RIGHTSEAT_PORT to `tcp://...`, which is no setting. */
const portFromText = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("tcp://") ? undefined : numberFromText(value);

/** What is served, where, and in which dress. */
export const serverSettings = {
  host: define(
    ["RIGHTSEAT_HOST", "HOST"],
    z.string().min(1).default("127.0.0.1"),
    "Address to listen on (Node)",
  ),
  port: define(
    ["RIGHTSEAT_PORT", "PORT"],
    z.preprocess(portFromText, z.int().min(0).max(65_535).default(18_080)),
    "Port to listen on; 0 takes a free one (Node)",
  ),
  tlsCert: define(
    "RIGHTSEAT_TLS_CERT",
    oneText(),
    "File of the certificate and its chain, in PEM: with `RIGHTSEAT_TLS_KEY` the server speaks https and wss itself (Node)",
  ),
  tlsKey: define("RIGHTSEAT_TLS_KEY", oneText(), "File of the certificate's key, in PEM (Node)"),
  agents: define(
    "RIGHTSEAT_AGENTS",
    z.string().min(1).optional(),
    "Folder of agent definitions, `*.json`; the shipped one where absent (Node)",
  ),
  knowledge: define(
    "RIGHTSEAT_KNOWLEDGE",
    oneText(),
    "Folder of documents and code for commands whose definition sets `recallByAgent`; each subfolder is a knowledge base of its name (Node)",
  ),
  locale: define(
    "RIGHTSEAT_LOCALE",
    Locale.default("en"),
    "Language where neither `language` nor Accept-Language says: `en` or `zh`",
  ),
  doneMarker: define(
    "RIGHTSEAT_DONE_MARKER",
    z.enum(["[DONE]", "[Done]"]).default("[DONE]"),
    "End marker of streams; `[Done]` for hosts that insist",
  ),
  logLevel: define(
    "RIGHTSEAT_LOG_LEVEL",
    z.enum(["debug", "info", "warning", "error"]).default("warning"),
    "Least level that is logged, as JSON lines on standard error; `info` prints one line a turn",
  ),
};
