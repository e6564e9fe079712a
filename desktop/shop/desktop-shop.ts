import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "pino";
import type { Passwords } from "../../server/accounts/passwords.ts";
import { forgetWithoutShop, hasShop } from "../../server/accounts/users.ts";
import { allRoutes } from "../../server/app.ts";
import type { Deps } from "../../server/deps.ts";
import { HttpError } from "../../server/http/http-error.ts";
import type { Operation, Routes } from "../../server/http/operation.ts";
import { makeFile } from "../../server/operations/atomic-file.ts";
import {
	type Backups,
	ownBackups,
} from "../../server/operations/backup/backups.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { openLogger } from "../../server/operations/logger.ts";
import { openOwnShop } from "../../server/own-shop.ts";
import { type Settings, secretFile } from "../../server/settings.ts";
import {
	type Embedding,
	type RunningProgram,
	startServer,
} from "../../server/start.ts";
import { managing } from "../../sync/entities/entity.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { becomeReplica } from "../../sync/replica/connect.ts";
import type { Store } from "../../sync/store/store.ts";
import { adoptId, saveAccount, saveMembership } from "./accounts.ts";
import { guardWindow } from "./guard.ts";
import { type JoinedTill, openJoinedTill } from "./joined-till.ts";
import { openServerClient } from "./server-client.ts";
import { openServerSession } from "./server-session.ts";
import {
	readTillConfig,
	type TillConfig,
	writeTillConfig,
} from "./till-config.ts";
import {
	type JoinBody,
	tillRoutes,
	withoutServerOnlyRoutes,
	withServerPictures,
	withServerSignOut,
} from "./till-routes.ts";
import { openTokenFile, type TokenStore } from "./token-store.ts";

/** The shop inside a desktop till: the server's app on this computer's database, for its window only. */
export interface DesktopShop {
	/** Stays the same while the shop runs. */
	readonly url: string;
	/** Made here only while there is no server that has the shop. */
	readonly backups: Backups;
	close(): Promise<void>;
}

interface DesktopShopOptions {
	/** `host` must be a loopback address. */
	settings: Settings;
	/** The secret that the window sends with each request. */
	secret: string;
	vault?: TokenStore;
	log?: Logger;
	passwords?: Passwords;
}

/**
 * Opens this computer's shop: without a server, or as a till if it has joined one. Joining reopens it at the same address.
 *
 * @throws like `startServer`
 */
