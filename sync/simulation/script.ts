import { plainMutations } from "../testing/examples.ts";
import { openRandom, type Random } from "./random.ts";

/** What goes wrong in a run, each with a probability from 0 to 0.25: on the way, and by steps of their own. */
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

/** What people do all day. */
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
	backsUp: 0.7,
	copiesServer: 0.7,
	copiesTill: 0.5,
} as const;

/** What people do besides, where the shop has entities that no daily step is about. */
const keepsRecords = "keepsRecords";
const keepsRecordsChance = 0.1;
type StepName = StepFault | keyof typeof dailySteps | typeof keepsRecords;

interface Step {
	name: StepName;
	/** Milliseconds after the step before. */
	wait: number;
	/** All that is left open in it follows from this. */
	seed: number;
}

/** One run, whole: the same script gives the same run. */
export interface Script {
	seed: number;
	tills: number;
	faults: Partial<Record<NetworkFault | StepFault, number>>;
	steps: Step[];
}

const intensityMax = 0.25;
const dayMs = 24 * 3_600_000;

/** Each seed turns on some of the faults, each as strongly as luck has it: what one hides another brings to light. */
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
	return { seed, tills, faults, steps: withRecords(steps, seed) };
}

/** The steps as they are without such entities, with others between them: a seed still means what it meant. */
function withRecords(steps: Step[], seed: number): Step[] {
	if (plainMutations.length === 0) return steps;
	const random = openRandom(seed, keepsRecords);
	return steps.flatMap((step) =>
		random.chance(keepsRecordsChance)
			? [step, { name: keepsRecords, wait: 0, seed: random.below(2 ** 31) }]
			: [step],
	);
}

/** Often so soon that something is still on its way; seldom hours. */
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
