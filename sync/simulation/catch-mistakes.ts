import { registerHooks } from "node:module";
import { storeKind } from "../testing/store-kind.ts";
import { foundBugs } from "./found-bugs.ts";
import { type Mistake, mistakes } from "./mistakes.ts";
import { makeScript, type Script } from "./script.ts";

/** Reports for each mistake, as a line of JSON, the seed that noticed it and how. Runs as a separate process. */
export interface Noticed {
	name: string;
	/** Null if no seed noticed it. */
	seed: number | null;
	rule: string | null;
}

const seedsMax = Number(process.argv[2] ?? 200);
const all = [...mistakes, ...foundBugs];
const names = new Set(process.argv.slice(3));
const sync = new URL("..", import.meta.url).href;

/** Loads the core's modules again for each mistake. */
registerHooks({
	resolve(specifier, context, next) {
		const resolved = next(specifier, context);
		const [, mistake] = context.parentURL?.split("?mistake=") ?? [];
		return mistake !== undefined && resolved.url.startsWith(sync)
			? { ...resolved, url: `${resolved.url}?mistake=${mistake}` }
			: resolved;
	},

	load(url, context, next) {
		const [path = "", index] = url.split("?mistake=");
		const loaded = next(url, context);
		const mistake = index === undefined ? undefined : all[Number(index)];
		return mistake && path === `${sync}${mistake.file}`
			? { ...loaded, source: withMistake(String(loaded.source), mistake) }
			: loaded;
	},
});

function withMistake(source: string, { name, find, replace }: Mistake): string {
	if (source.split(find).length !== 2)
		throw new Error(`"${name}" is no longer to be made: ${find}`);
	return source.replace(find, () => replace);
}

function* scriptsFor({ script, short }: Mistake): Generator<Script> {
	if (script) yield script;
	// At length, seeds alone must notice it.
	if (short && process.env.TEST_LANE !== "proof") yield short;
	for (let seed = 1; seed <= seedsMax; seed += 1) yield makeScript(seed);
}

for (const [index, mistake] of all.entries()) {
	if (names.size > 0 && !names.has(mistake.name)) continue;
	if ((mistake.store ?? storeKind) !== storeKind) continue;
	const { openGround } = await import(`./run.ts?mistake=${index}`);
	const ground = await openGround(storeKind);
	const noticed: Noticed = { name: mistake.name, seed: null, rule: null };
	for (const script of scriptsFor(mistake)) {
		const { violations } = await ground.run(script);
		if (violations.length === 0) continue;
		noticed.seed = script.seed;
		noticed.rule = violations[0].rule;
		break;
	}
	await ground.close();
	console.log(JSON.stringify(noticed));
}
