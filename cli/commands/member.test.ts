import { expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testCommand } from "../testing/command.ts";

async function open() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	const run = testCommand({
		dataDir: server.settings.dataDir,
		env: { ADMIN_EMAILS: "root@example.com, late@example.com" },
	});
	const inAshas = (...args: string[]) =>
		run(["member", ...args, "--business", asha.businessId]);
	const roles = async () =>
		JSON.parse((await inAshas("list", "--json")).out).map(
			({ email, role }: { email: string; role: string }) => `${email} ${role}`,
		);
	return { server, asha, baraka, run, inAshas, roles };
}

test("a member is added, changes role and is removed, in one business only", async () => {
	const { server, asha, baraka, inAshas, roles } = await open();
	const add = await inAshas("add", "Baraka@example.com", "--role", "MANAGER");
	expect(add).toMatchObject({
		status: 0,
		err: `baraka@example.com is now MANAGER of business ${asha.businessId}\n`,
	});
	expect(await inAshas("add", "baraka@example.com")).toMatchObject({
		status: 1,
		err: "This user is already a member of the business\n",
	});
	expect(await roles()).toEqual([
		"asha@example.com OWNER",
		"baraka@example.com MANAGER",
	]);
	expect((await inAshas("role", "baraka@example.com", "CASHIER")).status).toBe(
		0,
	);
	expect(await roles()).toContain("baraka@example.com CASHIER");
	expect((await inAshas("remove", "baraka@example.com")).status).toBe(0);
	expect(await roles()).toEqual(["asha@example.com OWNER"]);
	expect(
		await server.rows(
			"SELECT role FROM memberships WHERE user_id = ?",
			baraka.id,
		),
	).toEqual([{ role: "OWNER" }]);
});

test("the last owner can't be removed, and each refusal is one line", async () => {
	const { run, inAshas, roles } = await open();
	for (const args of [
		["role", "asha@example.com", "CASHIER"],
		["remove", "asha@example.com"],
	])
		expect(await inAshas(...args)).toMatchObject({
			status: 1,
			err: "A business needs an owner who can sign in\n",
		});
	expect(await roles()).toEqual(["asha@example.com OWNER"]);
	expect(await inAshas("role", "baraka@example.com", "OWNER")).toMatchObject({
		status: 1,
		err: expect.stringContaining("baraka@example.com is not a member"),
	});
	expect(await inAshas("role", "asha@example.com", "KING")).toMatchObject({
		status: 2,
		err: expect.stringContaining("KING"),
	});
	expect(await run(["member", "list"])).toMatchObject({
		status: 1,
		err: expect.stringContaining("choose one with --business ID"),
	});
});

test("business list shows all businesses, and business show one business's settings", async () => {
	const { asha, baraka, run } = await open();
	const listed = JSON.parse((await run(["business", "list", "--json"])).out);
	// Businesses created in the same millisecond come in either order.
	expect(listed).toHaveLength(2);
	for (const { id, businessId } of [asha, baraka])
		expect(listed, id).toContainEqual(
			expect.objectContaining({ id: businessId, members: 1 }),
		);
	const one = ["business", "show", "--business", asha.businessId];
	expect(JSON.parse((await run([...one, "--json"])).out)).toMatchObject({
		id: asha.businessId,
		timeZone: "Africa/Nairobi",
	});
	expect((await run(one)).out).toMatch(/^name +Asha's shop$/m);
});

oneIn(3)(
	"an administrator needs both an account and an entry in ADMIN_EMAILS to sign in",
	async () => {
		const { server, run } = await open();
		const create = (email: string) =>
			run(
				[
					"admin",
					"create",
					...["--email", email, "--name", "Root", "--password-stdin"],
				],
				"correct horse\n",
			);
		expect(await create("root@example.com")).toMatchObject({
			status: 0,
			out: "Created administrator root@example.com\n",
			err: "",
		});
		const login = await server.ask("POST", "/api/auth/mobile-login", {
			body: { email: "root@example.com", password: "correct horse" },
		});
		expect(login.body).toMatchObject({ user: { role: "admin" } });
		expect((await create("former@example.com")).err).toContain("ADMIN_EMAILS");
		expect((await create("root@example.com")).status).toBe(1);
		const listed = await run(["admin", "list", "--json"]);
		expect(JSON.parse(listed.out)).toMatchObject([
			{ email: "root@example.com", inAdminEmails: true, name: "Root" },
			{ email: "former@example.com", inAdminEmails: false },
			{ email: "late@example.com", inAdminEmails: true, id: null },
		]);
		expect(listed.err).toBe(
			'late@example.com has no account yet; create it with "counterfoil admin create --email late@example.com"\n',
		);
	},
);
