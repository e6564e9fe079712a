import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import counterfoil from "../package.json" with { type: "json" };
import type { ProofKeyOf } from "../sync/log/proof.ts";
import { isStorageError } from "../sync/protocol/errors.ts";
import { systemEnv } from "../sync/protocol/ids.ts";
import { openShop, type Shop, type SyncServer } from "../sync/shop.ts";
import { newestVersion } from "../sync/store/migrate.ts";
import type { Store } from "../sync/store/store.ts";
import { openKeyRing } from "./accounts/api-keys.ts";
import { openGuesses } from "./accounts/guesses.ts";
import { openGate } from "./accounts/identity.ts";
import { openPasswords, type Passwords } from "./accounts/passwords.ts";
import { openProofKeys } from "./accounts/proof-keys.ts";
import { openRegistrations } from "./accounts/registrations.ts";
import { openSetupDoor } from "./accounts/setup-code.ts";
import { accountOf, type SignIn, signIn } from "./accounts/sign-in.ts";
import { openTokens } from "./accounts/tokens.ts";
import { hasUsers } from "./accounts/users.ts";
import { createApp } from "./app.ts";
import type { Deps } from "./deps.ts";
import { openGateway } from "./gateway/gateway.ts";
import {
	type ConnectionLimits,
	connectionLimits,
	openHttpServer,
} from "./http/connections.ts";
import type { Routes } from "./http/operation.ts";
import {
	type OverloadLimits,
	openWorkload,
	overloadLimits,
} from "./http/overload.ts";
import { tellLowStock } from "./notifications/low-stock.ts";
import { openDatabase } from "./operations/database.ts";
import { watchDatabase } from "./operations/database-watch.ts";
import { openLog } from "./operations/log.ts";
import { prepareUpgrade } from "./operations/upgrade.ts";
import { openPictureSweep } from "./products/pictures/sweep.ts";
import type { Settings } from "./settings.ts";
import { SettingsError } from "./settings-error.ts";

/** How long requests in flight may take to end. */
const graceMs = 10_000;
const idleCheckMs = 50;
/** Where a listener is found under the name `localhost`. */
const localHosts = new Set(["localhost", "127.0.0.1", "0.0.0.0", "::", "::1"]);
/** What the system says of a `HOST` that is not this machine's. */
const foreignHostCodes = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

export type ServerLimits = ConnectionLimits & OverloadLimits;
export const serverLimits: ServerLimits = {
	...connectionLimits,
	...overloadLimits,
};

/** A program that answers at an address: a server, or a till for its own window. */
export interface Running {
	url: string;
	port: number;
	/** Opens the first shop from another machine; undefined where there is a shop. */
	setupCode: string | undefined;
	/** Answers what is in flight, ends the streams and checkpoints the database. */
	close(): Promise<void>;
}
export interface RunningServer extends Running {
	shop: SyncServer;
}

/** What a till puts in the place of a shop that others sync with. */
export interface Embedding {
	/** One that nobody syncs with. */
	openShop(store: Store, log: Logger): Promise<Shop>;
	/** Asked first, of every request. */
	guard: RequestHandler;
	signIn?: (credentials: unknown, deps: Deps) => ReturnType<SignIn>;
	/** Paths of its own, and those that it answers in the server's place. */
	routes(deps: Deps): Routes;
	/** Before the store is closed. */
	close(): Promise<void>;
}

/**
 * @throws ShopError where the database can't be opened, BackupError where no copy of an older one can be kept; SettingsError for a `HOST` that is not this machine's; a system
 * error where the port is taken
 */
