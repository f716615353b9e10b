import { findRipgrep } from "../../../src/workspace/directory/search/ripgrep.node.ts";
import { workspaceSuite } from "../workspace-suite.ts";
import { openForSuite } from "./open-folder.ts";

const ripgrep = await findRipgrep();
if (ripgrep === undefined) throw new Error("ripgrep is not installed: npm ci brings it along.");

workspaceSuite("directory", (files) => openForSuite(files, undefined));
workspaceSuite("directory (with ripgrep)", (files) => openForSuite(files, ripgrep));
