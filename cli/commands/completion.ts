import { Argument, Command } from "commander";
import { scripts } from "../completion/scripts.ts";
import { placesOf } from "../completion/words.ts";

export function completionCommand(): Command {
	return new Command("completion")
		.description("Print what makes a shell complete these commands")
		.addArgument(
			new Argument("<shell>", "which one").choices(Object.keys(scripts)),
		)
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil completion bash >> ~/.bashrc",
		)
		.action((shell: string, _options, command: Command) => {
			let root = command;
			while (root.parent) root = root.parent;
			process.stdout.write(scripts[shell]?.(placesOf(root)) ?? "");
		});
}
