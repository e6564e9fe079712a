import * as z from "zod";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { readPassword } from "./password.ts";
import { serverAddress, writeLogin } from "./sign-in.ts";

const timeoutMs = 30_000;

const answer = z.object({
	token: z.string(),
	user: z.object({ email: z.string(), businessId: z.string().nullable() }),
});

interface Options {
	server: string;
	email: string;
	passwordStdin?: true;
	json?: boolean;
}

export function loginCommand(): Command {
	return new Command("login")
		.description(
			"Sign in to a server for 30 days, for commands that need one; the token is stored in a file that only you can read",
		)
		.requiredOption(
			"--server <url>",
			"the server, such as https://shop.example",
		)
		.requiredOption("--email <email>", "your account's email")
		.option("--password-stdin", "read the password from standard input")
		.printsJson()
		.examples(
			"counterfoil login --server https://shop.example --email njeri@example.com",
		)
		.action(login);
}

async function login(options: Options): Promise<void> {
	const server = serverAddress(options.server);
	const { email } = options;
	const password = await readPassword(options);
	const response = await fetch(new URL("/api/auth/mobile-login", server), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ email, password }),
		// Following a redirect could send the password to another server.
		redirect: "manual",
		signal: AbortSignal.timeout(timeoutMs),
	}).catch((cause) => {
		throw new CommandError(
			`Can't reach ${server}; check the address and whether the server is running`,
			{ cause },
		);
	});
	if (response.status === 401)
		throw new CommandError("The email or the password is wrong");
	if (response.status === 429)
		throw new CommandError(
			`Too many failed sign-ins; try again in ${response.headers.get("retry-after")} seconds`,
		);
	const parsed = answer.safeParse(await response.json().catch(() => undefined));
	if (!response.ok || !parsed.success)
		throw new CommandError(
			`${server} is not a Counterfoil server (it answered with status ${response.status}); check the address`,
		);
	const { token, user } = parsed.data;
	const file = writeLogin(server, token);
	if (options.json) console.log(JSON.stringify({ server, ...user, file }));
	else
		console.log(
			`Signed in to ${server} as ${user.email}; the token is in ${file}`,
		);
}
