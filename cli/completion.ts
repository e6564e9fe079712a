import tab, { ShellCompDirective } from "@bomb.sh/tab";
import addTo from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds `completion`, which prints what makes a shell complete all these commands, and `complete`, which that asks. */
export function addCompletion(program: Command): void {
	addTo(program, { completionCommandName: "completion" });
	const [completion, complete] = program.commands.slice(-2);
	completion
		?.description("Print what makes a shell complete these commands")
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil completion bash >> ~/.bashrc",
		)
		.hook("postAction", (_, { args: [shell] }) => {
			if (shell === "bash")
				console.log(
					"complete -o default -F __counterfoil_complete counterfoil",
				);
		});
	complete
		?.description("What may follow, asked by a shell")
		.addHelpText("after", "\nExample:\n  counterfoil complete -- user cr");
	for (const argument of complete?.registeredArguments ?? [])
		argument.description = "what was typed so far";
	// Where nothing is known a shell offers files, here and in the line for bash; the package would never let it.
	Object.defineProperty(tab, "directive", {
		get: () =>
			tab.completions.length > 0
				? ShellCompDirective.ShellCompDirectiveNoFileComp
				: ShellCompDirective.ShellCompDirectiveDefault,
		set() {},
	});
}
