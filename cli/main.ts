import { Command } from "commander";
import { HttpError } from "../server/errors.ts";
import { SettingsError } from "../server/settings-error.ts";
import { ShopError } from "../sync/errors.ts";
import { CommandError } from "./commands/error.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { serveCommand } from "./commands/serve.ts";
import { userCommand } from "./commands/user.ts";

const program = new Command("counterfoil")
	.description(
		"A point of sale that goes on selling when the internet does not",
	)
	.addCommand(serveCommand())
	.addCommand(userCommand())
	.addCommand(exportCommand())
	.addCommand(importCommand())
	.addCommand(keyCommand());

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
