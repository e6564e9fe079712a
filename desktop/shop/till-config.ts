import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { roles } from "../../sync/entities/entity.ts";
import { writeSavedValue } from "../shell/saved-value.ts";

const till = z.object({
	/** The address of the shop's server. */
	server: z.url(),
	businessId: z.string(),
	/** Who joined it here, and as what. */
	userId: z.string(),
	role: z.enum(roles),
	/** The whole shop has come once. */
	isJoined: z.boolean(),
	/** The business that it was by itself, until that is the server's. */
	from: z.string().optional(),
	/** Its settings become the server's, where that shop had nothing yet. */
	bringsSettings: z.boolean().optional(),
});
/** What makes a computer a till of a shop's server. */
export type TillConfig = z.infer<typeof till>;

const fileOf = (dataDir: string) => join(dataDir, "till.json");

/** @returns undefined for a computer that is a shop by itself, or nothing yet */
export function readTillConfig(dataDir: string): TillConfig | undefined {
	const file = fileOf(dataDir);
	if (!existsSync(file)) return undefined;
	return till.parse(JSON.parse(readFileSync(file, "utf8")));
}

export function writeTillConfig(dataDir: string, value: TillConfig): void {
	writeSavedValue(fileOf(dataDir), value);
}
