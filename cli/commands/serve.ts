import { Command } from "./command.ts";

export function serveCommand(): Command {
	return new Command("serve")
		.description(
			"Run the server, like npm start; settings are environment variables",
		)
		.examples("PORT=8080 counterfoil serve")
		.action(async () => {
			// Without the server's modules, other commands start faster and use half the memory.
			const { serve } = await import("../../server/serve.ts");
			await serve();
		});
}
