import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { openPasswords } from "../../server/accounts/passwords.ts";
import { CommandError } from "./command-error.ts";

interface Options {
	passwordStdin?: true;
}

/** Reads a new password; a terminal doesn't show it, so there the person types it twice. */
export async function readNewPassword(options: Options): Promise<string> {
	const password = await readPassword(options);
	if (process.stdin.isTTY && (await ask("Repeat password: ")) !== password)
		throw new CommandError("The passwords don't match; try again");
	return password;
}

/** Reads a password, never from an argument: other users and the shell's history would see it. */
export async function readPassword({
	passwordStdin,
}: Options): Promise<string> {
	if (process.stdin.isTTY) return ask("Password: ");
	if (passwordStdin !== true)
		throw new CommandError("Give the password with --password-stdin");
	return (await text(process.stdin)).replace(/\r?\n$/, "");
}

/** Prompts on the terminal without echoing the answer. */
async function ask(question: string): Promise<string> {
	const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
	const prompt = createInterface({
		input: process.stdin,
		output: silence,
		terminal: true,
	});
	process.stderr.write(question);
	try {
		return await new Promise<string>((resolve, reject) => {
			prompt.question("", resolve);
			// Ctrl-C and Ctrl-D.
			prompt.on("SIGINT", () => reject(new CommandError("Cancelled")));
			prompt.on("close", () => reject(new CommandError("Cancelled")));
		});
	} finally {
		prompt.close();
		process.stderr.write("\n");
	}
}

export async function hashPassword(password: string): Promise<string> {
	const passwords = openPasswords();
	try {
		return await passwords.hash(password);
	} finally {
		await passwords.close();
	}
}
