import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
	addBusiness,
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { chainedColumns } from "./chain.ts";
import { spellLogged, writeOutArgs } from "./logged-args.ts";
import { verifyLog } from "./verify-log.ts";

/** A shop with three sales, in versions 3 to 5, and one rejected mutation. */
async function openSold(): Promise<TestShop> {
	const server = await openTestShop();
	await addMilk(server);
	for (const id of ["s1", "s2", "s3"])
		await pushOne(server, message(`m-${id}`, "sale.create", saleArgs(id)));
	await pushOne(server, message("bad", "sale.create", {}));
	return server;
}

const checkOf = ({ store }: TestShop, businessId = "shop-1", pageRows = 5) =>
	store.read((tx) => verifyLog(tx, businessId, () => {}, pageRows));

const changed = "its content, or a link before it, was changed";
const noLink = "it has no link, and those before it do";
const otherEnd = "the shop's newest link is another one than its log's";

/** Changes the database by hand. A sale that is its own entry in the log is written out first, where the log is changed. */
async function edit({ store }: TestShop, sql: string): Promise<void> {
	await store.write(async (tx) => {
		if (sql.includes("stored_mutations")) await writeOutArgs(tx, "shop-1");
		await tx.run(sql);
	});
}

describe("a check of the log", () => {
	test.each([
		[
			"a deleted mutation",
			"DELETE FROM stored_mutations WHERE id = 'm-s2'",
			2,
			[5, "m-s3", "version 4 is missing before it"],
		],
		[
			"a truncated end",
			"DELETE FROM stored_mutations WHERE id = 'm-s3'",
			3,
			[5, null, "the log ends before it"],
		],
		["a deleted log", "DELETE FROM stored_mutations", 0, [5, null, otherEnd]],
		[
			"a changed newest link",
			"UPDATE businesses SET link = 'x'",
			4,
			[5, null, otherEnd],
		],
		[
			"a deleted newest link",
			"UPDATE businesses SET link = NULL",
			4,
			[5, null, otherEnd],
		],
		[
			"a deleted link",
			"UPDATE stored_mutations SET link = NULL WHERE id = 'm-s2'",
			2,
			[4, "m-s2", noLink],
		],
		[
			"deleted links at the start",
			"UPDATE stored_mutations SET link = NULL WHERE version < 4",
			0,
			[4, "m-s2", changed],
		],
		[
			"a changed link",
			"UPDATE stored_mutations SET link = 'x' WHERE id = 'm-s2'",
			2,
			[4, "m-s2", changed],
		],
	])(
		"checking a log names the first wrong link and the reason: %s [LOG-5]",
		async (_what, sql, checked, [version, id, reason]) => {
			const server = await openSold();
			await edit(server, sql);
			const unlinked = sql.includes("version < 4") ? 2 : 0;
			for (const pageRows of [1, 2, 5])
				expect(await checkOf(server, "shop-1", pageRows)).toEqual({
					...{ checked, unlinked },
					bad: { version, id, reason },
				});
		},
	);

	test.each(chainedColumns.split(", "))(
		"checking a log notices a changed %s of a mutation",
		async (column) => {
			const server = await openSold();
			const isNumber = column.includes("version");
			await edit(
				server,
				`UPDATE stored_mutations SET ${column} = ${isNumber ? `${column} + 7` : "'x'"} WHERE id = 'm-s3'`,
			);
			expect((await checkOf(server)).bad?.reason).toMatch(
				column === "version" ? "is missing before it" : changed,
			);
		},
	);

	test("checking a long log reads all its pages and reports progress", async () => {
		const server = await openSold();
		for (const pageRows of [1, 2, 3, 4, 5]) {
			const progress: number[] = [];
			const check = await server.store.read((tx) =>
				verifyLog(tx, "shop-1", (read) => progress.push(read), pageRows),
			);
			expect(check).toEqual({ checked: 4, unlinked: 0 });
			// The head is 5, and the first version has no mutation.
			expect(progress).toHaveLength(Math.floor(5 / pageRows) + 1);
			expect(progress).toEqual(progress.toSorted());
			expect(progress.at(-1)).toBe(4);
		}
		await edit(server, "UPDATE stored_mutations SET link = NULL");
		await server.store.write((tx) =>
			tx.run("UPDATE businesses SET link = NULL"),
		);
		let read = 0;
		const check = await server.store.read((tx) =>
			verifyLog(tx, "shop-1", (rows) => {
				read = rows;
			}),
		);
		expect(check).toEqual({ checked: 0, unlinked: 4 });
		expect(read).toBe(4);
	});

	test("checking a log covers one business, even without sales", async () => {
		const server = await openSold();
		await server.store.write((tx) => addBusiness(tx, "shop-2"));
		expect(await checkOf(server, "shop-2")).toEqual({
			checked: 0,
			unlinked: 0,
		});
		const theirs = {
			...server,
			caller: { ...server.caller, businessId: "shop-2" },
		};
		await pushOne(theirs, message("m-s1", "sale.create", saleArgs("s1")));
		expect(await checkOf(server, "shop-2")).toEqual({
			checked: 1,
			unlinked: 0,
		});
		expect(await checkOf(server)).toEqual({ checked: 4, unlinked: 0 });
	});
});

test("each link is the hash that the protocol defines, so that others can check a log [LOG-3] [LOG-4]", async () => {
	const server = await openSold();
	const rows = await server.rows(
		`SELECT ${chainedColumns}, shape, link FROM mutations WHERE status = 'applied' ORDER BY version`,
	);
	const log = await server.store.read((tx) => spellLogged(tx, "shop-1", rows));
	let link = hash("sha256", "The log of shop-1", "base64url");
	for (const { link: kept, ...made } of log) {
		const content = [
			...[link, made.version, made.id, made.name, made.args],
			...[made.args_version, made.at, made.received_at, made.device_at],
			...[made.user_id, made.carrier_id, made.device_id],
		];
		link = hash("sha256", JSON.stringify(content), "base64url");
		expect(kept).toBe(link.slice(0, 22));
	}
	expect(log).toHaveLength(4);
	expect(await server.rows("SELECT link FROM businesses")).toEqual([{ link }]);
});

test("a log of before links were shortened is checked by all of their characters [LOG-5]", async () => {
	const server = await openSold();
	const wholeOf = async () => {
		const [row] = await server.rows("SELECT link FROM businesses");
		return String(row?.link);
	};
	const whole = await wholeOf();
	const keep = (link: string) =>
		edit(
			server,
			`UPDATE stored_mutations SET link = '${link}' WHERE id = 'm-s3'`,
		);
	await keep(whole);
	expect(await checkOf(server)).toEqual({ checked: 4, unlinked: 0 });
	const other = whole.endsWith("A") ? "B" : "A";
	for (const wrong of [whole.slice(0, 42) + other, whole.slice(0, 21), ""]) {
		await keep(wrong);
		expect(await checkOf(server)).toMatchObject({
			bad: { version: 5, id: "m-s3", reason: changed },
		});
	}
});
