import { openPasswords } from "../../server/accounts/passwords.ts";
import { hasUsers } from "../../server/accounts/users.ts";
import { openDemo } from "../../server/operations/demo/demo-account.ts";
import { readSettings } from "../../server/settings.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { withShop } from "./open-shop.ts";

export function demoCommand(): Command {
	return new Command("demo")
		.description(
			"Create a demo shop with three months of sales in DATA_DIR, which must have no account yet",
		)
		.printsJson()
		.examples("DATA_DIR=./demo counterfoil demo")
		.action(demo);
}

async function demo({ json = false }: { json?: boolean }): Promise<void> {
	const { adminEmails, dataDir } = readSettings(process.env);
	await withShop({ create: true }, async (shop) => {
		if (await hasUsers(shop.store))
			throw new CommandError(
				`${dataDir} (DATA_DIR) already has an account; set DATA_DIR to an empty directory for a demo`,
			);
		const passwords = openPasswords();
		try {
			const { user, password } = await openDemo({
				shop,
				passwords,
				adminEmails,
			});
			const { email, businessId } = user;
			if (json) console.log(JSON.stringify({ email, password, businessId }));
			else
				console.log(
					`Created the demo shop in ${dataDir}\nStart it with "counterfoil serve" and sign in as ${email} with the password ${password}`,
				);
			console.error("Write the password down: it is not shown again");
		} finally {
			await passwords.close();
		}
	});
}
