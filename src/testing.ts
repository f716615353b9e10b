// Imported as rightseat/testing: a model for the tests of those who build on Rightseat.
export { type Script, type ScriptedModel, scriptedModel, truncated } from "./model/scripted.ts";
