import { newId, systemEnv } from "../../sync/protocol/ids.ts";

export interface Account {
	id: string;
	businessId: string;
	token: string;
}

/** Registers an account on a running server over HTTP and signs in. */
export async function openAccount(url: string, name: string): Promise<Account> {
	const account = {
		email: `${name.toLowerCase()}@example.com`,
		password: newId(systemEnv),
	};
	const ask = async (path: string, body: object) => {
		const response = await fetch(new URL(path, url), {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
		return response.json();
	};
	const made = (await ask("/api/auth/register", {
		...account,
		name,
	})) as Account;
	const { token } = (await ask("/api/auth/mobile-login", account)) as Account;
	return { id: made.id, businessId: made.businessId, token };
}
