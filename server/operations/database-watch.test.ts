import {
	copyFileSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { inFile, openTestServer, type TestServer } from "../testing/server.ts";
import { backUp } from "./backup/backup.ts";
import { databaseFile } from "./database.ts";
import { watchDatabase } from "./database-watch.ts";
import { openLogger } from "./logger.ts";

const category = { name: "Drinks" };

function openWatch({ shop, settings }: TestServer) {
	const lines: string[] = [];
	const log = openLogger("info", { write: (line) => lines.push(line) });
	const watch = watchDatabase(shop.store, settings, log);
	onTestFinished(() => watch.close());
	const messages = () =>
		lines.map((line) => JSON.parse(line) as { level: number; msg: string });
	return { ...watch, messages };
}

test.each([
	["removed", (file: string) => renameSync(file, `${file}.aside`)],
	[
		"replaced",
		(file: string) => {
			renameSync(file, `${file}.aside`);
			copyFileSync(`${file}.aside`, file);
		},
	],
	[
		"emptied",
		(file: string) => {
			copyFileSync(file, `${file}.aside`);
			truncateSync(file, 0);
		},
	],
])(
	"a server whose database file was %s refuses writes and reports it in /readyz and its log",
	async (what, take) => {
		const server = await openTestServer(inFile);
		const asha = await server.addUser("Asha");
		const watch = openWatch(server);
		await watch.look();
		expect(watch.messages()).toEqual([]);
		const file = databaseFile(server.settings);
		const add = async (name: string) => {
			const body = { name };
			const answer = await server.ask("POST", "/api/categories", {
				as: asha,
				body,
			});
			return answer.status;
		};
		expect(await add("before")).toBe(201);
		take(file);
		const reason = `The database file has been ${what} while the server runs`;
		expect(await add("while it is away")).toBe(503);
		expect(await server.ask("GET", "/readyz")).toMatchObject({
			status: 503,
			body: { error: reason },
		});
		expect((await server.ask("GET", "/healthz")).status).toBe(200);
		await watch.look();
		await watch.look();
		expect(watch.messages()).toMatchObject([
			{ level: 50, err: { message: reason } },
		]);
		if (what === "emptied") return;
		renameSync(`${file}.aside`, file);
		expect(await add("after")).toBe(201);
		expect((await server.ask("GET", "/readyz")).status).toBe(200);
		await watch.look();
		expect(watch.messages().at(-1)?.msg).toBe(
			"The database file is back in place",
		);
	},
);

test("a server whose data directory was removed refuses writes", async () => {
	const server = await openTestServer(inFile);
	const asha = await server.addUser("Asha");
	rmSync(server.settings.dataDir, { recursive: true });
	const answer = await server.ask("POST", "/api/categories", {
		as: asha,
		body: category,
	});
	expect(answer.status).toBe(503);
	expect((await server.ask("GET", "/readyz")).status).toBe(503);
});

test("a check finds and logs damaged pages, and the shop keeps selling", async () => {
	const dataDir = join(testDir(), "data");
	const env = { ...inFile, DATA_DIR: dataDir };
	await (await openTestServer(env)).close();
	damageIndex(databaseFile({ dataDir }));
	const server = await openTestServer(env);
	const asha = await server.addUser("Asha");
	const watch = openWatch(server);
	await watch.check();
	expect(watch.messages()).toMatchObject([
		{
			level: 50,
			msg: expect.stringMatching(/^The database is damaged/),
			err: { message: expect.stringContaining("damaged") },
		},
	]);
	const answer = await server.ask("POST", "/api/categories", {
		as: asha,
		body: category,
	});
	expect(answer.status).toBe(201);
	expect((await server.ask("GET", "/readyz")).status).toBe(200);
	// A copy is intact, because it rebuilds indexes; only the original shows the damage.
	const backup = await backUp(server.shop, {
		dataDir,
		file: join(testDir(), "copy.db"),
	});
	expect(backup.damage).toContain("damaged");
});

test("an intact database passes the check, and a backup on the shop's disk logs a warning", async () => {
	const server = await openTestServer(inFile);
	await server.addUser("Asha");
	const { dataDir } = server.settings;
	const watch = openWatch(server);
	await watch.check();
	await watch.look();
	mkdirSync(join(dataDir, "copies"));
	const backup = await backUp(server.shop, {
		dataDir,
		file: join(dataDir, "copies", "copy.db"),
	});
	expect(backup).toMatchObject({ damage: null, isOnSameDisk: true });
	await watch.look();
	await watch.look();
	expect(watch.messages().map(({ level, msg }) => [level, msg])).toEqual([
		[30, "Checked the database: every page is intact"],
		[
			40,
			"The last backup is on the same disk as the shop: losing that disk loses both",
		],
	]);
});

/** Overwrites a page of an index that these tests don't read. */
function damageIndex(file: string): void {
	const db = new Database(file);
	const page = db
		.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?")
		.pluck()
		.get("inbox_items_dismissed") as number;
	const size = db.pragma("page_size", { simple: true }) as number;
	db.close();
	const bytes = readFileSync(file);
	bytes.fill(0xff, (page - 1) * size + 3, page * size);
	writeFileSync(file, bytes);
}
