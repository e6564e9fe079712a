import { describe, expect, test } from "vitest";
import { fill } from "../../testing/operations.ts";
import { twoShops } from "../../testing/server.ts";

const jpeg = Buffer.from("ffd8ffe000104a464946", "hex");
const png = Buffer.from("89504e470d0a1a0a", "hex");
const webp = Buffer.from("52494646ffffffff57454250", "hex");
const script = "<script>alert(document.domain)</script>";
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`;
const html = `<!doctype html>${script}`;
const after = (magic: Buffer, text: string) =>
	Buffer.concat([magic, Buffer.from(text)]);

/** Uploads that claim to be pictures, with the type that they are served under, or none if refused. */
const pictures: [string, string | Buffer, string, string?][] = [
	["an SVG", svg, "image/svg+xml"],
	["an SVG that is called a PNG", svg, "image/png"],
	["an SVG after white space", `\ufeff \n${svg}`, "image/jpeg"],
	["a page", html, "image/jpeg"],
	["a page that begins like a GIF", `GIF89a/*${html}*/`, "image/gif"],
	["a script that begins like a bitmap", "BM=1;alert(1)", "image/bmp"],
	["a PDF", `%PDF-1.7 ${script}`, "application/pdf"],
	["an archive", Buffer.from("504b0304", "hex"), "image/png"],
	[
		"magic that is not first",
		after(Buffer.from(" "), jpeg.toString("latin1")),
		"image/jpeg",
	],
	["half of a PNG's magic", png.subarray(0, 4), "image/png"],
	[
		"a sound in a picture's container",
		"RIFF\x04\x00\x00\x00WAVEfmt ",
		"image/webp",
	],
	["nothing", "", "image/png"],
	[
		"a JPEG with a page behind it",
		after(jpeg, html),
		"text/html",
		"image/jpeg",
	],
	[
		"a PNG with an SVG behind it",
		after(png, svg),
		"image/svg+xml",
		"image/png",
	],
	[
		"a WebP with a script behind it",
		after(webp, script),
		"text/javascript",
		"image/webp",
	],
];

describe("a picture", () => {
	test("a picture's type comes from its bytes, and it never runs as a page", async () => {
		const { server, asha, baraka } = await twoShops();
		for (const [what, body, type, served] of pictures) {
			const made = await server.ask("POST", "/api/products/milk/picture", {
				as: asha,
				headers: { "content-type": type },
				body,
			});
			if (served === undefined) {
				expect([what, made.status, made.body]).toEqual([
					what,
					400,
					{ error: "A picture must be a JPEG, PNG or WebP" },
				]);
				continue;
			}
			expect([what, made.status]).toEqual([what, 200]);
			const { imageUrl } = made.body as { imageUrl: string };
			const shown = await server.ask("GET", imageUrl, {
				headers: { cookie: asha.cookie, accept: "text/html" },
			});
			expect([what, shown.status]).toEqual([what, 200]);
			expect(shown.headers.get("content-type")).toBe(served);
			expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
			expect(shown.headers.get("content-security-policy")).toBe(
				"default-src 'none'; sandbox",
			);
			const theirs = await server.ask("GET", imageUrl, { as: baraka });
			expect(theirs).toMatchObject({
				status: 404,
				body: { error: "Picture not found" },
			});
			expect(await server.ask("GET", imageUrl)).toMatchObject({ status: 401 });
		}
	});

	test("the server never fetches a product's picture URL", async () => {
		const { server, asha } = await twoShops();
		let visits = 0;
		const { createServer } = await import("node:http");
		const inner = createServer((_request, response) => {
			visits += 1;
			response.end();
		}).listen(0, "127.0.0.1");
		await new Promise((resolve) => inner.once("listening", resolve));
		const { port } = inner.address() as { port: number };
		const url = `http://127.0.0.1:${port}/latest/meta-data`;
		const set = { imageUrl: url, thumbnailUrl: url };
		for (const path of ["/api/products/milk", "/api/products.csv", "/api/sync"])
			await server.ask("GET", path, { as: asha });
		const changed = await server.ask("PATCH", "/api/products/milk", {
			as: asha,
			body: set,
		});
		expect(changed).toMatchObject({ status: 200, body: set });
		await server.ask("POST", "/api/imports/products", {
			as: asha,
			body: `name,imageUrl\nTea,${url}\n`,
		});
		for (const path of ["/api/products", "/api/products.csv", "/api/sync"])
			await server.ask("GET", path, { as: asha });
		inner.close();
		expect(visits).toBe(0);
	});
});

test("HTML in texts stays text in receipts, files and data", async () => {
	const { server, asha } = await twoShops();
	const word = `"><img src=x onerror=alert(1)></title></script>${script}&amp;'`;
	await fill(server, asha, word);
	const renamed = await server.ask("PATCH", "/api/business", {
		as: asha,
		body: { name: word, receiptHeader: word, receiptFooter: word },
	});
	expect(renamed.status).toBe(200);
	const page = await server.ask("GET", "/api/receipts/sale?format=html", {
		as: asha,
	});
	expect(page.status).toBe(200);
	expect(page.text).toContain("&lt;img src=x onerror=alert(1)&gt;");
	expect(page.text).not.toMatch(/<img|<script|onerror=(?![^<]*&gt;)/);
	expect(page.headers.get("content-security-policy")).toMatch(
		/script-src 'self' 'wasm-unsafe-eval';script-src-attr 'none'/,
	);
	for (const path of [
		"/api/receipts/sale",
		"/api/receipts/sale?format=text",
		"/api/products",
		"/api/products.csv",
		"/api/sales-history.csv",
		"/api/sync",
		"/api/notifications",
	]) {
		const { status, headers } = await server.ask("GET", path, { as: asha });
		expect([path, status]).toEqual([path, 200]);
		expect(headers.get("content-type")).not.toContain("html");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
	}
	// An error may quote the path, but not as HTML.
	const missing = await server.ask("GET", `/${encodeURIComponent(word)}`);
	expect(missing.headers.get("content-type")).toContain("application/json");
});
