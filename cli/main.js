#!/usr/bin/env node
// Plain JavaScript, so that an old Node can parse it and report that it is too old.
import { keepCompiled } from "../server/compile-cache.js";
import { refuseOldNode } from "../server/node-version.js";
import { tuneV8 } from "../server/tune-v8.js";

if (!refuseOldNode()) {
	if (process.argv[2] === "serve") tuneV8();
	keepCompiled();
	await import("./run.ts");
}
