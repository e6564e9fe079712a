import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

interface Fault {
	id: string;
	nodes: { html: string; failureSummary: string }[];
}

/** Violations found by axe-core, of the standards and of good practice. */
export async function faultsOf(
	page: Page,
	where: string,
	options: object = {},
): Promise<string[]> {
	if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
	// Report only violations.
	const asked = JSON.stringify({ resultTypes: ["violations"], ...options });
	const violations = (await page.evaluate(
		`axe.run(${asked}).then(({ violations }) => violations)`,
	)) as Fault[];
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html }) => `${where}: ${id}: ${html.slice(0, 200)}`),
	);
}
