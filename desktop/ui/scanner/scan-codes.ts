import { type Method, methods } from "../till/sale.ts";

const prefix = "CF-";

/** The code that takes the exact amount by a payment method when scanned. */
export function scanCodeOf(method: Method): string {
	return prefix + method;
}

/** @returns undefined for a product's code */
export function methodOf(code: string): Method | undefined {
	const asked = code.trim().toUpperCase();
	return methods.find((method) => scanCodeOf(method) === asked);
}
