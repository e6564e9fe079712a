import * as z from "zod";
import counterfoil from "../../package.json" with { type: "json" };
import { timestamp } from "../../sync/entities/fields.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { ownsOnlyShop } from "../accounts/users.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { readBackupStanding } from "./backup/standing.ts";
import { databaseBytes } from "./database.ts";
import { readDisk } from "./disk.ts";
import { recentErrors } from "./logger.ts";

const standing = z
	.object({
		version: z.string(),
		schema: z.int(),
		startedAt: timestamp,
		databaseBytes: z.int(),
		disk: z.object({ freeBytes: z.int(), bytes: z.int() }),
		backup: z.object({
			at: timestamp.nullable(),
			isOnSameDisk: z.boolean(),
			/** Changes of all shops that no backup holds. */
			behind: z.int(),
		}),
		/** Where the server keeps its own backups; none before its first look. */
		backupPlaces: z.array(
			z.object({
				dir: z.string(),
				isOther: z.boolean(),
				problem: z
					.object({
						trouble: z.enum(["missing", "full", "failed"]),
						message: z.string(),
					})
					.nullable(),
				/** The newest first. */
				files: z.array(
					z.object({
						name: z.string(),
						at: timestamp,
						bytes: z.int(),
						/** Whether it was compared with the shop when it was made. */
						isProven: z.boolean(),
					}),
				),
			}),
		),
		/** The newest first. */
		errors: z.array(
			z.object({
				at: timestamp,
				level: z.enum(["warn", "error"]),
				message: z.string(),
			}),
		),
	})
	.meta({ id: "ServerStanding" });

/** How the server is, for an administrator, or the owner of its only shop. */
export function serverRoutes(deps: Deps): Routes {
	const { store } = deps.shop;
	return {
		"/api/server": {
			GET: operation({
				summary:
					"Get how the server is, as an administrator or the owner of its only shop",
				access: "userSession",
				answers: { 200: standing },
				failures: [403],
				async handle({ identity, response }) {
					const { backup, isOperator } = await store.read(async (tx) => ({
						isOperator:
							identity.role === "admin" ||
							(await ownsOnlyShop(tx, identity.id)),
						backup: await readBackupStanding(tx),
					}));
					if (!isOperator)
						throw new HttpError(403, "Forbidden", { code: "forbidden" });
					response.json({
						version: counterfoil.version,
						schema: newestVersion(),
						startedAt: toIso(Math.round(performance.timeOrigin)),
						databaseBytes: await databaseBytes(deps, store),
						disk: await readDisk(deps.dataDir),
						backup: { ...backup, at: backup.at ?? null },
						backupPlaces: deps.backups
							.standing()
							.map(({ dir, isOther, problem, files }) => ({
								...{ dir, isOther, problem },
								files: [...files],
							})),
						errors: recentErrors(deps.log),
					});
				},
			}),
		},
	};
}
