import type { Mutation } from "./entity.ts";

/** The version of a mutation's arguments if its message names none. */
export const firstArgsVersion = 1;

/** @returns the newest version of the mutation's arguments that this program understands */
export function newestArgsVersion({ since = {} }: Mutation): number {
	return Math.max(firstArgsVersion, ...Object.values(since));
}

/** @returns the oldest version of the mutation's arguments that has all of these fields */
export function argsVersionOf({ since = {} }: Mutation, args: unknown): number {
	const versions = Object.entries(since)
		.filter(([path]) => has(args, path.split(".")))
		.map(([, version]) => version);
	return Math.max(firstArgsVersion, ...versions);
}

function has(value: unknown, [name, ...rest]: string[]): boolean {
	if (name === undefined) return value !== undefined;
	if (typeof value !== "object" || value === null) return false;
	if (Array.isArray(value))
		return value.some((item) => has(item, [name, ...rest]));
	return has((value as Record<string, unknown>)[name], rest);
}
