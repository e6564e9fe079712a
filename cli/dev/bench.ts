import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchSync } from "./bench-sync.ts";

/** One measured figure; `reach` is what it should be at least. */
export interface Figure {
	what: string;
	value: number;
	unit: string;
	reach?: number;
}

const benches: Record<string, () => Promise<Figure[]>> = { sync: benchSync };

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
	console.error(
		`No benchmark "${unknown}". There are: ${Object.keys(benches).join(", ")}`,
	);
	process.exit(1);
}

const dir = join(import.meta.dirname, "../../bench-results");
mkdirSync(dir, { recursive: true });
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
	const figures = await benches[name]?.();
	if (!figures) continue;
	console.table(
		figures.map(({ what, value, unit, reach }) => ({
			what,
			value: Number(value.toFixed(unit === "ratio" ? 2 : 0)),
			unit,
			reach: reach ?? "",
			reached: reach === undefined ? "" : value >= reach ? "yes" : "no",
		})),
	);
	const at = new Date().toISOString();
	const result = { name, at, node: process.version, figures };
	const file = join(dir, `${name}-${at.replaceAll(":", "")}.json`);
	writeFileSync(file, JSON.stringify(result, null, "\t"));
	console.log(`Written to ${file}`);
}