export async function openDesktopShop({
	settings,
	secret,
	vault = openTokenFile(settings.dataDir),
	log = openLogger(settings.logLevel),
	passwords,
}: DesktopShopOptions): Promise<DesktopShop> {
	const { dataDir } = settings;
	const session = openServerSession(vault);
	let running: RunningProgram = await start(settings.port);
	let changing: Promise<void> | undefined;
	let isJoining = false;
	const { url, port } = running;

	async function start(atPort: number): Promise<RunningProgram> {
		const till = readTillConfig(dataDir);
		let joined: JoinedTill | undefined;
		const door = {
			get joined() {
				return joined;
			},
			isJoining: () => readTillConfig(dataDir) !== undefined,
			join,
			startOver() {
				changing ??= removeShop().finally(() => {
					changing = undefined;
				});
			},
		};
		const pictures = "/api/pictures/:id";
		const tillsOwn = (all: Routes, server: string): Routes => ({
			...withoutServerOnlyRoutes(all, server),
			"/logout": {
				POST: withServerSignOut(
					all["/logout"]?.POST as Operation,
					() => joined as JoinedTill,
				),
			},
			[pictures]: {
				GET: withServerPictures(
					all[pictures]?.GET as Operation,
					() => joined as JoinedTill,
				),
			},
		});
		const embedding: Embedding = {
			guard: guardWindow(secret),
			isBackedUp: till !== undefined,
			async openShop(store: Store) {
				if (!till) {
					await forgetWithoutShop(store);
					return openOwnShop(store, log);
				}
				await takeOver(store, dataDir, till);
				joined = await openJoinedTill(till, { store, dataDir, session, log });
				return joined.replica;
			},
			signIn: till
				? (given, deps) => (joined as JoinedTill).signIn(deps.passwords)(given)
				: undefined,
			routes: (deps) => ({
				...(till ? tillsOwn(allRoutes(deps), till.server) : {}),
				...tillRoutes(deps, door),
			}),
			close: async () => joined?.close(),
		};
		return startServer(
			{ ...settings, port: atPort },
			log,
			embedding,
			undefined,
			passwords,
		);
	}

	/** One at a time: two would reopen the shop at once. */
	async function join(...asked: Parameters<typeof becomeTill>): Promise<void> {
		if (isJoining || readTillConfig(dataDir))
			throw new HttpError(409, "This till already has a server", {
				code: "till_has_server",
			});
		isJoining = true;
		await becomeTill(...asked).finally(() => {
			isJoining = false;
		});
	}

	async function becomeTill(
		{ shop, passwords }: Deps,
		{ server, email, password }: JoinBody,
		from?: string,
	): Promise<void> {
		if (from === undefined && (await hasShop(shop.store)))
			throw new HttpError(409, "This computer already has a shop", {
				code: "computer_has_shop",
			});
		const address = toAddress(server);
		const there = openServerClient(address);
		const found = await there.signIn({ email, password });
		const { user, role, token } = found;
		if (from !== undefined && !managing.includes(role))
			throw new HttpError(
				403,
				"Only an owner or manager of the server's shop can move another shop to it",
				{ code: "managers_move_shops" },
			);
		const bringsSettings =
			from !== undefined && role === "OWNER" && (await there.isNew(token));
		const hash = await passwords.hash(password);
		await adoptId(shop.store, user.email, user.id);
		await saveAccount(shop.store, systemEnv, found, hash);
		try {
			session.begin(user.id, token);
			// From here on it is a till: an interrupted join resumes at the next start.
			writeTillConfig(dataDir, {
				server: address,
				businessId: user.businessId,
				userId: user.id,
				role,
				isJoined: from !== undefined,
				from,
				bringsSettings,
			});
		} catch (error) {
			await forgetWithoutShop(shop.store).catch((err) =>
				log.warn(
					{ err },
					"An account without a shop stays until the next start",
				),
			);
			throw error;
		}
		changing = reopen();
	}

	/** Reopens at the same address, so that the window needn't know. */
	async function reopen(): Promise<void> {
		await running.close();
		running = await start(port);
	}

	/** Reopens without a shop, as on a new computer. */
	async function removeShop(): Promise<void> {
		await running.close();
		// A program that finds its secret without a database takes its disk for lost, and doesn't start.
		const secret = secretFile(dataDir);
		const kept = existsSync(secret) ? readFileSync(secret, "utf8") : undefined;
		rmSync(secret, { force: true });
		// A demo's backups must not count among the own shop's, and nothing ever shows its pictures.
		for (const dir of [ownBackups(dataDir), resolve(dataDir, "pictures")])
			rmSync(dir, { recursive: true, force: true });
		for (const end of ["", "-wal", "-shm"])
			rmSync(databaseFile({ dataDir }) + end, { force: true });
		running = await start(port);
		if (kept !== undefined) makeFile(secret, kept);
	}

	return {
		url,
		get backups() {
			return running.backups;
		},
		async close() {
			await changing;
			await running.close();
		},
	};
}

/** Moves a shop without a server to the server, with all its sales; exactly once, however often it is interrupted. */
async function takeOver(
	store: Store,
	dataDir: string,
	{ from, bringsSettings = false, ...till }: TillConfig,
): Promise<void> {
	if (from === undefined) return;
	const { businessId, userId, role } = till;
	await store.write((tx) =>
		becomeReplica(tx, systemEnv, from, businessId, bringsSettings, userId),
	);
	await saveMembership(store, systemEnv, businessId, userId, role);
	writeTillConfig(dataDir, till);
}

/** @throws HttpError 400 */
function toAddress(given: string): string {
	const url = URL.parse(
		/^https?:\/\//.test(given) ? given : `https://${given}`,
	);
	if (!url || url.username || url.password)
		throw new HttpError(
			400,
			"server: must be an address such as https://shop.example",
			{ code: "invalid_args", path: ["server"] },
		);
	return url.origin;
}
