import { expect, test } from "vitest";
import { cheapHash, openTestServer, type TestUser } from "../testing/server.ts";
import { createUser } from "./users.ts";

interface Listed {
	id: string;
	userName: string;
	kind: string;
	agent: string;
	current: boolean;
}

test("an owner sees who is signed in with what, and ends a session from afar", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const { businessId } = asha;
	const chege = await server.addUser("Chege", { businessId, role: "CASHIER" });
	const baraka = await server.addUser("Baraka");
	// Somebody who also works elsewhere is not one owner's to sign out.
	const { id: shared } = await createUser(
		server.shop.store,
		server.shop.env,
		{ email: "both@example.com", name: "Both", passwordHash: cheapHash },
		{ businessId, role: "CASHIER" },
	);
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2020')",
			baraka.businessId,
			shared,
		),
	);
	const signedIn = await server.ask("POST", "/login", {
		body: { email: "both@example.com", password: "correct horse" },
	});
	const sharedCookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";

	const look = (headers: Record<string, string>) =>
		server.ask("GET", "/api/session", { headers });
	await look({ cookie: sharedCookie });
	await look({ cookie: chege.cookie, "user-agent": "Firefox" });
	await server.ask("GET", "/api/products", {
		headers: { authorization: chege.bearer, "user-agent": "Till/1" },
	});
	const list = async ({ cookie }: TestUser) => {
		const { body } = await server.ask("GET", "/api/sessions", {
			headers: { cookie },
		});
		return (body as { sessions: Listed[] }).sessions;
	};
	const end = async ({ cookie }: TestUser, id: string | undefined) => {
		const headers = { cookie };
		const { status } = await server.ask("DELETE", `/api/sessions/${id}`, {
			headers,
		});
		return status;
	};
	const seen = await list(asha);
	expect(
		seen.map(({ userName, kind, current }) => [userName, kind, current]).sort(),
	).toEqual([
		["Asha", "browser", true],
		["Chege", "browser", false],
		["Chege", "program", false],
	]);
	expect(seen.find(({ kind }) => kind === "program")?.agent).toBe("Till/1");
	expect((await list(chege)).map(({ userName }) => userName)).toEqual([
		"Chege",
		"Chege",
	]);
	const own = seen.find(({ current }) => current)?.id;
	for (const stranger of [chege, baraka])
		expect(await end(stranger, own)).toBe(404);

	for (const { id, userName } of seen)
		if (userName === "Chege") expect(await end(asha, id)).toBe(200);
	expect((await look({ cookie: chege.cookie })).status).toBe(401);
	const asked = await server.ask("GET", "/api/products", { as: chege });
	expect(asked.status).toBe(401);
	expect((await look({ cookie: asha.cookie })).status).toBe(200);
	expect(await list(asha)).toHaveLength(1);
});
