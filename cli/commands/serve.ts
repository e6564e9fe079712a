import { Command } from "commander";

export function serveCommand(): Command {
	return new Command("serve")
		.description(
			"Serves the shop, like npm start; settings are environment variables",
		)
		.addHelpText("after", "\nExample:\n  PORT=8080 counterfoil serve")
		.action(async () => {
			// The other commands start faster and in half the memory without a server's modules.
			const { serve } = await import("../../server/serve.ts");
			await serve();
		});
}
