import type { Client } from "./client.ts";

/** One rule of the API's contract. */
export interface Rule {
	/** What a server has to do, as a sentence. */
	rule: string;
	/** @throws Broken with what the server did instead */
	check(given: Given): Promise<void>;
}

export interface Given {
	/** Asks as a person with a new business. */
	own: Client;
	/** Asks as a person with another business. */
	other: Client;
	/** Asks without credentials. */
	nobody: Client;
}

/** A server has broken a rule. */
export class Broken extends Error {
	override readonly name = "Broken";
}

/** @throws Broken if two values of JSON differ */
export function same(what: string, found: unknown, expected: unknown): void {
	const [a, b] = [found, expected].map((value) => JSON.stringify(value));
	if (a !== b) throw new Broken(`${what}: ${a}, not ${b}`);
}
