// Plain JavaScript, so that an old Node can read it far enough to say what is wrong.
import { keepCompiled } from "./compile-cache.js";
import { refuseOldNode } from "./node-version.js";
import { tuneV8 } from "./tune-v8.js";

if (!refuseOldNode()) {
	tuneV8();
	keepCompiled();
	await import("./run.ts");
}
