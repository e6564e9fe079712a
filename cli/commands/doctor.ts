import {
	databaseFile,
	databaseName,
} from "../../server/operations/database.ts";
import type { Settings } from "../../server/settings.ts";
import { checkDatabase, checkServerDatabase } from "../doctor/database.ts";
import {
	checkDataDir,
	checkPort,
	checkSettings,
} from "../doctor/environment.ts";
import type { Finding } from "../doctor/finding.ts";
import { Command } from "./command.ts";
import { dataDirectory } from "./open-shop.ts";

export function doctorCommand(): Command {
	return new Command("doctor")
		.description(
			"Check settings, disk, database, clock, backups and port without changing anything, and suggest fixes. Exits with 1 if there is a problem",
		)
		.printsJson()
		.examples("counterfoil doctor")
		.action(doctor);
}

async function doctor({ json = false }: { json?: boolean }): Promise<void> {
	const dataDir = dataDirectory();
	const { settings, findings } = checkSettings(process.env, dataDir);
	findings.push(
		...(await checkDataDir(dataDir)),
		...(await checkConfiguredDatabase(dataDir, settings)),
	);
	if (settings) findings.push(await checkPort(settings));
	if (json) console.log(JSON.stringify(findings, null, 2));
	else findings.forEach(printFinding);
	if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
}

/** Checks the database that the settings name; nothing if the settings are invalid. */
async function checkConfiguredDatabase(
	dataDir: string,
	settings: Settings | undefined,
): Promise<Finding[]> {
	const now = Date.now();
	const url = settings?.databaseUrl;
	if (url !== undefined)
		return checkServerDatabase(
			url,
			databaseName({ dataDir, databaseUrl: url }),
			now,
		);
	return process.env.DATABASE_URL
		? []
		: checkDatabase(databaseFile({ dataDir }), now);
}

function printFinding({ name, state, found, advice }: Finding): void {
	console.log(
		`${state.padEnd(7)}  ${name}: ${found}${advice ? `; ${advice}` : ""}`,
	);
}
