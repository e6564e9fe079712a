import { randomBytes } from "node:crypto";
import { accessRules } from "../conformance/access.ts";
import { type Client, openClient } from "../conformance/client.ts";
import { errorRules } from "../conformance/errors.ts";
import { recordRules } from "../conformance/records.ts";
import type { Given, Rule } from "../conformance/rule.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";

interface Outcome {
	rule: string;
	passed: boolean;
	/** What the server did instead. */
	found: string | null;
}

const rules: readonly Rule[] = [...accessRules, ...errorRules, ...recordRules];

export function conformanceCommand(): Command {
	return new Command("conformance")
		.description(
			"Check a server, of any make, against the rules of the business API. It registers two accounts there and writes records into their shops, so use a server that is there to be tried. Exits with 1 if a rule is broken",
		)
		.argument("<url>", "the server's address")
		.printsJson()
		.examples("counterfoil conformance http://localhost:4780")
		.action(conformance);
}

async function conformance(
	url: string,
	{ json = false }: { json?: boolean },
): Promise<void> {
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
		throw new CommandError(
			`${url} is not an address like https://shop.example`,
		);
	const given: Given = {
		own: await register(url),
		other: await register(url),
		nobody: openClient(url, {}),
	};
	const outcomes: Outcome[] = [];
	for (const { rule, check } of rules) {
		const found = await check(given).then(
			() => null,
			(error: Error) => error.message,
		);
		outcomes.push({ rule, passed: found === null, found });
	}
	const broken = outcomes.filter(({ passed }) => !passed);
	if (json) console.log(JSON.stringify(outcomes, null, 2));
	else for (const { rule, found } of broken) console.log(`${rule}\n  ${found}`);
	console.error(
		`${outcomes.length - broken.length} of ${outcomes.length} rules hold`,
	);
	if (broken.length > 0) process.exitCode = 1;
}

/** Makes an account with a business that nobody else uses. */
async function register(url: string): Promise<Client> {
	const name = `conformance-${randomBytes(8).toString("hex")}`;
	const account = { email: `${name}@example.com`, password: name };
	const nobody = openClient(url, {});
	const made = await nobody
		.ask("POST", "/api/auth/register", { name, ...account })
		.catch((error: Error) => {
			throw new CommandError(`${url} can't be reached: ${error.message}`);
		});
	if (made.status !== 201)
		throw new CommandError(
			`${url} registers no account: ${made.status} ${JSON.stringify(made.body)}`,
		);
	const signedIn = await nobody.ask("POST", "/api/auth/mobile-login", account);
	const { token } = (signedIn.body ?? {}) as { token?: string };
	if (signedIn.status !== 200 || token === undefined)
		throw new CommandError(
			`${url} doesn't sign the new account in: ${signedIn.status} ${JSON.stringify(signedIn.body)}`,
		);
	return openClient(url, account, token);
}
