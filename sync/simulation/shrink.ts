import type { Script } from "./script.ts";

const triesMax = 400;

/** Returns true if a script still shows the failure. */
type Shows = (script: Script) => Promise<boolean>;

/**
 * Removes steps and faults while the failure still shows: halves first, then smaller parts (ddmin). A removed step's
 * wait is added to the next one, so that the others keep their times.
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
