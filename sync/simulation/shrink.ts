import type { Script } from "./script.ts";

const triesMax = 400;

/** True where a script still shows what is looked for. */
type Shows = (script: Script) => Promise<boolean>;

/**
 * Takes away steps and faults for as long as what is left still shows the same: halves first, then ever less (ddmin). A
 * wait that is taken away is added to the step behind it, so that the others happen when they did.
 */
export async function shrink(script: Script, shows: Shows): Promise<Script> {
	let least = script;
	let tries = 0;

	async function attempt(smaller: Script): Promise<boolean> {
		tries += 1;
		if (tries > triesMax || !(await shows(smaller))) return false;
		least = smaller;
		return true;
	}

	for (let size = least.steps.length; size >= 1; size = Math.floor(size / 2))
		for (let start = 0; start < least.steps.length; )
			if (!(await attempt(withoutSteps(least, start, size)))) start += size;
	for (const fault of Object.keys(least.faults) as (keyof Script["faults"])[]) {
		const { [fault]: _, ...faults } = least.faults;
		await attempt({ ...least, faults });
	}
	while (least.tills > 1)
		if (!(await attempt({ ...least, tills: least.tills - 1 }))) break;
	return least;
}

function withoutSteps(script: Script, start: number, count: number): Script {
	const gone = script.steps.slice(start, start + count);
	const waited = gone.reduce((sum, { wait }) => sum + wait, 0);
	const steps = script.steps.toSpliced(start, count);
	const next = steps[start];
	if (next) steps[start] = { ...next, wait: next.wait + waited };
	return { ...script, steps };
}
