import type { Logger } from "pino";
import type { Shop, SyncServer } from "../sync/shop.ts";
import type { Authenticator } from "./accounts/authenticator.ts";
import type { KeyPayers } from "./accounts/key-payers.ts";
import type { Passwords } from "./accounts/passwords.ts";
import type { RegistrationLimit } from "./accounts/registration-limit.ts";
import type { SessionBook } from "./accounts/sessions.ts";
import type { SetupGuard } from "./accounts/setup-guard.ts";
import type { SignIn } from "./accounts/sign-in.ts";
import type { Tokens } from "./accounts/tokens.ts";
import type { Gateway } from "./gateway/gateway.ts";
import type { RequestQueue } from "./gateway/queue/queue.ts";
import type { Workload } from "./http/overload.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Backups } from "./operations/backup/backups.ts";
import type { ReleaseHost } from "./releases/upstream.ts";

/** The parts of a running server, from which each room's routes pick theirs. */
export interface Deps {
	shop: Shop;
	/** The sync side of the same shop; undefined inside a till. */
	sync: SyncServer | undefined;
	authenticator: Authenticator;
	workload: Workload;
	keyPayers: KeyPayers;
	tokens: Tokens;
	sessions: SessionBook;
	passwords: Passwords;
	signIn: SignIn;
	registrationLimit: RegistrationLimit;
	setupGuard: SetupGuard;
	adminEmails: ReadonlySet<string>;
	releaseHost: ReleaseHost;
	gateway: Gateway;
	/** The gateway's requests that are answered later. */
	queue: RequestQueue;
	/** Undefined while nobody may read them. */
	metrics: Metrics | undefined;
	backups: Backups;
	databaseUrl: string | undefined;
	/** The directory that holds the pictures. */
	dataDir: string;
	/** Limit for all pictures of one business. */
	picturesMaxBytes: number;
	log: Logger;
	/** Aborts when the server closes, which ends streams. */
	closing: AbortSignal;
}
