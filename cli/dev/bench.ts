import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchGateway } from "./bench-gateway.ts";
import { benchImport } from "./bench-import.ts";
import { benchJoin, usualJoin } from "./bench-join.ts";
import { type Figure, keep, readKept, toResult } from "./bench-kept.ts";
import { benchLoad, fullLoad, shortLoad } from "./bench-load.ts";
import { benchOverload } from "./bench-overload.ts";
import { benchPeers } from "./bench-peers.ts";
import { benchRouting } from "./bench-routing.ts";
import { benchScale, benchSeed } from "./bench-scale.ts";
import { benchShops } from "./bench-shops.ts";
import { benchSize } from "./bench-size.ts";
import { benchSync } from "./bench-sync.ts";
import { notesOf, toTable } from "./bench-table.ts";
import { benchUi } from "./bench-ui.ts";
import { benchWorst } from "./bench-worst.ts";

/** Benchmarks by name; one that is not `usual` runs only if named. */
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
	join: () =>
		benchJoin({
			sales: count("sales", usualJoin.sales),
			products: count("products", usualJoin.products),
		}),
	overload: benchOverload,
	shops: () => benchShops(),
	size: benchSize,
	worst: benchWorst,
	import: benchImport,
	routing: benchRouting,
	peers: benchPeers,
};
const usual = [
	...["sync", "size", "scale", "load-short", "gateway", "ui", "peers"],
];

const {
	positionals: wanted,
	values: { keep: isToKeep = false, ...sizes },
} = parseArgs({
	allowPositionals: true,
	options: {
		keep: { type: "boolean" },
		tills: { type: "string" },
		seconds: { type: "string" },
		"offline-sales": { type: "string" },
		sales: { type: "string" },
		products: { type: "string" },
	},
});
/** The benchmarks that have options. */
const optionsOf: Record<string, readonly string[]> = {
	load: ["tills", "seconds", "offline-sales"],
	join: ["sales", "products"],
};
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined)
	refuse(
		`There is no benchmark "${unknown}"; choose from ${Object.keys(benches).join(", ")}`,
	);
const known = optionsOf[wanted.join()] ?? [];
const foreign = Object.keys(sizes).filter((name) => !known.includes(name));
if (foreign.length > 0)
	refuse(`--${foreign.join(", --")}: not an option of ${wanted.join(" ")}`);

const names = wanted.length > 0 ? wanted : usual;
const [name] = names;
if (names.length > 1) runEach();
else if (name !== undefined) await runOne(name);

/** Runs each benchmark in its own process, so that none inherits another's memory or dies of its crash. */
function runEach(): void {
	const failed = names.filter((name) => {
		console.log(`\n${name}`);
		const { status } = spawnSync(
			process.execPath,
			[import.meta.filename, name, ...(isToKeep ? ["--keep"] : [])],
			{ stdio: "inherit" },
		);
		return status !== 0;
	});
	if (failed.length === 0) return;
	console.error(`\nFailed (see above): ${failed.join(", ")}`);
	process.exitCode = 1;
}

async function runOne(name: string): Promise<void> {
	const kept = readKept()[name];
	const result = toResult((await benches[name]?.()) ?? [], settings());
	console.table(toTable(result, kept));
	for (const note of notesOf(name, result, kept)) console.log(note);
	const dir = join(import.meta.dirname, "../../bench-results");
	mkdirSync(dir, { recursive: true });
	const file = join(dir, `${name}-${result.at.replaceAll(":", "")}.json`);
	writeFileSync(file, JSON.stringify({ name, ...result }, null, "\t"));
	console.log(`Written to ${file}`);
	if (!isToKeep) return;
	keep(name, result);
	console.log("Kept for comparison with later results.");
}

/** Options and environment variables that change a benchmark's work. */
function settings(): Record<string, string> {
	const all = Object.entries({ ...process.env, ...sizes }).flatMap(
		([name, value]) =>
			value !== undefined && (name.startsWith("BENCH_") || name in sizes)
				? [[name, value] as const]
				: [],
	);
	return Object.fromEntries(all);
}

/** An option of a benchmark. */
function count(name: keyof typeof sizes, usual: number): number {
	const given = Number(sizes[name] ?? usual);
	if (Number.isInteger(given) && given > 0) return given;
	return refuse(`--${name} must be a whole number`);
}

function refuse(why: string): never {
	console.error(why);
	process.exit(1);
}
