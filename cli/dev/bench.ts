import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchGateway } from "./bench-gateway.ts";
import { benchLoad, fullLoad, shortLoad } from "./bench-load.ts";
import { benchOverload } from "./bench-overload.ts";
import { benchPeers } from "./bench-peers.ts";
import { benchScale, benchSeed } from "./bench-scale.ts";
import { benchSync } from "./bench-sync.ts";
import { benchUi } from "./bench-ui.ts";

/** One measured figure; `reach` is what it should be at least, `limit` at most. */
export interface Figure {
	what: string;
	value: number;
	unit: string;
	reach?: number;
	limit?: number;
}

/** Each by its name; those that are not `usual` are run by name alone, as they take minutes and disk. */
const benches: Record<string, () => Promise<Figure[]>> = {
	sync: benchSync,
	seed: benchSeed,
	scale: benchScale,
	ui: benchUi,
	gateway: benchGateway,
	load: () =>
		benchLoad({
			tills: count("tills", fullLoad.tills),
			seconds: count("seconds", fullLoad.seconds),
			offlineSales: count("offline-sales", fullLoad.offlineSales),
		}),
	"load-short": () => benchLoad(shortLoad),
	overload: benchOverload,
	peers: benchPeers,
};
const usual = ["sync", "load-short"];

const { positionals: wanted, values } = parseArgs({
	allowPositionals: true,
	options: {
		tills: { type: "string" },
		seconds: { type: "string" },
		"offline-sales": { type: "string" },
	},
});
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
	console.error(
		`No benchmark "${unknown}". There are: ${Object.keys(benches).join(", ")}`,
	);
	process.exit(1);
}

const dir = join(import.meta.dirname, "../../bench-results");
mkdirSync(dir, { recursive: true });
for (const name of wanted.length > 0 ? wanted : usual) {
	const figures = await benches[name]?.();
	if (!figures) continue;
	console.table(
		figures.map(({ what, value, unit, reach, limit }) => ({
			what,
			value: Number(value.toFixed(unit === "ratio" ? 2 : 0)),
			unit,
			wanted: wantedOf(reach, limit),
			met: (reach ?? limit) !== undefined ? isMet(value, reach, limit) : "",
		})),
	);
	const at = new Date().toISOString();
	const result = { name, at, node: process.version, figures };
	const file = join(dir, `${name}-${at.replaceAll(":", "")}.json`);
	writeFileSync(file, JSON.stringify(result, null, "\t"));
	console.log(`Written to ${file}`);
}

/** An option of `load`. */
function count(name: keyof typeof values, usual: number): number {
	const given = Number(values[name] ?? usual);
	if (Number.isInteger(given) && given > 0) return given;
	console.error(`--${name}: a whole number, please`);
	process.exit(1);
}

function wantedOf(reach?: number, limit?: number): string {
	if (reach !== undefined) return `at least ${reach}`;
	return limit === undefined ? "" : `at most ${limit}`;
}

function isMet(value: number, reach = value, limit = value): string {
	return value >= reach && value <= limit ? "yes" : "no";
}
