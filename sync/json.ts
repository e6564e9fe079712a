import { ShopError } from "./errors.ts";

/** No honest mutation nests deeper; a recursive reader of deeper ones could exhaust the stack. */
const depthMax = 64;

/**
 * JSON with sorted keys and no white space: equal content is equal text.
 *
 * @throws ShopError `invalid_args` beyond 64 levels
 */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(sorted(value, 0)) ?? "null";
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
