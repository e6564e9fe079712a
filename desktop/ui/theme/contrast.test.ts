import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contrastOf } from "../testing/contrast.ts";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

/** The colours that a rule of tokens.css declares, by token. */
function coloursIn(selector: string): Record<string, string> {
	const start = css.indexOf(`${selector} {`);
	if (start < 0) throw new Error(`tokens.css has no rule for ${selector}`);
	const rule = css.slice(start, css.indexOf("}", start));
	return Object.fromEntries(
		[...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
			([, token, colour]) => [token as string, colour as string],
		),
	);
}

const light = coloursIn(":root");
const dark = coloursIn(':root[data-scheme="dark"]');
const high = coloursIn(':root[data-contrast="high"]');
const highDark = coloursIn(':root[data-contrast="high"][data-scheme="dark"]');

/** As the cascade puts them together. */
const modes: Record<string, Record<string, string>> = {
	light,
	dark: { ...light, ...dark },
	"sunlight, light": { ...light, ...high },
	"sunlight, dark": { ...light, ...dark, ...high, ...highDark },
};

const leaves = ["surface", "ground", "sunk"];
const texts = "ink muted money attention danger offline focus".split(" ");
const hues = Array.from({ length: 10 }, (_, i) => `hue-${i + 1}`);

/** Everything that is read, with what it is written on. */
const read: readonly (readonly [front: string, back: string])[] = [
	...texts.flatMap((text) => leaves.map((leaf) => [text, leaf] as const)),
	["on-money", "money"],
	["on-offline", "offline"],
	["surface", "ink"],
	["money", "money-soft"],
	["attention", "attention-soft"],
	["danger", "danger-soft"],
	["ink", "carbon-soft"],
	["muted", "carbon-soft"],
	...hues.map((hue) => ["ink", hue] as const),
];

/** Borders of fields and switches, which are only looked for. */
const found = leaves.map((leaf) => ["edge", leaf] as const);

describe.each(Object.keys(modes))("in %s", (mode) => {
	const colours = modes[mode] ?? {};

	test.each([
		[4.5, read],
		[3, found],
	] as const)("each pair has a contrast of %f or more", (least, pairs) => {
		const weak = pairs
			.map(([front, back]) => ({
				pair: `${front} on ${back}`,
				contrast: contrastOf(colours[front] ?? "", colours[back] ?? ""),
			}))
			// An unknown colour has no contrast.
			.filter(({ contrast }) => !(contrast >= least));
		expect(weak).toEqual([]);
	});
});
