import type { RequestHandler } from "express";
import type { Logger } from "pino";
import counterfoil from "../package.json" with { type: "json" };
import { systemEnv } from "../sync/protocol/ids.ts";
import type { Shop, SyncServer } from "../sync/shop.ts";
import { newestVersion } from "../sync/store/migrate.ts";
import type { Store } from "../sync/store/store.ts";
import { openOwnAttempts, openSharedAttempts } from "./accounts/attempts.ts";
import { openAuthenticator } from "./accounts/authenticator.ts";
import { openKeyPayers } from "./accounts/key-payers.ts";
import { openPasswords, type Passwords } from "./accounts/passwords.ts";
import { openProofKeys } from "./accounts/proof-keys.ts";
import { openRegistrationLimit } from "./accounts/registration-limit.ts";
import { openSessionBook } from "./accounts/sessions.ts";
import { openSetupGuard } from "./accounts/setup-guard.ts";
import { accountOf, type SignIn, signIn } from "./accounts/sign-in.ts";
import { openSignInLimit } from "./accounts/sign-in-limit.ts";
import { openTokens } from "./accounts/tokens.ts";
import { hasUsers } from "./accounts/users.ts";
import { createApp } from "./app.ts";
import type { Deps } from "./deps.ts";
import { SettingsError } from "./environment.ts";
import { openGateway } from "./gateway/gateway.ts";
import { openCourier } from "./gateway/queue/delivery.ts";
import { openRequestQueue } from "./gateway/queue/queue.ts";
import { type ConnectionLimits, connectionLimits } from "./http/connections.ts";
import { type Listener, listen } from "./http/listener.ts";
import type { Routes } from "./http/operation.ts";
import {
	type OverloadLimits,
	openWorkload,
	overloadLimits,
} from "./http/overload.ts";
import { openMetrics } from "./metrics/metrics.ts";
import { openSpans, type Spans } from "./metrics/spans.ts";
import { openAlerts } from "./notifications/alerts.ts";
import { type Backups, openBackups } from "./operations/backup/backups.ts";
import { isDatabaseMissing, openDatabase } from "./operations/database.ts";
import { watchDatabase } from "./operations/database-watch.ts";
import { openLogger, standardError } from "./operations/logger.ts";
import { prepareUpgrade } from "./operations/upgrade.ts";
import { openOwnShop } from "./own-shop.ts";
import { openPictureSweep } from "./products/pictures/sweep.ts";
import type { Settings } from "./settings.ts";

/** System error codes for a `HOST` that isn't this machine's address. */
const foreignHostCodes = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

export type ServerLimits = ConnectionLimits & OverloadLimits;
export const serverLimits: ServerLimits = {
	...connectionLimits,
	...overloadLimits,
};

/** A running server, or a till that serves its own window. */
export interface RunningProgram {
	url: string;
	port: number;
	/** The code for creating the first shop from another machine; undefined once there is a shop. */
	setupCode: string | undefined;
	backups: Backups;
	/** Finishes running requests, ends streams and checkpoints the database. */
	close(): Promise<void>;
}
export interface RunningServer extends RunningProgram {
	shop: SyncServer;
}

/** A till's replacements for the parts that sync with tills. */
export interface Embedding {
	/** Opens a shop that no till syncs with. */
	openShop(store: Store, log: Logger): Promise<Shop>;
	/** Runs first on every request. */
	guard: RequestHandler;
	signIn?: (credentials: unknown, deps: Deps) => ReturnType<SignIn>;
	/** The till's own paths, and those that it answers instead of the server. */
	routes(deps: Deps): Routes;
	/** True if a server has the shop, and so its backups. */
	isBackedUp: boolean;
	/** Called before the store closes. */
	close(): Promise<void>;
}

