import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SettingsError } from "../../server/environment.ts";
import { keyVariable } from "../../server/gateway/settings.ts";
import { requestIdHeader } from "../../server/http/request-id.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { diskMinBytes, readDisk } from "../../server/operations/disk.ts";
import { readSettings, type Settings } from "../../server/settings.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const healthTimeoutMs = 2_000;

/** Reads the settings as the server does, without creating DATA_DIR or its secret. */
export function checkSettings(
	env: NodeJS.ProcessEnv,
	dataDir: string,
): { findings: Finding[]; settings: Settings | undefined } {
	const name = "settings";
	try {
		const settings = readSettings({
			...env,
			DATA_DIR: existsSync(dataDir) ? dataDir : tmpdir(),
			AUTH_SECRET: env.AUTH_SECRET?.trim()
				? env.AUTH_SECRET
				: "placeholder for the secret in DATA_DIR",
		});
		return { settings, findings: [ok(name, "valid"), keysOf(settings)] };
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		const advice = "correct this environment variable";
		const findings = [problem(name, error.message, advice)];
		return { settings: undefined, findings };
	}
}

/** Lists the environment variables that hold provider keys, never the keys. */
function keysOf({ gateway }: Settings): Finding {
	const names = Object.entries(gateway.providers)
		.filter(([, { key }]) => key !== undefined)
		.map(([provider]) => keyVariable(provider));
	return ok(
		"AI providers",
		names.length > 0
			? `keys are set: ${names.join(", ")}`
			: "no key is set; the gateway offers only local Ollama models",
	);
}

export async function checkDataDir(dataDir: string): Promise<Finding[]> {
	const name = "data directory";
	const found = statSync(dataDir, { throwIfNoEntry: false });
	if (!found)
		return [
			warning(
				name,
				`${dataDir} does not exist yet`,
				"the first start creates it; set DATA_DIR if the shop is elsewhere",
			),
		];
	if (!found.isDirectory())
		return [
			problem(
				name,
				`${dataDir} is not a directory`,
				"set DATA_DIR to a directory",
			),
		];
	const findings: Finding[] = [];
	try {
		await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
		findings.push(ok(name, dataDir));
	} catch {
		// A refusal is a finding, not a failure of the check.
		const advice = "run as the user that owns it, or give it to this user";
		findings.push(problem(name, `${dataDir} is not writable`, advice));
	}
	const secret = join(dataDir, "auth-secret");
	if (modeOf(secret) & 0o077) findings.push(readable("secret", [secret]));
	const file = databaseFile({ dataDir });
	// Without +x on the directory, others can't open the files in it, whatever their modes.
	const mayEnter = modeOf(dataDir) & 0o011;
	const wide = [file, `${file}-wal`, `${file}-shm`].filter(
		(name) => modeOf(name) & (mayEnter << 2),
	);
	if (wide.length > 0) findings.push(readable("privacy", wide));
	findings.push(await checkDisk(dataDir));
	return findings;
}

function readable(name: string, files: string[]): Finding {
	const list = files.join(" ");
	return problem(
		name,
		`other users of this machine can read ${list}`,
		`chmod 600 ${list}`,
	);
}

/** A file's mode, or 0 if it doesn't exist or on Windows, which has no modes. */
function modeOf(path: string): number {
	if (process.platform === "win32") return 0;
	return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

async function checkDisk(dataDir: string): Promise<Finding> {
	const name = "disk space";
	const { freeBytes } = await readDisk(dataDir);
	const database = statSync(databaseFile({ dataDir }), {
		throwIfNoEntry: false,
	});
	const found = `${toMegabytes(freeBytes)} free, the database uses ${toMegabytes(database?.size ?? 0)}`;
	if (freeBytes < diskMinBytes)
		return problem(
			name,
			found,
			"free some space now: sales stop on a full disk",
		);
	// A migration or a restore writes a second copy of the database.
	if (freeBytes < 2 * (database?.size ?? 0))
		return warning(name, found, "free space for twice the database's size");
	return ok(name, found);
}

function toMegabytes(bytes: number): string {
	return `${Math.round(bytes / 1e6)} MB`;
}

/** A port in use is ok if a Counterfoil server uses it. */
export async function checkPort({ host, port }: Settings): Promise<Finding> {
	const name = "port";
	const server = createServer();
	try {
		server.listen(port, host);
		await once(server, "listening");
		server.close();
		return ok(name, `${port} is free; no server is running there`);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code !== "EADDRINUSE")
			return problem(
				name,
				message,
				"set HOST and PORT to an address that this user may listen on",
			);
		const answer = await askHealth(host, port);
		if (answer === "well")
			return ok(name, `a Counterfoil server answers on ${port}`);
		if (answer !== undefined)
			return problem(
				name,
				`the Counterfoil server on ${port} reports a problem: ${answer}`,
				"stop it first: sales that it accepts now may be lost",
			);
		return problem(
			name,
			`another program uses ${port}`,
			"set PORT to another port, or stop that program",
		);
	}
}

/** @returns "well", the problem it reports, or undefined if no Counterfoil server answers */
async function askHealth(
	host: string,
	port: number,
): Promise<string | undefined> {
	const anyHost: Record<string, string> = {
		"0.0.0.0": "127.0.0.1",
		"::": "::1",
	};
	const name = anyHost[host] ?? host;
	try {
		const response = await fetch(
			`http://${name.includes(":") ? `[${name}]` : name}:${port}/readyz`,
			{ signal: AbortSignal.timeout(healthTimeoutMs) },
		);
		const body = (await response.json()) as { ok?: unknown; error?: unknown };
		if (body.ok === true) return "well";
		const isOurs =
			response.status === 503 && response.headers.has(requestIdHeader);
		return isOurs ? String(body.error) : undefined;
	} catch {
		// No answer, or one that isn't JSON, means no Counterfoil server.
		return undefined;
	}
}
