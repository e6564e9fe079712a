// Plain JavaScript, so that an old Node can read it far enough to say what is wrong.
import { keepCompiled } from "./compile-cache.js";
import { saveMemory } from "./memory.js";
import { refuseOldNode } from "./node-version.js";

if (!refuseOldNode()) {
	saveMemory();
	keepCompiled();
	await import("./run.ts");
}
