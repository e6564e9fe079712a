import { createRequire } from "node:module";
import type { Agent as UndiciAgent } from "undici";

/** Undici's connections alone: all of the package, with a fetch, caches and mocks, takes 6 MB more. */
export const Agent = createRequire(import.meta.url)(
	"undici/lib/dispatcher/agent.js",
) as typeof UndiciAgent;
