import module from "node:module";
import { join } from "node:path";

/** What was compiled once starts in half the time from then on. Beside the packages, where nobody else puts anything. */
export function keepCompiled() {
	// A Node that is too old has none, and is refused in better words than this.
	module.enableCompileCache?.(
		join(import.meta.dirname ?? ".", "../node_modules/.cache/compiled"),
	);
}
