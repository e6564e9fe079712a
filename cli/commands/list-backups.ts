import { join, resolve } from "node:path";
import { backupPlaces } from "../../server/operations/backup/backups.ts";
import {
	isProven,
	listBackups,
	proveBackup,
} from "../../server/operations/backup/own-backups.ts";
import { Command } from "./command.ts";
import { dataDirectory } from "./open-shop.ts";
import { printRows, showProgress } from "./print.ts";

const hourMs = 3_600_000;

interface Options {
	dir?: string;
	check?: true;
	json?: boolean;
}

export function listCommand(): Command {
	return new Command("list")
		.description(
			"List the backups that the server keeps in DATA_DIR/backups and BACKUP_DIR, the newest first, and whether each was compared with the shop when it was made",
		)
		.option("--dir <directory>", "list those of another directory")
		.option(
			"--check",
			"read each whole and compare it with what it held when it was made",
		)
		.printsJson()
		.examples("counterfoil backup list", "counterfoil backup list --check")
		.action(list);
}

function places(): string[] {
	const backupDir = process.env.BACKUP_DIR?.trim();
	return backupPlaces({
		dataDir: dataDirectory(),
		backupDir: backupDir ? resolve(backupDir) : undefined,
	}).map(({ dir }) => dir);
}

async function list(_: unknown, command: Command): Promise<void> {
	// The command above has options of the same name.
	const { dir: given, check, json } = command.optsWithGlobals<Options>();
	const rows = [];
	for (const dir of given === undefined ? places() : [resolve(given)])
		for (const { name, at, bytes } of listBackups(dir)) {
			const file = join(dir, name);
			showProgress(`${check ? "checking" : "reading"} ${file} …`);
			const damage = check ? await proveBackup(file) : undefined;
			if (damage !== undefined) {
				process.exitCode = 1;
				console.error(`${file}: ${damage}`);
			}
			rows.push({
				file,
				at,
				hours: Math.round((Date.now() - Date.parse(at)) / hourMs),
				megabytes: Number((bytes / 1e6).toFixed(1)),
				proven: damage === undefined && (await isProven(file)),
			});
		}
	showProgress("");
	printRows(rows, { json: json ?? false, empty: "There are no backups yet" });
}
