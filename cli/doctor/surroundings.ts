import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyVariable } from "../../server/gateway/settings.ts";
import { requestIdHeader } from "../../server/http/request-id.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { readSettings, type Settings } from "../../server/settings.ts";
import { SettingsError } from "../../server/settings-error.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Below this nothing can be sold for long. */
const diskMinBytes = 200_000_000;
const healthTimeoutMs = 2_000;

/** The settings as the server would read them, but nothing is made for them. */
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
				: "stands in for the one that is kept in DATA_DIR",
		});
		return { settings, findings: [ok(name, "can be used"), keysOf(settings)] };
	} catch (error) {
		if (!(error instanceof SettingsError)) throw error;
		const advice = "correct that environment variable";
		const findings = [problem(name, error.message, advice)];
		return { settings: undefined, findings };
	}
}

/** By their names alone. */
function keysOf({ gateway }: Settings): Finding {
	const names = Object.entries(gateway.providers)
		.filter(([, { key }]) => key !== undefined)
		.map(([provider]) => keyVariable(provider));
	return ok(
		"AI providers",
		names.length > 0
			? `keys are set: ${names.join(", ")}`
			: "no key is set; the gateway has only what Ollama runs here",
	);
}

export async function checkDataDir(dataDir: string): Promise<Finding[]> {
	const name = "data directory";
	const found = statSync(dataDir, { throwIfNoEntry: false });
	if (!found)
		return [
			warning(
				name,
				`${dataDir} is not there yet`,
				"the first start makes it; set DATA_DIR if the shop is elsewhere",
			),
		];
	if (!found.isDirectory())
		return [problem(name, `${dataDir} is no directory`, "set DATA_DIR")];
	const findings: Finding[] = [];
	try {
		await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
		findings.push(ok(name, dataDir));
	} catch {
		// Refused is the answer, not a fault.
		const advice = "run as the user that owns it, or give it to this one";
		findings.push(problem(name, `${dataDir} can't be written`, advice));
	}
	const secret = join(dataDir, "auth-secret");
	if (modeOf(secret) & 0o077) findings.push(readable("secret", [secret]));
	const file = databaseFile({ dataDir });
	// Who may not enter the directory does not come to what is in it.
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
		`others on this machine can read ${list}`,
		`chmod 600 ${list}`,
	);
}

/** 0 for what is not there; Windows has no modes. */
function modeOf(path: string): number {
	if (process.platform === "win32") return 0;
	return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

async function checkDisk(dataDir: string): Promise<Finding> {
	const name = "disk space";
	const { bavail, bsize } = await statfs(dataDir);
	const freeBytes = bavail * bsize;
	const database = statSync(databaseFile({ dataDir }), {
		throwIfNoEntry: false,
	});
	const found = `${toMegabytes(freeBytes)} free, the database has ${toMegabytes(database?.size ?? 0)}`;
	if (freeBytes < diskMinBytes)
		return problem(name, found, "make room now: sales stop with a full disk");
	// A migration or a restore may need the database's size once more.
	if (freeBytes < 2 * (database?.size ?? 0))
		return warning(name, found, "make room for twice the database");
	return ok(name, found);
}

function toMegabytes(bytes: number): string {
	return `${Math.round(bytes / 1e6)} MB`;
}

/** Taken is well where it is our own server that has it. */
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
			return problem(name, message, "set HOST and PORT to what may be used");
		const answer = await askHealth(host, port);
		if (answer === "well")
			return ok(name, `a Counterfoil server answers on ${port}`);
		if (answer !== undefined)
			return problem(
				name,
				`the Counterfoil server on ${port} is not well: ${answer}`,
				"stop it before anything else: what it takes now may be lost",
			);
		return problem(
			name,
			`another program has ${port}`,
			"set PORT to another, or stop that program",
		);
	}
}

/** @returns "well", what is wrong, or undefined where no server of ours answers */
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
			`http://${name.includes(":") ? `[${name}]` : name}:${port}/healthz`,
			{ signal: AbortSignal.timeout(healthTimeoutMs) },
		);
		const body = (await response.json()) as { ok?: unknown; error?: unknown };
		if (body.ok === true) return "well";
		const isOurs =
			response.status === 503 && response.headers.has(requestIdHeader);
		return isOurs ? String(body.error) : undefined;
	} catch {
		// Whatever else answers there, or does not, is not a server of ours.
		return undefined;
	}
}
