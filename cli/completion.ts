import tab, { ShellCompDirective } from "@bomb.sh/tab";
import addTo from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Adds the command `completion`, which prints a shell's completion script, and `complete`, which that script calls. */
export function addCompletion(program: Command): void {
	addTo(program, { completionCommandName: "completion" });
	const [completion, complete] = program.commands.slice(-2);
	completion
		?.description("Print a script that completes these commands in a shell")
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
		?.description("List completions; called by the completion script")
		.addHelpText("after", "\nExample:\n  counterfoil complete -- user cr");
	for (const argument of complete?.registeredArguments ?? [])
		argument.description = "the words typed so far";
	// Let the shell offer files if there are no completions; the package always disables that.
	Object.defineProperty(tab, "directive", {
		get: () =>
			tab.completions.length > 0
				? ShellCompDirective.ShellCompDirectiveNoFileComp
				: ShellCompDirective.ShellCompDirectiveDefault,
		set() {},
	});
}
