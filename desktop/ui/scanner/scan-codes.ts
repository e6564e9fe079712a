import { type Method, methods } from "../till/sale.ts";

const prefix = "CF-";

/** The code that, scanned, takes the exact sum by a method. */
export function scanCodeOf(method: Method): string {
	return prefix + method;
}

/** @returns undefined for a code of goods */
export function methodOf(code: string): Method | undefined {
	const asked = code.trim().toUpperCase();
	return methods.find((method) => scanCodeOf(method) === asked);
}