export async function startServer(
	settings: Settings,
	log?: Logger,
	embedding?: undefined,
	limits?: ServerLimits,
	passwords?: Passwords,
): Promise<RunningServer>;
export async function startServer(
	settings: Settings,
	log: Logger,
	embedding: Embedding,
	limits?: ServerLimits,
	passwords?: Passwords,
): Promise<Running>;
export async function startServer(
	settings: Settings,
	log = openLog(settings.logLevel),
	embedding?: Embedding,
	limits: ServerLimits = serverLimits,
	passwords = openPasswords(),
): Promise<Running & { shop: Shop }> {
	const { adminEmails, releaseHost } = settings;
	await prepareUpgrade(settings, log);
	const store = await openDatabase(settings, { canMigrate: true });
	const gateway = openGateway({
		store,
		env: systemEnv,
		dataDir: settings.dataDir,
		settings: settings.gateway,
		log,
	});
	const setupDoor = openSetupDoor(settings.authSecret);
	const guesses = openGuesses();
	const closing = new AbortController();
	const sync = embedding
		? undefined
		: openOwnShop(store, log, openProofKeys(settings.authSecret));
	const shop = sync ?? (await (embedding as Embedding).openShop(store, log));
	const tokens = await openTokens(settings.authSecret);
	const keys = openKeyRing(store);
	const deps: Deps = {
		shop,
		sync,
		keys,
		tokens,
		passwords,
		adminEmails,
		releaseHost,
		gateway,
		dataDir: settings.dataDir,
		picturesMaxBytes: settings.picturesMaxBytes,
		log,
		workload: openWorkload(limits, log),
		gate: openGate(store, tokens, adminEmails, keys),
		signIn: (given, address) =>
			guesses.attempt(
				accountOf(given),
				address,
				() =>
					embedding?.signIn?.(given, deps) ??
					signIn(store, passwords, adminEmails, given),
			),
		registrations: openRegistrations(),
		setupDoor,
		closing: closing.signal,
	};
	const isEmpty = !(await hasUsers(store));
	const app = createApp(deps, embedding);
	const server = openHttpServer(app, limits);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
	});
	try {
		await passwords.start();
		server.listen(settings.port, settings.host);
		await once(server, "listening");
	} catch (error) {
		await gateway.close();
		await embedding?.close();
		await passwords.close();
		await store.close();
		if (foreignHostCodes.has((error as NodeJS.ErrnoException).code ?? ""))
			throw new SettingsError(
				`HOST: this machine has no address ${settings.host}`,
			);
		throw error;
	}
	const { port } = server.address() as AddressInfo;
	const watch = watchDatabase(store, settings, log);
	const pictureSweep = openPictureSweep(settings.dataDir, store, log);
	log.info(
		{
			version: counterfoil.version,
			host: settings.host,
			port,
			database: settings.databaseUrl === undefined ? "file" : "PostgreSQL",
			schema: newestVersion(),
		},
		"Started",
	);
	return {
		url: urlOf(settings.host, port),
		port,
		shop,
		setupCode: isEmpty ? setupDoor.code : undefined,
		async close() {
			log.info("Stopping");
			closing.abort();
			watch.close();
			await end(server, sockets);
			await pictureSweep.stop();
			await gateway.close();
			await embedding?.close();
			await passwords.close();
			await store.close();
			log.info("Stopped");
		},
	};
}

/** A shop that is this machine's own, and not a server's. */
export function openOwnShop(
	store: Store,
	log: Logger,
	proofKeyOf?: ProofKeyOf,
): SyncServer {
	return openShop({
		store,
		proofKeyOf,
		// A sale is not held up by what could not be told about it.
		onLowStock: (tx, businessId, product) =>
			tx
				.savepoint(() => tellLowStock(tx, systemEnv, businessId, product))
				.catch((err) => {
					if (isStorageError(err)) throw err;
					log.error({ err }, "Low stock could not be told");
				}),
		onFault: (err) => log.error({ err }),
	});
}

function urlOf(host: string, port: number): string {
	if (localHosts.has(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Connections without a request end at once, the others with their answers. */
async function end(
	server: Server,
	sockets: ReadonlySet<Socket>,
): Promise<void> {
	const ended = once(server, "close");
	server.close();
	const closeIdle = () => {
		server.closeIdleConnections();
		// Browsers open some ahead, for requests that they may never make.
		for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
	};
	closeIdle();
	// One that was answered meanwhile would be kept for its next request, seconds long.
	const sweep = setInterval(closeIdle, idleCheckMs);
	const timer = setTimeout(() => server.closeAllConnections(), graceMs);
	await ended;
	clearInterval(sweep);
	clearTimeout(timer);
	// Those that were cut off are told so a moment after the server is: what they asked for is given up by themselves.
	for (const socket of sockets)
		await new Promise((resolve) => socket.once("close", resolve));
}
