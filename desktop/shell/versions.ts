import program from "../../package.json" with { type: "json" };
import type { Versions } from "../ui/till-shell.ts";

export function versions(): Versions {
	const { electron = "none", chrome = "none", node } = process.versions;
	return {
		counterfoil: program.version,
		electron,
		chromium: chrome,
		node,
	};
}
