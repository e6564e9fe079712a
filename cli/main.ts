import { Command } from "commander";
import { HttpError } from "../server/errors.ts";
import { SettingsError } from "../server/settings-error.ts";
import { ShopError } from "../sync/errors.ts";
import { backupCommand } from "./commands/backup.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { CommandError } from "./commands/error.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { logCommand } from "./commands/log.ts";
import { loginCommand } from "./commands/login.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { statsCommand } from "./commands/stats.ts";
import { syncCommand } from "./commands/sync.ts";
import { userCommand } from "./commands/user.ts";

const program = new Command("counterfoil")
	.description(
		"A point of sale that goes on selling when the internet does not",
	)
	.addCommand(serveCommand())
	.addCommand(userCommand())
	.addCommand(importCommand())
	.addCommand(keyCommand())
	.addCommand(backupCommand())
	.addCommand(restoreCommand())
	.addCommand(loginCommand())
	.addCommand(syncCommand())
	.addCommand(logCommand())
	.addCommand(statsCommand())
	.addCommand(doctorCommand())
	.addCommand(demoCommand());

try {
	await program.parseAsync();
} catch (error) {
	const isForPeople =
		error instanceof CommandError ||
		error instanceof SettingsError ||
		error instanceof ShopError ||
		error instanceof HttpError;
	console.error(isForPeople ? error.message : error);
	process.exitCode = 1;
}