/**
 * Opens the database and starts the server.
 *
 * @throws ShopError if the database can't be opened; BackupError if an older one can't be copied first; SettingsError if
 * `HOST` isn't this machine's address; a system error if the port is taken
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
): Promise<RunningProgram>;
export async function startServer(
	settings: Settings,
	log = openLogger(settings.logLevel, standardError(settings.logFormat)),
	embedding?: Embedding,
	limits: ServerLimits = serverLimits,
	passwords = openPasswords(),
): Promise<RunningProgram & { shop: Shop }> {
	// If the port is taken, the secret alone would look like a lost disk at the next start.
	if (isDatabaseMissing(settings))
		await (await openDatabase(settings, { canMigrate: true })).close();
	const listener = await listen(settings, limits).catch((error) => {
		throw toSettingsError(error, settings.host);
	});
	const opening = { settings, log, embedding, limits, passwords };
	try {
		return await startOn(listener, opening);
	} catch (error) {
		await listener.close();
		throw error;
	}
}

interface Starting extends Pick<Deps, "log" | "passwords"> {
	settings: Settings;
	embedding: Embedding | undefined;
	limits: ServerLimits;
}

async function startOn(
	listener: Listener,
	{ settings, log, embedding, limits, passwords }: Starting,
): Promise<RunningProgram & { shop: Shop }> {
	await prepareUpgrade(settings, log);
	const store = await openDatabase(settings, { canMigrate: true });
	const closing = new AbortController();
	const backups = openBackups({
		...{ store, env: systemEnv, log },
		settings: embedding?.isBackedUp
			? { ...settings, backupHours: [] }
			: settings,
		onProblem: () => alerts?.look(),
	});
	const spans = openSpans(settings.collector, log);
	const deps = await openDeps({
		spans,
		settings,
		log,
		store,
		backups,
		embedding,
		passwords,
		workload: openWorkload(limits, log),
		closing: closing.signal,
	});
	const { shop, gateway, queue, setupGuard } = deps;
	const isEmpty = !(await hasUsers(store));

	async function closeParts(): Promise<void> {
		deps.metrics?.close();
		deps.sessions.close();
		await queue.close();
		await gateway.close();
		await spans?.close();
		await embedding?.close();
		await passwords.close();
		await store.close();
	}

	try {
		await passwords.start();
		await listener.serve(createApp(deps, embedding));
		queue.start();
	} catch (error) {
		await closeParts();
		throw error;
	}
	const { url, port } = listener;
	const watch = watchDatabase(store, settings, log);
	// A till that has a server is backed up by it, and knows no other tills.
	const alerts = embedding?.isBackedUp
		? undefined
		: openAlerts({
				...{ store, env: systemEnv, backups, log },
				dataDir: settings.dataDir,
			});
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
		url,
		port,
		shop,
		backups,
		setupCode: isEmpty ? setupGuard.code : undefined,
		async close() {
			log.info("Stopping");
			closing.abort();
			watch.close();
			backups.close();
			alerts?.close();
			await listener.close();
			await pictureSweep.stop();
			await closeParts();
			log.info("Stopped");
		},
	};
}

interface Opening
	extends Pick<Deps, "log" | "passwords" | "workload" | "closing" | "backups"> {
	spans: Spans | undefined;
	settings: Settings;
	store: Store;
	embedding: Embedding | undefined;
}

async function openDeps({
	settings,
	store,
	embedding,
	spans,
	...given
}: Opening): Promise<Deps> {
	const { adminEmails, authSecret, dataDir } = settings;
	const { log, passwords, backups } = given;
	const metrics = openMetrics(settings.metricsToken, {
		...{ store, place: settings, backups },
	});
	const gateway = openGateway({
		store,
		env: systemEnv,
		dataDir,
		settings: settings.gateway,
		log,
		counting(meter) {
			const counted = metrics?.counting(meter) ?? meter;
			return spans?.tracing(counted) ?? counted;
		},
	});
	const queue = openRequestQueue({
		...{ store, env: systemEnv, gateway, log },
		courier: openCourier(authSecret, settings.gateway.deliversToLan),
	});
	/** Servers of one database count what guards a secret together. */
	const attempts = (kind: string) =>
		settings.databaseUrl === undefined
			? openOwnAttempts()
			: openSharedAttempts(store, authSecret, kind);
	const signInLimit = openSignInLimit(attempts("sign in"));
	const sync = embedding
		? undefined
		: openOwnShop(store, log, openProofKeys(authSecret));
	const shop = sync ?? (await (embedding as Embedding).openShop(store, log));
	const tokens = await openTokens(authSecret);
	const keyPayers = openKeyPayers(store);
	const sessions = openSessionBook(store, (err) => log.error({ err }));
	const deps: Deps = {
		...given,
		shop,
		sync,
		keyPayers,
		tokens,
		sessions,
		adminEmails,
		releaseHost: settings.releaseHost,
		gateway,
		queue,
		metrics,
		databaseUrl: settings.databaseUrl,
		dataDir,
		picturesMaxBytes: settings.picturesMaxBytes,
		authenticator: openAuthenticator(
			store,
			tokens,
			adminEmails,
			keyPayers,
			sessions,
		),
		signIn: (credentials, address) =>
			signInLimit.attempt(
				accountOf(credentials),
				address,
				() =>
					embedding?.signIn?.(credentials, deps) ??
					signIn(store, passwords, adminEmails, credentials),
			),
		registrationLimit: openRegistrationLimit(attempts("register")),
		setupGuard: openSetupGuard(authSecret, attempts("set up")),
	};
	return deps;
}

function toSettingsError(error: unknown, host: string): unknown {
	const { code = "" } = error as NodeJS.ErrnoException;
	return foreignHostCodes.has(code)
		? new SettingsError(`HOST: this machine has no address ${host}`)
		: error;
}
