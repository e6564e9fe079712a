import { Command } from "commander";
import { databaseFile } from "../../server/settings.ts";
import { checkDatabase } from "../doctor/database.ts";
import type { Finding } from "../doctor/finding.ts";
import {
	checkDataDir,
	checkPort,
	checkSettings,
} from "../doctor/surroundings.ts";
import { dataDirectory } from "./shop.ts";

export function doctorCommand(): Command {
	return new Command("doctor")
		.description(
			"Look at settings, disk, database, clock, backups and port, changing nothing, and say what to do. Exit status 1 says that there is a problem",
		)
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil doctor")
		.action(doctor);
}

async function doctor({ json = false }: { json?: boolean }): Promise<void> {
	const dataDir = dataDirectory();
	const { settings, findings } = checkSettings(process.env, dataDir);
	findings.push(
		...(await checkDataDir(dataDir)),
		...(await checkDatabase(databaseFile({ dataDir }), Date.now())),
	);
	if (settings) findings.push(await checkPort(settings));
	if (json) console.log(JSON.stringify(findings, null, 2));
	else findings.forEach(tell);
	if (findings.some(({ state }) => state === "problem")) process.exitCode = 1;
}

function tell({ name, state, found, advice }: Finding): void {
	console.log(
		`${state.padEnd(7)}  ${name}: ${found}${advice ? `; ${advice}` : ""}`,
	);
}
