import { expect, test } from "vitest";
import * as z from "zod";
import { mutationsByName } from "../../../sync/entities/index.ts";
import { staffWords } from "./words.ts";

test("each act that a PIN can approve is said in words", () => {
	const acts = [...mutationsByName].flatMap(([name, { args }]) =>
		args instanceof z.ZodObject && "approval" in args.shape ? name : [],
	);
	expect(acts.length).toBeGreaterThan(7);
	const said = Object.keys(staffWords);
	expect(acts.filter((act) => !said.includes(`staff.act.${act}`))).toEqual([]);
});
