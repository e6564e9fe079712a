import { Command } from "commander";
import { serve } from "../../server/serve.ts";

export function serveCommand(): Command {
	return new Command("serve")
		.description(
			"Serves the shop, like npm start; settings are environment variables",
		)
		.addHelpText("after", "\nExample:\n  PORT=8080 counterfoil serve")
		.action(serve);
}
