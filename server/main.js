// Plain JavaScript, so that an old Node can read it far enough to say what is wrong.
import { keepCompiled } from "./compile-cache.js";
import { keepHeapSmall } from "./memory.js";
import { refuseOldNode } from "./node-version.js";

if (!refuseOldNode()) {
	keepCompiled();
	keepHeapSmall();
	await import("./run.ts");
}
