import { readFileSync } from "node:fs";
import { mutations } from "../../sync/entities/index.ts";

const fixtures = new URL("../../sync/fixtures/v1/", import.meta.url);

/** A mutation as a released till has sent it. */
export interface Golden {
	name: string;
	args: Record<string, unknown>;
}

/** One of each mutation. One without an example can't be attacked, and is not ready. */
export function goldenMutations(): Golden[] {
	const sent = ["business.json", "catalogue.json", "sales.json"].flatMap(
		(file): Golden[] =>
			JSON.parse(readFileSync(new URL(file, fixtures), "utf8")).push.mutations,
	);
	return mutations.map(({ name }) => {
		const golden = sent.find((it) => it.name === name);
		if (!golden) throw new Error(`${name} has no example in sync/fixtures`);
		return golden;
	});
}
