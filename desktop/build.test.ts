import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { protectPages } from "../server/http/headers.ts";
import { serveWebApp } from "../server/http/web-app.ts";
import { testDir } from "../sync/testing/shop.ts";
import { pack, publish, sourcesOfWebApp } from "./build.ts";

function makeBuild(dir: string, name: string): string {
	const build = join(dir, "builds", name);
	mkdirSync(build, { recursive: true });
	writeFileSync(join(build, "index.html"), `<p>${name}</p>`);
	writeFileSync(join(build, "built-from"), name);
	return build;
}

test("a change of any input makes a new build", () => {
	const sources = sourcesOfWebApp().map((file) => file.replaceAll("\\", "/"));
	for (const file of [
		"desktop/ui/main.tsx",
		"sync/store/schema-plugin.ts",
		"desktop/vite.config.ts",
		"sync/platform/browser.ts",
		"sync/store/migrations/0014-open-items.sql",
		"schema.sql",
		"package.json",
		"package-lock.json",
	])
		expect(sources).toContainEqual(expect.stringMatching(`/${file}$`));
	expect(sources.filter((file) => file.includes(".test."))).toEqual([]);
});

test("a new build replaces the previous one, which stays until the next; older ones are removed", () => {
	const dir = testDir();
	const link = join(dir, "dist");
	for (const name of ["one", "two", "three"]) {
		publish(makeBuild(dir, name), link);
		expect(readFileSync(join(link, "index.html"), "utf8")).toBe(
			`<p>${name}</p>`,
		);
	}
	expect(readdirSync(join(dir, "builds")).sort()).toEqual(["three", "two"]);
	expect(readdirSync(dir).sort()).toEqual(["builds", "dist"]);
});

test("a new build replaces a directory, and leaves a build in progress alone", () => {
	const dir = testDir();
	const link = join(dir, "dist");
	mkdirSync(link);
	writeFileSync(join(link, "index.html"), "in place");
	const underWay = join(dir, "builds", "under-way");
	const givenUp = join(dir, "builds", "given-up");
	for (const build of [underWay, givenUp])
		mkdirSync(build, { recursive: true });
	utimesSync(givenUp, 1, 1);
	const build = makeBuild(dir, "new");
	publish(build, link);
	expect(realpathSync(link)).toBe(realpathSync(build));
	expect([existsSync(underWay), existsSync(givenUp)]).toEqual([true, false]);
});

async function serve(dir: string): Promise<string> {
	const app = express();
	app.use(protectPages());
	serveWebApp(app, dir);
	const server = app.listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as { port: number };
	return `http://127.0.0.1:${port}`;
}

test("a file compressed at build time is sent compressed to clients that accept it", async () => {
	const dir = makeBuild(testDir(), "one");
	const text = "console.log(1);".repeat(200);
	mkdirSync(join(dir, "assets"));
	writeFileSync(join(dir, "assets", "main.js"), text);
	writeFileSync(join(dir, "assets", "plain.js"), text);
	await pack(dir, "assets/main.js");
	const url = await serve(dir);
	async function ask(name: string, encoding: string) {
		const { status, headers } = await fetch(`${url}/assets/${name}`, {
			headers: { "accept-encoding": encoding },
		});
		const named = (header: string) => headers.get(header);
		expect([status, named("vary")]).toEqual([200, "Accept-Encoding"]);
		expect(named("content-type")).toMatch(/^text\/javascript/);
		return named("content-encoding");
	}
	expect(await ask("main.js", "gzip, br")).toBe("br");
	expect(await ask("main.js", "gzip")).toBe("gzip");
	expect(await ask("plain.js", "gzip, br")).not.toBeNull();
	const body = await fetch(`${url}/assets/main.js`);
	expect(await body.text()).toBe(text);
	expect((await fetch(`${url}/assets/none.js`)).status).toBe(404);
});

test("a server answers 503 until the web app is built, and then serves its page", async () => {
	const dir = testDir();
	const url = await serve(join(dir, "dist"));
	const open = async () => {
		const response = await fetch(`${url}/`);
		return [response.status, await response.text()];
	};
	expect(await open()).toEqual([
		503,
		expect.stringContaining("The web app is not built yet"),
	]);
	publish(makeBuild(dir, "one"), join(dir, "dist"));
	expect(await open()).toEqual([200, "<p>one</p>"]);
});
