// Imported as rightseat/testing: a model for the tests of those who build on Rightseat.
export { type Script, type ScriptedModel, scriptedModel, truncated } from "./model/scripted.ts";
// The events of a flow of one's own, with the deltas of the model in the place of relays.
export { expandRelays } from "./turn/relay.ts";
