import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { roles } from "../../sync/entities/entity.ts";
import { writeSavedValue } from "../shell/saved-value.ts";

const till = z.object({
	/** The address of the shop's server. */
	server: z.url(),
	businessId: z.string(),
	/** The member who joined the shop here, and their role. */
	userId: z.string(),
	role: z.enum(roles),
	/** Whether the whole shop has been downloaded once. */
	isJoined: z.boolean(),
	/** The business that this computer had without a server, until it has moved to the server. */
	from: z.string().optional(),
	/** Whether its settings replace those of the server's shop, which was empty. */
	bringsSettings: z.boolean().optional(),
});
/** The file that makes a computer a till of a shop's server. */
export type TillConfig = z.infer<typeof till>;

const fileOf = (dataDir: string) => join(dataDir, "till.json");

/** @returns undefined on a computer whose shop has no server, or that has no shop yet */
export function readTillConfig(dataDir: string): TillConfig | undefined {
	const file = fileOf(dataDir);
	if (!existsSync(file)) return undefined;
	return till.parse(JSON.parse(readFileSync(file, "utf8")));
}

export function writeTillConfig(dataDir: string, value: TillConfig): void {
	writeSavedValue(fileOf(dataDir), value);
}
