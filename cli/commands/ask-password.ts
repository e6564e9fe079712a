import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "./error.ts";

/** Never from the command line, where other users of the machine and the shell's history would see it. */
export async function askPassword(fromStdin: boolean): Promise<string> {
	if (fromStdin) return (await text(process.stdin)).replace(/\r?\n$/, "");
	if (!process.stdin.isTTY)
		throw new CommandError("Give the password with --password-stdin");
	const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
	const prompt = createInterface({
		input: process.stdin,
		output: silence,
		terminal: true,
	});
	process.stderr.write("Password: ");
	const password = await new Promise<string>((resolve, reject) => {
		prompt.question("", resolve);
		prompt.on("SIGINT", () => reject(new CommandError("Cancelled")));
	});
	prompt.close();
	process.stderr.write("\n");
	return password;
}
