import type { ReactNode } from "react";
import { TextField } from "../components/field.tsx";
import { findByCode } from "../scanner/product-search.ts";
import type { ShopClient } from "../shop/client.ts";
import { useWords } from "../words/index.ts";
import { CodeWarning } from "./codes.tsx";

/** Fields for the further codes of a new product, of which the last is empty. */
export function NewCodes({
	codes,
	onChange,
	error,
}: {
	codes: readonly string[];
	onChange(codes: string[]): void;
	error: ReactNode;
}) {
	const { say } = useWords();
	return codes.map((code, i) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a field keeps its place.
		<div key={i}>
			<TextField
				label={say("products.furtherCode")}
				maxLength={100}
				value={code}
				onChange={(typed) => onChange(withRoom(codes.with(i, typed)))}
				error={i === codes.length - 1 && error}
				// A scanner ends a code with Enter.
				onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
			/>
			<CodeWarning code={code} />
		</div>
	));
}

/** Leaves an empty field after the last code. */
function withRoom(codes: string[]): string[] {
	return codes.at(-1) === "" ? codes : [...codes, ""];
}

/** Adds a scanned code, unless it is among them. */
export function withCode(codes: readonly string[], code: string): string[] {
	return codes.includes(code) ? [...codes] : [...codes.slice(0, -1), code, ""];
}

/**
 * Returns the codes that a product still lacks.
 *
 * @param taken words what is wrong if another product on sale, of this name, has one of them
 * @throws with that line for a person
 */
export async function lackingCodes(
	shop: ShopClient,
	{
		id,
		sku,
		codes,
	}: { id: string; sku: string | null; codes: readonly string[] },
	taken: (name: string) => string,
): Promise<string[]> {
	const lacking: string[] = [];
	for (const code of new Set(codes.map((typed) => typed.trim()))) {
		if (code === "" || code === sku) continue;
		const found = await findByCode(shop, code);
		if (!found || found.label) lacking.push(code);
		else if (found.product.id !== id)
			throw new Error(taken(found.product.name));
	}
	return lacking;
}
