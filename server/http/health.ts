import { access, constants } from "node:fs/promises";
import type { Logger } from "pino";
import * as z from "zod";
import counterfoil from "../../package.json" with { type: "json" };
import { isStorageError } from "../../sync/protocol/errors.ts";
import type { Shop } from "../../sync/shop.ts";
import { readMeta } from "../../sync/store/meta.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { readDisk } from "../operations/disk.ts";
import { operation, type Routes } from "./operation.ts";

interface Parts {
	shop: Shop;
	dataDir: string;
	closing: AbortSignal;
	log: Logger;
}

const { version } = counterfoil;
/** Less than a transaction needs. */
const diskMinBytes = 1_000_000;

/** `/healthz` answers while the process does; `/readyz` answers 200 while the server can take a sale. */
export function healthRoutes(parts: Parts): Routes {
	return {
		"/healthz": {
			GET: operation({
				summary: "Check that the server's process responds",
				access: "anyone",
				isAlwaysAnswered: true,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ response }) {
					response.json({ ok: true });
				},
			}),
		},

		"/readyz": {
			GET: operation({
				summary: "Check that the server can take a sale",
				access: "anyone",
				isAlwaysAnswered: true,
				answers: {
					200: z.object({
						ok: z.literal(true),
						version: z.string(),
						schema: z.int(),
					}),
					503: z.object({ error: z.string(), version: z.string() }),
				},
				async handle({ response }) {
					const error = await obstacleOf(parts);
					if (error === undefined)
						response.json({ ok: true, version, schema: newestVersion() });
					else response.status(503).json({ error, version });
				},
			}),
		},
	};
}

/** @returns why the server can't take a sale, without paths; undefined if it can */
async function obstacleOf({
	shop: { store },
	dataDir,
	closing,
	log,
}: Parts): Promise<string | undefined> {
	if (closing.aborted) return "The server is stopping";
	try {
		store.assertInPlace();
		const schema = await store.read((tx) => readMeta(tx, "schema_version"));
		if (schema !== String(newestVersion()))
			return `The database has schema ${schema}, not ${newestVersion()}`;
	} catch (error) {
		log.error({ err: error }, "The store does not answer");
		return isStorageError(error) ? error.message : "The store does not answer";
	}
	try {
		await access(dataDir, constants.W_OK);
		const { freeBytes } = await readDisk(dataDir);
		return freeBytes < diskMinBytes ? "The disk is full" : undefined;
	} catch (error) {
		log.error({ err: error }, "The data directory can't be written");
		return "The data directory can't be written";
	}
}
