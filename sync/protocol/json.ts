import { ShopError } from "./errors.ts";

/** No real mutation nests deeper, and a deeper one could overflow the stack of a recursive reader. */
const depthMax = 64;

/**
 * Serializes a value as JSON with sorted keys and no white space, so that equal content gives equal text.
 *
 * @throws ShopError `invalid_args` beyond 64 levels
 */
export function canonicalJson(value: unknown): string {
	const ordered = isSorted(value, 0) ? value : sorted(value, 0);
	return JSON.stringify(ordered) ?? "null";
}

/** Mutations from an outbox are sorted already, and checking that is cheaper than sorting. */
function isSorted(value: unknown, depth: number): boolean {
	if (typeof value !== "object" || value === null) return true;
	// `sorted` throws for it.
	if (depth === depthMax) return false;
	if (Array.isArray(value)) {
		for (const item of value) if (!isSorted(item, depth + 1)) return false;
		return true;
	}
	let last = "";
	for (const key in value) {
		if (key < last) return false;
		last = key;
		const field = (value as Record<string, unknown>)[key];
		if (typeof field === "object" && !isSorted(field, depth + 1)) return false;
	}
	return true;
}

function sorted(value: unknown, depth: number): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (depth === depthMax)
		throw new ShopError("invalid_args", "Nested too deeply", "args");
	if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
	const object = value as Record<string, unknown>;
	return Object.fromEntries(
		Object.keys(object)
			.sort()
			.map((key) => [key, sorted(object[key], depth + 1)]),
	);
}
