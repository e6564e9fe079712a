import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { twoShops } from "../test-server.ts";

const png = new Uint8Array([
	0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4,
]);
const path = "/api/products/milk/picture";

describe("pictures of products", () => {
	test("are kept on the disk and shown to the business's members alone", async () => {
		const { server, asha, baraka } = await twoShops();
		const large = await server.ask("POST", path, { as: asha, body: png });
		const small = await server.ask("POST", `${path}?kind=thumbnail`, {
			as: asha,
			body: png,
		});
		expect(large.status).toBe(200);
		const { imageUrl, thumbnailUrl } = small.body as Record<string, string>;
		expect(imageUrl).toBe((large.body as { imageUrl: string }).imageUrl);
		expect(thumbnailUrl).not.toBe(imageUrl);
		const shown = await server.ask("GET", imageUrl as string, { as: asha });
		expect(shown.status).toBe(200);
		expect(shown.headers.get("content-type")).toBe("image/png");
		expect(shown.headers.get("cache-control")).toContain("immutable");
		expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
		for (const who of [{ as: baraka }, {}])
			expect((await server.ask("GET", imageUrl as string, who)).status).toBe(
				who.as ? 404 : 401,
			);
		const dir = join(server.settings.dataDir, "pictures", asha.businessId);
		const files = readdirSync(dir);
		expect(files).toHaveLength(2);
		expect(statSync(join(dir, files[0] as string)).mode & 0o777).toBe(0o600);
		for (const folder of [dir, dirname(dir)])
			expect(statSync(folder).mode & 0o777).toBe(0o700);
	});

	test.each([
		["a text", "not a picture", 400],
		["a page that says it is a picture", "<svg onload=alert(1)>", 400],
		["nothing", "", 400],
		["more than 2 MB", new Uint8Array(2_000_001).fill(0xff), 413],
	])("are refused where they are %s", async (_what, body, status) => {
		const { server, asha } = await twoShops();
		const answer = await server.ask("POST", path, {
			as: asha,
			body,
			headers: { "content-type": "image/png" },
		});
		expect(answer.status).toBe(status);
		const { body: milk } = await server.ask("GET", "/api/products/milk", {
			as: asha,
		});
		expect(milk).toMatchObject({ imageUrl: null });
	});

	test("are for those who manage, of products that are theirs", async () => {
		const { server, asha, baraka } = await twoShops();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		const put = (as: typeof asha) =>
			server.ask("POST", path, { as, body: png });
		expect((await put(cashier)).status).toBe(403);
		expect((await put(baraka)).status).toBe(404);
		expect((await server.ask("POST", path, { body: png })).status).toBe(401);
	});

	test("lead nowhere else on the disk", async () => {
		const { server, asha } = await twoShops();
		const dir = join(server.settings.dataDir, "pictures", asha.businessId);
		mkdirSync(dir, { recursive: true });
		writeFileSync(join(dir, "secret.png"), "x");
		for (const name of [
			"..%2f..%2fauth-secret",
			"%2e%2e%2fcounterfoil.db",
			"secret.png",
			`${"a".repeat(32)}.png`,
			`${"a".repeat(32)}.svg`,
		])
			expect(
				await server.ask("GET", `/api/pictures/${name}`, { as: asha }),
			).toMatchObject({ status: 404, body: { error: "Picture not found" } });
	});
});
