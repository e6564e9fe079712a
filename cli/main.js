#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it far enough to say what is wrong.
import { keepCompiled } from "../server/compile-cache.js";
import { refuseOldNode } from "../server/node-version.js";

if (!refuseOldNode()) {
	keepCompiled();
	await import("./main.ts");
}
