import * as z from "zod";
import { requiredText } from "./fields.ts";

/** The accounts of the journal by their own codes, which never change (sync/queries/journal-accounts.ts). */
const accounts = [
	...["1000", "1010", "1020", "1030", "1040", "1090", "1100"],
	...["1110", "1200", "2000", "2100", "2200", "3000", "4000", "4010"],
	...["5000", "6000", "6010", "6090", "6910", "6920", "6930"],
] as const;
export type AccountCode = (typeof accounts)[number];

/** The code that an account has in the shop's books. */
const accountCode = z
	.strictObject({ account: z.enum(accounts), code: requiredText(20) })
	.meta({ id: "AccountCode" });

export const accountCodes = z
	.array(accountCode)
	.max(accounts.length)
	.refine(
		(all) => new Set(all.map(({ account }) => account)).size === all.length,
		"Names an account twice",
	);
