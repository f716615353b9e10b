// Property tests try the same cases in every run, so that a change is judged by what it changed.
// `PROPERTY_SEED=random npm test` looks for new ones, `PROPERTY_SEED=123` repeats those of a run.

import * as fc from "fast-check";

const asked = import.meta.env["PROPERTY_SEED"] || "20261122";
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
