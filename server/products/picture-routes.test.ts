import {
	existsSync,
	mkdirSync,
	readdirSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import {
	productCreate,
	productDelete,
	productUpdate,
} from "../../sync/entities/product.ts";
import { openLogger } from "../operations/logger.ts";
import { twoShops } from "../testing/server.ts";
import { copyPictures } from "./pictures/copy.ts";
import { openPictureSweep } from "./pictures/sweep.ts";

const png = new Uint8Array([
	0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4,
]);
const path = "/api/products/milk/picture";

describe("product pictures", () => {
	test("a picture is stored on disk and shown only to the business's members", async () => {
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
		["text", "not a picture", 400],
		["HTML declared as a picture", "<svg onload=alert(1)>", 400],
		["an empty body", "", 400],
		["more than 2 MB", new Uint8Array(2_000_001).fill(0xff), 413],
	])("an upload of %s is refused", async (_what, body, status) => {
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

	test("a picture can be set only by managers and only for their own products", async () => {
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

	test("a picture's URL reaches no other file on the disk", async () => {
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

async function openMilk(env: NodeJS.ProcessEnv = {}) {
	const { server, asha, baraka } = await twoShops(env);
	const dir = join(server.settings.dataDir, "pictures", asha.businessId);
	const upload = async (id = "milk", kind = "image", body = png) => {
		const answer = await server.ask(
			"POST",
			`/api/products/${id}/picture?kind=${kind}`,
			{ as: asha, body },
		);
		const product = answer.body as Record<string, string>;
		const url = product[kind === "image" ? "imageUrl" : "thumbnailUrl"];
		return { ...answer, url: url ?? "", name: url?.split("/").at(-1) ?? "" };
	};
	return { server, asha, baraka, dir, upload };
}

test("a replaced picture is deleted when the next one replaces its successor", async () => {
	const { dir, upload } = await openMilk();
	const names: string[] = [];
	for (let i = 0; i < 20; i += 1) names.push((await upload()).name);
	// The previous picture stays, for an undo.
	expect(readdirSync(dir).sort()).toEqual(names.slice(-2).sort());
	const thumbnail = await upload("milk", "thumbnail");
	expect(readdirSync(dir)).toHaveLength(3);
	expect(readdirSync(dir)).toContain(thumbnail.name);
});

test("a replaced picture stays while another product uses it", async () => {
	const { server, asha, dir, upload } = await openMilk();
	const shared = await upload();
	await server.shop.mutate(asha.caller, productCreate, {
		id: "cream",
		name: "Cream",
		buyingPrice: 1,
		sellingPrice: 2,
		thumbnailUrl: shared.url,
	});
	await server.shop.mutate(asha.caller, productDelete, { id: "cream" });
	for (let i = 0; i < 3; i += 1) await upload();
	expect(readdirSync(dir)).toContain(shared.name);
	const shown = await server.ask("GET", shared.url, { as: asha });
	expect(shown.status).toBe(200);
});

test("a sweep deletes pictures unused since the previous sweep, and none of unknown businesses", async () => {
	const { server, asha, dir, upload } = await openMilk();
	const named = await upload();
	const first = "0".repeat(32);
	const stranger = join(server.settings.dataDir, "pictures", "stranger");
	mkdirSync(stranger);
	const files = [
		join(dir, `${first}.png`),
		join(dir, `${first}.png.1a2b3c4d`),
		join(stranger, `${first}.png`),
	];
	for (const file of files) writeFileSync(file, png);
	const { dataDir } = server.settings;
	const { store } = server.shop;
	const sweep = openPictureSweep(dataDir, store, openLogger("silent"));
	onTestFinished(sweep.stop);
	await sweep.stop();
	const fresh = join(dir, `${"1".repeat(32)}.png`);
	writeFileSync(fresh, png);
	expect(await sweep.sweep()).toBe(2);
	expect(files.map((file) => existsSync(file))).toEqual([false, false, true]);
	// The product used the picture just before the second sweep.
	await server.shop.mutate(asha.caller, productUpdate, {
		id: "milk",
		set: { thumbnailUrl: `/api/pictures/${"1".repeat(32)}.png` },
	});
	// So did the receipts, with another one.
	const logo = `${"2".repeat(32)}.png`;
	writeFileSync(join(dir, logo), png);
	await server.shop.mutate(asha.caller, businessUpdate, {
		set: { receiptLogoUrl: `/api/pictures/${logo}` },
	});
	expect(await sweep.sweep()).toBe(0);
	expect(await sweep.sweep()).toBe(0);
	expect(readdirSync(dir).sort()).toEqual(
		[named.name, `${"1".repeat(32)}.png`, logo].sort(),
	);
});

test("each business has a quota for its pictures", async () => {
	const { server, asha, baraka, dir, upload } = await openMilk({
		PICTURES_MB: "1",
	});
	const large = new Uint8Array(400_000);
	large.set(png);
	for (const id of ["cream", "cheese"])
		await server.shop.mutate(asha.caller, productCreate, {
			id,
			name: id,
			buyingPrice: 1,
			sellingPrice: 2,
		});
	const uploads = await Promise.all(
		["milk", "cream", "cheese"].map((id) => upload(id, "image", large)),
	);
	expect(uploads.map(({ status }) => status).sort()).toEqual([200, 200, 413]);
	expect(uploads.find(({ status }) => status === 413)?.body).toEqual({
		error: "A business can store at most 1 MB of pictures; remove some first",
	});
	expect(readdirSync(dir)).toHaveLength(2);
	const other = await server.ask("POST", "/api/products/canary/picture", {
		as: baraka,
		body: large,
	});
	expect(other.status).toBe(200);
});

test("a backup skips a picture that is deleted while it copies", async () => {
	const { server, dir, upload } = await openMilk();
	const { name } = await upload();
	// A dangling link is listed but can't be opened.
	symlinkSync(join(dir, "gone"), join(dir, `${"0".repeat(32)}.png`));
	const to = join(server.settings.dataDir, "copy");
	expect(await copyPictures(server.settings.dataDir, to)).toBe(1);
	expect(
		readdirSync(join(to, "pictures", dir.split("/").at(-1) ?? "")),
	).toEqual([name]);
});
