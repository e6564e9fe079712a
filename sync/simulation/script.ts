import { plainMutations } from "../testing/examples.ts";
import { openRandom, type Random } from "./random.ts";

/** The faults of a run, each with a probability from 0 to 0.25: on the network, and as steps. */
export const networkFaults = [
	"loseRequest",
	"loseReply",
	"duplicate",
	"delay",
	"smallPages",
	"smallBodies",
	"cutsResets",
] as const;
export const stepFaults = [
	"isCutOff",
	"crashes",
	"serverCrashes",
	"diskFills",
	"statementFails",
	"clockJumps",
	"serverClockJumps",
	"isRevoked",
	"isElsewhere",
	"isDemoted",
	"isPoisoned",
	"serverFaults",
	"serverIsOlder",
	"serverIsNewer",
	"serverIsRestored",
	"serverGoesBack",
	"isRestored",
	"isCloned",
	"isUpdated",
	"joins",
	"daysPass",
] as const;
export type NetworkFault = (typeof networkFaults)[number];
export type StepFault = (typeof stepFaults)[number];

/** What people do every day. */
export const dailySteps = {
	sells: 12,
	hasRush: 0.05,
	syncs: 10,
	takesBack: 2,
	edits: 3,
	receives: 2,
	makesProduct: 1,
	sortsCategories: 2,
	changesBusiness: 0.5,
	reviews: 0.5,
	sellsOnServer: 1,
	editsOnServer: 0.5,
	sortsOut: 0.5,
	signsIn: 1,
	looksAtReports: 0.5,
	comparesDigests: 1,
	backsUp: 0.7,
	copiesServer: 0.7,
	copiesTill: 0.5,
} as const;

/** Steps that come after others by this chance: about the inbox, and about the entities that no other step covers. */
export const furtherSteps = {
	keepsRecords: plainMutations.length === 0 ? 0 : 0.1,
	looksIntoInbox: 0.1,
	comparesRows: 0.1,
	lends: 0.12,
	worksDrawer: 0.12,
	importsStatement: 0.05,
	changesTaxes: 0.12,
	takesCash: 0.12,
	keepsGoods: 0.06,
	countsStock: 0.15,
	buysGoods: 0.1,
	changesWindow: 0.03,
} as const;

/** Further steps that damage a till's rows. */
export const damageSteps = { rowsRot: 0.05 } as const;

/** After these, a till's rows are offered to a server that lacks them, or copied, and so is their damage. */
const spreading: readonly StepFault[] = [
	"serverIsRestored",
	"serverGoesBack",
	"isRestored",
	"isCloned",
	"isUpdated",
];
type StepName =
	| StepFault
	| keyof typeof dailySteps
	| keyof typeof furtherSteps
	| keyof typeof damageSteps;

interface Step {
	name: StepName;
	/** Milliseconds after the step before. */
	wait: number;
	/** The seed of the step's random choices. */
	seed: number;
}

/** A complete run: the same script gives the same run. */
export interface Script {
	seed: number;
	tills: number;
	faults: Partial<Record<NetworkFault | StepFault, number>>;
	steps: Step[];
	/** The share of tills that join by a snapshot; the others pull the feed from its start. */
	snapshots?: number;
	/** The share of tills that hold a window. Default: none. */
	windows?: number;
}

const intensityMax = 0.25;
const dayMs = 24 * 3_600_000;

/**
 * Makes a seed's script. Each seed enables some of the faults, each with a random strength, because one fault can hide
 * what another one reveals.
 */
export function makeScript(seed: number): Script {
	const random = openRandom(seed, "script");
	const faults: Script["faults"] = {};
	const share = random.next();
	for (const fault of [...networkFaults, ...stepFaults])
		if (random.chance(share)) faults[fault] = random.next() * intensityMax;
	const weights: [StepName, number][] = [
		...(Object.entries(dailySteps) as [StepName, number][]),
		...stepFaults.map((name): [StepName, number] => [
			name,
			(faults[name] ?? 0) * 14,
		]),
	];
	const steps = Array.from({ length: 20 + random.below(60) }, () => {
		const name = pickWeighted(weights, random);
		const wait =
			name === "daysPass" ? random.below(50 * dayMs) : waitOf(random);
		return { name, wait, seed: random.below(2 ** 31) };
	});
	const tills = 1 + random.below(2);
	const mayRot = spreading.every((fault) => faults[fault] === undefined);
	const chances = { ...furtherSteps, ...(mayRot ? damageSteps : {}) };
	const further = withFurtherSteps(steps, chances, seed);
	// Drawn apart, so that a seed keeps its meaning.
	const snapshots = openRandom(seed, "snapshots").next();
	const windows = openRandom(seed, "windows").next();
	return { seed, tills, faults, steps: further, snapshots, windows };
}

/** Inserts further steps between the others, which stay the same, so that a seed keeps its meaning. */
function withFurtherSteps(
	steps: Step[],
	chances: Partial<Record<StepName, number>>,
	seed: number,
): Step[] {
	let all = steps;
	for (const [step, chance] of Object.entries(chances)) {
		const name = step as StepName;
		const random = openRandom(seed, name);
		all = all.flatMap((step) =>
			random.chance(chance)
				? [step, { name, wait: 0, seed: random.below(2 ** 31) }]
				: [step],
		);
	}
	return all;
}

/** Usually so short that messages are still on their way, seldom hours. */
function waitOf(random: Random): number {
	const kind = random.next();
	if (kind < 0.5) return random.below(300);
	if (kind < 0.9) return random.below(20_000);
	return random.below(2 * 3_600_000);
}

function pickWeighted<T>(weights: readonly [T, number][], random: Random): T {
	const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
	let left = random.next() * all;
	for (const [item, weight] of weights) {
		left -= weight;
		if (left < 0) return item;
	}
	return (weights.at(-1) as [T, number])[0];
}
