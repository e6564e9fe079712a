import { Command } from "commander";
import counterfoil from "../package.json" with { type: "json" };
import { adminCommand } from "./commands/admin.ts";
import { aiCommand } from "./commands/ai.ts";
import { backupCommand } from "./commands/backup.ts";
import { businessCommand } from "./commands/business.ts";
import { checkBackupCommand } from "./commands/check-backup.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { demoCommand } from "./commands/demo.ts";
import { deviceCommand } from "./commands/device.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { logCommand } from "./commands/log.ts";
import { loginCommand } from "./commands/login.ts";
import { memberCommand } from "./commands/member.ts";
import { migrateStoreCommand } from "./commands/migrate-store.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { statsCommand } from "./commands/stats.ts";
import { syncCommand } from "./commands/sync.ts";
import { updateCommand } from "./commands/update.ts";
import { userCommand } from "./commands/user.ts";
import { addCompletion } from "./completion.ts";
import { exitCodesText } from "./exit.ts";

/** The root command with all its subcommands. */
export function openProgram(): Command {
	const program = new Command("counterfoil")
		.description("A point of sale that keeps selling when the internet is down")
		.version(counterfoil.version, "-V, --version", "print the version")
		.addHelpText(
			"after",
			`\nSettings are environment variables; DATA_DIR selects the shop.\n${exitCodesText}\n\nExample:\n  counterfoil serve`,
		)
		.addCommand(serveCommand())
		.addCommand(userCommand())
		.addCommand(adminCommand())
		.addCommand(memberCommand())
		.addCommand(businessCommand())
		.addCommand(deviceCommand())
		.addCommand(exportCommand())
		.addCommand(importCommand())
		.addCommand(keyCommand())
		.addCommand(aiCommand())
		.addCommand(backupCommand())
		.addCommand(checkBackupCommand())
		.addCommand(restoreCommand())
		.addCommand(migrateStoreCommand())
		.addCommand(updateCommand())
		.addCommand(doctorCommand())
		.addCommand(conformanceCommand())
		.addCommand(logCommand())
		.addCommand(statsCommand())
		.addCommand(demoCommand())
		.addCommand(loginCommand())
		.addCommand(syncCommand());
	addCompletion(program);
	for (const command of everyCommand(program)) formatUsageErrors(command);
	return program;
}

/** Yields a command and all its subcommands. */
export function* everyCommand(command: Command): Generator<Command> {
	yield command;
	for (const below of command.commands) yield* everyCommand(below);
}

/** A command's full name, such as `counterfoil user create`. */
export function fullName(command: Command): string {
	const above = command.parent;
	return above ? `${fullName(above)} ${command.name()}` : command.name();
}

/** Makes a usage error one line that points to --help, and throws it to the caller instead of exiting. */
function formatUsageErrors(command: Command): void {
	command.exitOverride().configureOutput({
		outputError(text, write) {
			const line = text.trim().replaceAll(/(?<!\s)\s*\n\s*/g, " ");
			write(`${line}; see "${fullName(command)} --help"\n`);
		},
	});
}
