import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { openPostgres } from "../store/postgres.ts";

/*
 * One PostgreSQL serves a whole run of the tests or the simulator. The first process that needs it starts it in the
 * run's folder, and the run's parent stops it.
 */

const run = promisify(execFile);
/** The environment variable with the folder of a run's PostgreSQL. */
export const folderVariable = "TEST_POSTGRES_FOLDER";
const startMs = 60_000;
const template = "counterfoil_template";

/** Finds the folder of PostgreSQL's programs on this machine. */
function findPrograms(): string | undefined {
	const debian = "/usr/lib/postgresql";
	const versions = existsSync(debian) ? readdirSync(debian) : [];
	return [
		process.env.PG_BIN ?? "",
		...versions
			.toSorted((a, b) => Number(b) - Number(a))
			.map((version) => join(debian, version, "bin")),
		...(process.env.PATH ?? "").split(":"),
	].find((dir) => dir !== "" && existsSync(join(dir, "initdb")));
}

const programs = findPrograms();
export const hasPostgres = programs !== undefined;

/** A suffix for titles of tests that need PostgreSQL. */
export const wherePostgres = "(skipped where no PostgreSQL is found)";

/** The user `nobody`, because PostgreSQL refuses to run as root. */
const nobody = (() => {
	if (process.getuid?.() !== 0) return [];
	const id = (flag: string) =>
		execFileSync("id", [flag, "nobody"], { encoding: "utf8" }).trim();
	return [`--reuid=${id("-u")}`, `--regid=${id("-g")}`, "--clear-groups"];
})();

async function runProgram(name: string, args: string[], cwd: string) {
	const file = join(programs as string, name);
	if (nobody.length === 0) await run(file, args, { cwd });
	else await run("setpriv", [...nobody, file, ...args], { cwd });
}

/** @returns a folder for a new cluster */
export function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "counterfoil-postgres-"));
	chmodSync(folder, 0o777);
	return folder;
}

export async function removeCluster(folder: string): Promise<void> {
	const data = join(folder, "data");
	if (existsSync(join(data, "postmaster.pid")))
		await runProgram(
			"pg_ctl",
			["-D", data, "-m", "immediate", "-w", "stop"],
			folder,
		);
	rmSync(folder, { recursive: true, force: true });
}

/** Starts the cluster, or waits for the process that is starting it. */
async function startCluster(folder: string): Promise<void> {
	const ready = join(folder, "ready");
	if (existsSync(ready)) return;
	try {
		mkdirSync(join(folder, "starting"));
	} catch {
		const giveUpAt = performance.now() + startMs;
		while (!existsSync(ready)) {
			if (performance.now() > giveUpAt)
				throw new Error(`No PostgreSQL within ${startMs} ms`);
			await sleep(50);
		}
		return;
	}
	const data = join(folder, "data");
	await runProgram(
		"initdb",
		// A locale with another text order than the tests expect, as most databases have.
		["-D", data, "-U", "shop", "--auth=trust", "--no-sync", "-E", "UTF8"],
		folder,
	);
	const options = [
		`unix_socket_directories=${folder}`,
		...["listen_addresses=", "max_connections=300", "shared_buffers=64MB"],
		// Nothing here has to survive the run.
		...["fsync=off", "full_page_writes=off", "autovacuum=off"],
		...["wal_level=minimal", "max_wal_senders=0"],
	];
	await runProgram(
		"pg_ctl",
		[
			...["-D", data, "-l", join(folder, "log"), "-w"],
			...["-o", options.map((option) => `-c ${option}`).join(" "), "start"],
		],
		folder,
	);
	await withClient(urlOf(folder, "postgres"), (admin) =>
		admin.query(`CREATE DATABASE ${template}`),
	);
	const store = await openPostgres(urlOf(folder, template));
	await store.close();
	writeFileSync(ready, "");
}

function urlOf(folder: string, database: string): string {
	return `postgres://localhost/${database}?user=shop&host=${folder}`;
}

export async function withClient<T>(
	url: string,
	fn: (client: pg.Client) => Promise<T>,
): Promise<T> {
	const client = new pg.Client(url);
	await client.connect();
	try {
		return await fn(client);
	} finally {
		await client.end();
	}
}

/**
 * Creates a database, empty or with a new shop's schema.
 *
 * @returns its URL
 */
export async function createDatabase(from: "empty" | "fresh"): Promise<string> {
	const folder = process.env[folderVariable];
	if (folder === undefined) throw new Error("No folder for PostgreSQL");
	await startCluster(folder);
	const name = `test_${randomBytes(8).toString("hex")}`;
	await withClient(urlOf(folder, "postgres"), (admin) =>
		admin.query(
			`CREATE DATABASE ${name} TEMPLATE ${from === "empty" ? "template0" : template} STRATEGY file_copy`,
		),
	);
	return urlOf(folder, name);
}
