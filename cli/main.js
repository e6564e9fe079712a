#!/usr/bin/env node
// Plain JavaScript, so that an old Node can parse it and report that it is too old.
import { keepCompiled } from "../server/compile-cache.js";
import { saveMemory } from "../server/memory.js";
import { refuseOldNode } from "../server/node-version.js";

if (!refuseOldNode()) {
	if (process.argv[2] === "serve") saveMemory();
	keepCompiled();
	await import("./run.ts");
}
