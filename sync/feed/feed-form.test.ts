import { expect, test } from "vitest";
import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { feedForm } from "./feed-form.ts";

test("a feed's form names entities, fields, closed lists and fields of lines [VER-5]", () => {
	const size = z.enum(["small", "large"]);
	const row = z.object({
		id: z.string(),
		maybe: size.optional(),
		orNone: size.nullable(),
		lines: z.array(z.object({ id: z.string(), size })),
	});
	const entities = ["shirt", "hat"].map(
		(name) => ({ name, table: name, row }) as Entity,
	);
	const fields =
		"id,maybe[small|large],orNone[small|large],lines(id,size[small|large])";
	expect(feedForm(entities)).toBe(`shirt(${fields}) hat(${fields})`);
});
