import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { listOf, parseEnvironment, SettingsError } from "./environment.ts";
import {
	type GatewaySettings,
	readGatewaySettings,
} from "./gateway/settings.ts";
import type { Collector } from "./metrics/spans.ts";
import { makeFile } from "./operations/atomic-file.ts";
import {
	databaseFile,
	isDatabaseMissing,
	readDatabaseUrl,
} from "./operations/database.ts";
import type { LogFormat } from "./operations/logger.ts";
import type { ReleaseHost } from "./releases/upstream.ts";

const secretBytesMin = 32;
const metricsTokenMin = 16;

const portWords = "must be a whole number from 0 to 65535";

const environment = z.object({
	PORT: z.coerce
		.number(portWords)
		.int(portWords)
		.min(0, portWords)
		.max(65_535, portWords)
		.default(4780),
	HOST: z.string().min(1).default("127.0.0.1"),
	SOCKET: z.string().optional(),
	DATA_DIR: z.string().min(1).default("./data"),
	AUTH_SECRET: z.string().optional(),
	ADMIN_EMAILS: z.string().default(""),
	RELEASES_API_URL: z.url().default("https://api.github.com"),
	RELEASES_REPO: z
		.string()
		.regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name")
		.optional(),
	PICTURES_MB: z.coerce.number().int().min(1).default(500),
	BACKUP_DIR: z.string().optional(),
	BACKUP_HOURS: z
		.string()
		.regex(
			/^(all|none|\s*(1?\d|2[0-3])\s*(,\s*(1?\d|2[0-3])\s*)*)$/,
			"must be all, none, or hours of the day such as 1,13,20",
		)
		.default("all"),
	METRICS_TOKEN: z
		.string()
		.min(metricsTokenMin, `must have at least ${metricsTokenMin} characters`)
		.optional(),
	OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
	OTEL_EXPORTER_OTLP_HEADERS: z.string().default(""),
	OTEL_SERVICE_NAME: z.string().default("counterfoil"),
	LOG_LEVEL: z
		.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
		.default("info"),
	LOG_FORMAT: z.enum(["json", "text"]).optional(),
});

export interface Settings {
	port: number;
	host: string;
	/** The file at which a proxy reaches the server, beside the port. */
	socketPath: string | undefined;
	dataDir: string;
	/** A PostgreSQL URL with its password; undefined for a file in `dataDir`. */
	databaseUrl: string | undefined;
	/** Signs sessions and tokens. */
	authSecret: Uint8Array;
	/** In lower case. */
	adminEmails: ReadonlySet<string>;
	releaseHost: ReleaseHost;
	gateway: GatewaySettings;
	/** Limit for all pictures of one business. */
	picturesMaxBytes: number;
	/** Hours of the day in which a backup is made, by the machine's clock. */
	backupHours: readonly number[];
	/** A directory on another disk for further backups. */
	backupDir: string | undefined;
	/** Opens `/metrics`; undefined for nobody. */
	metricsToken: string | undefined;
	/** Where spans of AI calls go; undefined for nowhere. */
	collector: Collector | undefined;
	logLevel: string;
	/** Undefined for text on a terminal and JSON elsewhere. */
	logFormat: LogFormat | undefined;
}

/**
 * Reads the settings and makes the data directory. An empty or blank variable counts as absent.
 *
 * @throws SettingsError naming the variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
	const given = Object.fromEntries(
		Object.entries(env).filter(([, value]) => value?.trim() !== ""),
	);
	const parsed = parseEnvironment(environment, given);
	const { PORT, HOST, DATA_DIR, AUTH_SECRET, ADMIN_EMAILS, LOG_LEVEL } = parsed;
	const gateway = readGatewaySettings(given);
	const { RELEASES_API_URL, RELEASES_REPO } = parsed;
	const dataDir = resolve(DATA_DIR);
	try {
		mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	} catch (error) {
		throw new SettingsError(`DATA_DIR: ${(error as Error).message}`);
	}
	const databaseUrl = readDatabaseUrl(given);
	const authSecret =
		AUTH_SECRET === undefined
			? toSecret("DATA_DIR: auth-secret in it", ownSecret(dataDir, databaseUrl))
			: toSecret("AUTH_SECRET:", AUTH_SECRET);
	return {
		port: PORT,
		host: HOST,
		socketPath: parsed.SOCKET,
		dataDir,
		databaseUrl,
		authSecret,
		adminEmails: readAdminEmails(ADMIN_EMAILS),
		releaseHost: { apiUrl: RELEASES_API_URL, repo: RELEASES_REPO },
		gateway,
		picturesMaxBytes: parsed.PICTURES_MB * 1_000_000,
		backupHours: readHours(parsed.BACKUP_HOURS),
		backupDir: parsed.BACKUP_DIR && resolve(parsed.BACKUP_DIR),
		metricsToken: parsed.METRICS_TOKEN,
		collector: toCollector(parsed),
		logLevel: LOG_LEVEL,
		logFormat: parsed.LOG_FORMAT,
	};
}

function toCollector(
	parsed: z.output<typeof environment>,
): Collector | undefined {
	const url = parsed.OTEL_EXPORTER_OTLP_ENDPOINT;
	if (url === undefined) return undefined;
	const headers = listOf(parsed.OTEL_EXPORTER_OTLP_HEADERS).map((header) => {
		const [, name, value] = /^([\w-]+)\s*=\s*(\S*)$/.exec(header) ?? [];
		if (name === undefined || value === undefined)
			throw new SettingsError(
				"OTEL_EXPORTER_OTLP_HEADERS: must be like name=value,name=value",
			);
		return [name, decodeURIComponent(value)];
	});
	return {
		url,
		headers: Object.fromEntries(headers),
		serviceName: parsed.OTEL_SERVICE_NAME,
	};
}

function readHours(text: string): number[] {
	if (text === "none") return [];
	return text === "all"
		? Array.from({ length: 24 }, (_, hour) => hour)
		: listOf(text).map(Number);
}

/** @param text `ADMIN_EMAILS` */
export function readAdminEmails(text = ""): ReadonlySet<string> {
	return new Set(listOf(text.toLowerCase()));
}

function toSecret(what: string, text: string): Uint8Array {
	const secret = new TextEncoder().encode(text);
	if (secret.length < secretBytesMin)
		throw new SettingsError(
			`${what} must have at least ${secretBytesMin} bytes, not ${secret.length}`,
		);
	return secret;
}

/** Where an installation keeps the secret that it generated. */
export const secretFile = (dataDir: string) => join(dataDir, "auth-secret");

/**
 * Reads the secret that this installation generated at its first start, or generates it.
 *
 * @throws SettingsError if the secret exists without its database, such as when a disk isn't mounted
 */
function ownSecret(dataDir: string, databaseUrl: string | undefined): string {
	const file = secretFile(dataDir);
	try {
		if (!existsSync(file)) {
			makeFile(file, randomBytes(48).toString("base64url"));
			return readFileSync(file, "utf8").trim();
		}
		const secret = readFileSync(file, "utf8").trim();
		const place = { dataDir, databaseUrl };
		if (secret !== "" && isDatabaseMissing(place))
			throw new SettingsError(
				`DATA_DIR: ${databaseFile(place)} is missing or empty, but its auth-secret is there. Mount its disk or restore a backup; for a new shop, remove auth-secret`,
			);
		return secret;
	} catch (error) {
		if (error instanceof SettingsError) throw error;
		throw new SettingsError(
			`DATA_DIR: auth-secret in it can't be used: ${(error as Error).message}`,
		);
	}
}
