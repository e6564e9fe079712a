import { describe, expect, test } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import { customerCreate } from "../../sync/entities/customer.ts";
import { saleRefund } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { receiptLink } from "../../sync/receipts/receipt-link.ts";
import { openPictures } from "../products/pictures/pictures.ts";
import { type TestServer, type TestUser, twoShops } from "../testing/server.ts";

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** Two shops with a sale each. */
async function openShops() {
	const { server, asha, baraka } = await twoShops();
	const pathTo = ({ businessId }: TestUser, saleId: string) => {
		const link = receiptLink("https://shop.example", { businessId, saleId });
		return new URL(link ?? "https://shop.example/r/none").pathname;
	};
	return {
		...{ server, asha, baraka, pathTo },
		ashaSale: await sell(server, asha, "Mandazi"),
		barakaSale: await sell(server, baraka, "Canary bread"),
	};
}

async function sell(
	{ shop }: TestServer,
	{ caller }: TestUser,
	name: string,
	id = newId(shop.env),
): Promise<string> {
	const items = [{ id: "1", name, quantity: 3, price: 10, cost: 6 }];
	await shop.mutate(caller, saleCreate, { id, items, paid: 50 });
	return id;
}

/** Stores a picture of the shop's, as an upload does. */
async function putPicture(
	{ settings }: TestServer,
	{ businessId }: TestUser,
	bytes: Uint8Array,
) {
	const name = await openPictures(settings.dataDir).write(businessId, bytes);
	return { name };
}

