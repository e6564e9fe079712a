import type { Logger } from "pino";
import counterfoil from "../../package.json" with { type: "json" };
import type { Passwords } from "../../server/accounts/passwords.ts";
import {
	type SignIn,
	signIn as signInHere,
} from "../../server/accounts/sign-in.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { openPictures } from "../../server/products/pictures/pictures.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica, type Replica } from "../../sync/replica/replica.ts";
import { type SyncLoop, startSyncLoop } from "../../sync/replica/sync-loop.ts";
import type { Store } from "../../sync/store/store.ts";
import { openTill, type Till as SellingTill } from "../../sync/till/till.ts";
import { forgetPassword, saveAccount, saveMembership } from "./accounts.ts";
import { openServerClient } from "./server-client.ts";
import type { ServerSession } from "./server-session.ts";
import { type TillConfig, writeTillConfig } from "./till-config.ts";

/** A till that has joined a shop's server, or is joining it. */
export interface JoinedTill {
	readonly till: TillConfig;
	readonly replica: Replica;
	/** The API for its window. */
	readonly window: SellingTill;
	/** Checked by the server if it can be reached, otherwise against the last sign-in here. */
	signIn(passwords: Passwords): (credentials: unknown) => ReturnType<SignIn>;
	/** Stops making proofs for the member who was signed in. */
	signOut(): void;
	/** Whether the last attempt reached the server; null before the first. */
	isOnline(): boolean | null;
	/** Fetches a picture from the shop's server and stores it here. @throws HttpError 503 */
	fetchPicture(name: string): Promise<Uint8Array | undefined>;
	close(): Promise<void>;
}

interface Options {
	store: Store;
	dataDir: string;
	session: ServerSession;
	log: Logger;
}

export async function openJoinedTill(
	till: TillConfig,
	{ store, dataDir, session, log }: Options,
): Promise<JoinedTill> {
	const { server, businessId } = till;
	const transport = httpTransport({
		baseUrl: server,
		businessId,
		token: session.token,
	});
	const replica = await openReplica({
		store,
		businessId,
		transport,
		program: counterfoil.version,
		keyring: session.keyring,
		onFault: (err) => log.error({ err }),
		onDifference: (difference) =>
			log.warn({ difference }, "Rows differed from the server's"),
	});
	const onError = (err: unknown) => log.warn({ err }, "The till didn't sync");
	const arriving: Replica = {
		...replica,
		async sync(options) {
			await replica.sync(options);
			await noteArrival();
		},
	};
	const syncLoop: SyncLoop = startSyncLoop(arriving, transport, {
		env: systemEnv,
		onError,
		onTried: () => window.tell("standing"),
	});
	const window = openTill(replica, businessId, {
		...{ replica, syncLoop },
		readStaff: () => openServerClient(server).readStaff(session.token()),
	});

	/** The first complete sync ends joining. Downloaded rows stay, however often it is interrupted. */
	async function noteArrival(): Promise<void> {
		if (till.isJoined) return;
		await saveMembership(store, systemEnv, businessId, till.userId, till.role);
		till.isJoined = true;
		writeTillConfig(dataDir, till);
	}

	return {
		till,
		replica,
		window,

		signIn: (passwords) => async (given) => {
			const here = async () => {
				const found = await signInHere(store, passwords, new Set(), given);
				// From now on this member is the author of new mutations.
				if (!session.isOf(found.user.id)) session.end();
				return found;
			};
			const { email, password } = (given ?? {}) as Record<string, unknown>;
			if (typeof email !== "string" || typeof password !== "string")
				return here();
			if (!(await transport.isReachable())) return here();
			try {
				const found = await openServerClient(server).signIn({
					email,
					password,
				});
				const { user, role, token } = found;
				if (user.businessId !== businessId)
					throw new HttpError(401, "This till belongs to another shop", {
						code: "other_shops_till",
					});
				const hash = await passwords.hash(password);
				const tokenVersion = await saveAccount(store, systemEnv, found, hash);
				if (till.isJoined)
					await saveMembership(store, systemEnv, businessId, user.id, role);
				session.begin(user.id, token);
				await replica.resume();
				syncLoop.requestSync();
				return { user: { ...user, role: "user" }, tokenVersion };
			} catch (error) {
				if (!(error instanceof HttpError)) throw error;
				// The server is unreachable, or refuses requests for now.
				if (error.status === 503 || error.status === 429) return here();
				// The server rejected a password cached here; stop accepting it offline too.
				await here().then(
					() => forgetPassword(store, email),
					() => undefined,
				);
				throw error;
			}
		},

		async fetchPicture(name) {
			const bytes = await openServerClient(server).readPicture(
				name,
				session.token(),
			);
			if (bytes) await openPictures(dataDir).keep(businessId, name, bytes);
			return bytes;
		},

		signOut: session.end,
		isOnline: syncLoop.isOnline,
		close: syncLoop.stop,
	};
}
