import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	deferringCodes,
	errorCodes,
	isStorageError,
	pauseAdvice,
	ShopError,
	toPauseCode,
} from "./errors.ts";

const documented = new Map(
	[
		...readFileSync(join(import.meta.dirname, "errors.ts"), "utf8").matchAll(
			/^ \* \| (\w+) \| .* \| (yes|no) \| .* \|$/gm,
		),
	].map(([, code, isFinal]) => [code, isFinal]),
);

test("each error code is documented with what to do [ERR-1]", () => {
	expect([...documented.keys()].toSorted()).toEqual(errorCodes.toSorted());
});

test("no code that defers a mutation is final [ERR-2]", () => {
	expect([...deferringCodes].toSorted()).toEqual([
		"awaits_permission",
		"forked",
		"internal",
		"unknown_mutation",
		"unknown_record",
	]);
	for (const code of deferringCodes) expect(documented.get(code)).toBe("no");
});

test("a till waits for a person only if the server does not accept its user or has another version", () => {
	const pausing = errorCodes.filter((code) => toPauseCode(code) === code);
	expect(pausing).toEqual(["wrong_business", "unauthorized", "outdated"]);
	expect(Object.keys(pauseAdvice).toSorted()).toEqual(pausing.toSorted());
	for (const code of errorCodes)
		if (!pausing.includes(code)) expect(toPauseCode(code)).toBeUndefined();
});

test("a storage error is distinguished from all others", () => {
	const failures = errorCodes.filter((code) =>
		isStorageError(new ShopError(code, "Failed")),
	);
	expect(failures).toEqual(["storage_full", "storage_busy", "storage_failed"]);
	expect(isStorageError(new Error("storage_full"))).toBe(false);
	expect(isStorageError({ code: "storage_full" })).toBe(false);
});

test("a refusal has a code, a field, a cause and a wait", () => {
	const cause = new Error("Why");
	expect(
		new ShopError("unreachable", "Busy", "id", { waitMs: 5, cause }),
	).toMatchObject({
		name: "ShopError",
		code: "unreachable",
		message: "Busy",
		field: "id",
		waitMs: 5,
		cause,
	});
});