describe("a receipt's public page", () => {
	test("a customer with a receipt's link reads the receipt without a session, and no cache or search index may keep it", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const { status, text, headers } = await server.ask(
			"GET",
			pathTo(asha, ashaSale),
			{ headers: browser },
		);
		expect(status).toBe(200);
		expect(headers.get("content-type")).toContain("text/html");
		for (const shown of ["Asha's shop", "Mandazi", "Total KES", "COPY"])
			expect(text).toContain(shown.replace("'", "&#39;"));
		for (const hidden of ["Canary", "/assets/", "<script", asha.businessId])
			expect(text).not.toContain(hidden);
		expect(headers.get("cache-control")).toBe("no-store");
		expect(headers.get("x-robots-tag")).toBe("noindex");
		expect(text).toContain('<meta name="robots" content="noindex">');
		expect(headers.get("set-cookie")).toBeNull();
	});

	test("a receipt's page is in the language that its customer chooses or whose browser reads", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const path = pathTo(asha, ashaSale);
		const read = async (query: string, language: string) => {
			const headers = { ...browser, "accept-language": language };
			return (await server.ask("GET", `${path}${query}`, { headers })).text;
		};
		expect(await read("", "sw-TZ,sw;q=0.9")).toContain("Jumla KES");
		expect(await read("", "de")).toContain("Total KES");
		expect(await read("?language=en", "sw")).toContain("Total KES");
		expect(await read("?language=sw", "en")).toContain('lang="en">English</a>');
		const wrong = await server.ask("GET", `${path}?language=xx`);
		expect(wrong.status).toBe(400);
	});

	test("a receipt's page names neither its customer nor what they owe", async () => {
		const { server, asha, pathTo } = await openShops();
		const { shop } = server;
		await shop.mutate(asha.caller, customerCreate, {
			id: "c",
			name: "Mama Zawadi",
		});
		const id = newId(shop.env);
		await shop.mutate(asha.caller, saleCreate, {
			id,
			items: [{ id: "1", name: "Rice", quantity: 1, price: 777, cost: 6 }],
			customerId: "c",
			tenders: [{ method: "CASH", amount: 111 }],
		});
		const { text } = await server.ask("GET", pathTo(asha, id));
		expect(text).toContain("Rice");
		for (const hidden of ["Zawadi", "owes"]) expect(text).not.toContain(hidden);
	});

	test("a receipt's page shows what became of the sale since", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		await server.shop.mutate(asha.caller, saleRefund, {
			id: "r",
			saleId: ashaSale,
			reason: "Stale <b>",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		const { text } = await server.ask("GET", pathTo(asha, ashaSale));
		expect(text).toContain("PARTLY REFUNDED");
		expect(text).toContain("Refund: Stale &lt;b&gt;");
	});

	test("no other link opens a receipt: not of another shop's sale, of a guessable id, or changed by a letter", async () => {
		const { server, asha, baraka, ashaSale, barakaSale, pathTo } =
			await openShops();
		await sell(server, asha, "Tea", "sale-1");
		const right = pathTo(asha, ashaSale);
		const flipped = right.replace(/(?<=\/r\/.{30})./, (letter) =>
			letter === "A" ? "B" : "A",
		);
		const missing = { error: expect.stringContaining("isn't here yet") };
		for (const path of [
			pathTo(asha, barakaSale),
			pathTo(baraka, ashaSale),
			pathTo(asha, "sale-1"),
			pathTo(asha, newId(server.shop.env)),
			flipped,
			`${right}A`,
			`${right}/..`,
			`/r/${ashaSale}`,
			"/r/sale-1",
			"/r/%00",
		]) {
			const answer = await server.ask("GET", path);
			expect([path, answer.status]).toEqual([path, 404]);
			expect(answer.text).not.toMatch(/Mandazi|Canary|Tea/);
		}
		expect((await server.ask("GET", flipped)).body).toEqual(missing);
		const page = await server.ask("GET", flipped, { headers: browser });
		expect(page.status).toBe(404);
		expect(page.headers.get("content-type")).toContain("text/html");
		expect(page.text).toContain("isn&#39;t here yet");
		expect((await server.ask("POST", right)).status).toBe(405);
	});

	test("links can't be guessed in numbers", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const statuses = new Map<number, number>();
		for (let i = 0; i < 110; i += 1) {
			const { status } = await server.ask(
				"GET",
				pathTo(asha, newId(server.shop.env)),
			);
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
		}
		expect(statuses.get(404)).toBeGreaterThanOrEqual(100);
		expect(statuses.get(404)).toBeLessThan(105);
		const refused = await server.ask("GET", pathTo(asha, ashaSale));
		expect(refused.status).toBe(429);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	});

	test("the texts of a shop stay text, and its page runs no script", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const word = `"><script>alert(1)</script>`;
		await server.shop.mutate(asha.caller, businessUpdate, {
			set: { name: word, receiptHeader: word, receiptFooter: word },
		});
		const { text, headers } = await server.ask("GET", pathTo(asha, ashaSale));
		expect(text).not.toContain("<script");
		expect(text.match(/&lt;script&gt;/g)).toHaveLength(3);
		expect(headers.get("content-security-policy")).toContain(
			"script-src 'self'",
		);
	});

	test("a receipt's page has the shop's logo, for which its customer needs no session", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const bytes = Buffer.from(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
			"base64",
		);
		const { name } = await putPicture(server, asha, bytes);
		const read = async () =>
			(await server.ask("GET", pathTo(asha, ashaSale))).text;
		const setLogo = (receiptLogoUrl: string) =>
			server.shop.mutate(asha.caller, businessUpdate, {
				set: { receiptLogoUrl },
			});
		await setLogo(`/api/pictures/${name}`);
		expect(await read()).toContain(
			`src="data:image/png;base64,${bytes.toString("base64")}"`,
		);
		const pdf = await server.ask(
			"GET",
			`/api/receipts/${ashaSale}?format=pdf`,
			{
				as: asha,
			},
		);
		expect(pdf.headers.get("content-type")).toBe("application/pdf");
		expect(pdf.text).toContain("/Subtype /Image");
		for (const other of [
			`/api/pictures/${"0".repeat(32)}.png`,
			"/api/pictures/../auth-secret",
			"https://example.com/logo.png",
		]) {
			await setLogo(other);
			expect([other, await read()]).toEqual([
				other,
				expect.not.stringContaining("<img"),
			]);
		}
	});

	test("no log line has a receipt's code", async () => {
		const { server, asha, ashaSale, pathTo } = await openShops();
		const path = pathTo(asha, ashaSale);
		await server.ask("GET", path);
		await server.ask("POST", path);
		await server.shop.store.write((tx) => tx.run("DROP VIEW sale_items"));
		expect((await server.ask("GET", path)).status).toBe(500);
		expect(server.logged()).toContain("/r/:id");
		expect(server.logged()).not.toContain(path.slice(3));
	});
});
