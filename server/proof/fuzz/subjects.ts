import { createAdmin } from "../../accounts/users.ts";
import type { Access } from "../../http/operation.ts";
import { fill } from "../../testing/operations.ts";
import {
	credentialsOf,
	type TestServer,
	type TestUser,
} from "../../testing/server.ts";
import type { Who } from "./requests.ts";

/** A word of the other shop that this shop's people must never see. */
export const canary = "Kanari";

/** A shop with an owner and a cashier, another that must stay unseen and unchanged, and credentials. */
interface Subjects {
	owner: TestUser;
	cashier: TestUser;
	other: TestUser;
	credentials(who: Who, access: Access): Record<string, string>;
}

let opened = 0;

export async function openSubjects(server: TestServer): Promise<Subjects> {
	opened += 1;
	const owner = await server.addUser(`Owner-${opened}`);
	const cashier = await server.addUser(`Cashier-${opened}`, {
		businessId: owner.businessId,
		role: "CASHIER",
	});
	const other = await server.addUser(`Other-${canary}-${opened}`);
	await fill(server, owner, "own");
	await fill(server, other, canary);
	const admin = await adminOf(server);
	return {
		owner,
		cashier,
		other,
		credentials(who, access): Record<string, string> {
			if (who === "nobody") return {};
			if (who === "stranger") return { authorization: "Bearer of.bad.news" };
			// An administrator replaces the owner in administrators' operations.
			if (access === "adminSession" && who === "owner")
				return { cookie: admin.cookie };
			const user = who === "owner" ? owner : cashier;
			return access === "userSession" ||
				access === "memberSession" ||
				access === "adminSession"
				? { cookie: user.cookie }
				: { authorization: user.bearer };
		},
	};
}

async function adminOf({ shop, rows }: TestServer) {
	const root = { email: "root@example.com", name: "Root" };
	const [known] = await rows(
		"SELECT id FROM admins WHERE email = ?",
		root.email,
	);
	const id =
		(known?.id as string | undefined) ??
		(await createAdmin(shop.store, shop.env, { ...root, passwordHash: "none" }))
			.id;
	return credentialsOf({ id, ...root, role: "admin", businessId: null });
}
