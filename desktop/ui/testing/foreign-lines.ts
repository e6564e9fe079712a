import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import { textsIn } from "./all-words.ts";

const catalogue = new URL(
	"../../../server/operations/demo/catalogue.csv",
	import.meta.url,
);
/** Names that people gave, and not the app: of the demo shop, the longest first. */
const typed = (parse(readFileSync(catalogue)) as string[][])
	.slice(1)
	.flat()
	.concat(demoOwner.name)
	.filter((name) => /\p{L}{3}/u.test(name))
	.toSorted((a, b) => b.length - a.length);
const english = textsIn("en");
/** Words that are neither Swahili nor French. */
const englishWords =
	/(^|[\s“(])(the|your|you|is|are|was|with|this|that|of|from|not|and)([\s.,?”)]|$)/i;
const code = /\b[a-z]+_[a-z_]+\b|\b[A-Z]+_[A-Z_]+\b|\b[a-z]{2,}[A-Z][a-z]+\b/;
/** Names and addresses, with letters as their owners write them. */
const names =
	/\S+@\S+|https?:\S+|WooCommerce|WhatsApp|Isle of Man|Port of Spain/g;

/** The texts of a page, also those that only a screen reader says. */
export async function textsOf(page: Page): Promise<string[]> {
	const lines = await page.evaluate(() => {
		const said = ["aria-label", "title", "placeholder", "alt"];
		const attributes = [...document.querySelectorAll("body *")].flatMap((one) =>
			said.map((name) => one.getAttribute(name) ?? ""),
		);
		return [...document.body.innerText.split("\n"), ...attributes];
	});
	return lines.map((line) => line.trim()).filter(Boolean);
}

/** The lines that are English or hold a code. @param texts what the app says in the page's language */
export function foreignLinesIn(
	lines: readonly string[],
	texts: Record<string, string>,
): string[] {
	const own = patternsOf(Object.values(texts));
	const foreign = patternsOf(
		Object.entries(english)
			.filter(([key, text]) => texts[key] !== text)
			.map(([, text]) => text),
	);
	const isIn = (patterns: readonly RegExp[], line: string) =>
		patterns.some((pattern) => pattern.test(line));
	return [...new Set(lines)].filter((line) => {
		const plain = typed.reduce(
			(text, name) => text.replaceAll(name, ""),
			line.replace(names, ""),
		);
		if (code.test(plain) || englishWords.test(plain)) return true;
		return isIn(foreign, plain) && !isIn(own, plain);
	});
}

/** Patterns of texts whose values may be anything; texts of little else say nothing about a language. */
function patternsOf(texts: readonly string[]): RegExp[] {
	return texts
		.filter((text) => text.replace(/\{\{\w+\}\}|\P{L}/gu, "").length > 2)
		.map((text) => {
			const escaped = text.replace(/[.*+?^$()|[\]\\/]/g, "\\$&");
			return new RegExp(`^${escaped.replace(/\{\{\w+\}\}/g, ".+")}$`, "u");
		});
}
