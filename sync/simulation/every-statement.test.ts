import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createBusiness } from "../entities/business.ts";
import { inboxDismiss } from "../entities/inbox.ts";
import { entities } from "../entities/index.ts";
import { productUpdate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import type { Caller } from "../log/log.ts";
import { ShopError } from "../protocol/errors.ts";
import { derivedId } from "../protocol/ids.ts";
import { openReplica } from "../replica/replica.ts";
import type { Transport } from "../replica/transport.ts";
import { openShop } from "../shop.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { testBusiness } from "../testing/business.ts";
import { plainMutations } from "../testing/examples.ts";
import { isSample, testSeed } from "../testing/lane.ts";
import {
	exampleMessages,
	message,
	saleArgs,
	testDir,
} from "../testing/shop.ts";
import { openFileDisk } from "./disk.ts";
import { type LentFiles, openLentFiles } from "./lent-files.ts";
import { type Breakage, Machine } from "./machine.ts";
import { openSchedule } from "./schedule.ts";

const now = Date.parse("2026-11-20T09:00:00.000Z");
const caller: Caller = {
	businessId: "shop-1",
	userId: "asha",
	role: "OWNER",
	deviceId: null,
};

/** One of each mutation, with a sale that raises inbox items, which are dismissed. */
const batch = [
	// Records that nothing else depends on are written as a category is.
	...exampleMessages().filter(
		({ name }) => !plainMutations.some((one) => one.name === name),
	),
	message(
		"oversold",
		saleCreate.name,
		saleArgs("s", [{ productId: "product", quantity: 99 }, { productId: "x" }]),
	),
	// After the two lines' movements.
	message("dismissed", inboxDismiss.name, {
		ids: [derivedId("oversold", 3), derivedId("oversold", 4)],
		reason: "counted",
	}),
];
/** It fails after its first write, so the batch rolls back and runs again with savepoints. */
const halfDone = message("half", productUpdate.name, {
	id: "product",
	set: { name: "Too much", quantity: 1e9 },
	seenQuantity: -9e9,
});

/** A program on a machine that may break, and its work, the same each time. */
interface Attempt {
	machine: Machine;
	act(): Promise<void>;
	/** The whole content of the database, as text. */
	state(): Promise<string>;
}

const dir = () => testDir();

let files: LentFiles;

beforeEach(() => {
	files = openLentFiles(dir());
	onTestFinished(() => files.close());
});

async function openMachine(name: string, from: string): Promise<Machine> {
	const machine = await Machine.open({
		name,
		schedule: openSchedule(now),
		seed: 1,
		disk: openFileDisk({ dir: dir(), name, from, files }),
		onDeath: () => {},
	});
	onTestFinished(() => machine.close());
	return machine;
}

async function stateOf(store: Store): Promise<string> {
	return store.read(async (tx) => {
		const [check] = await tx.all("PRAGMA integrity_check");
		expect(check).toEqual({ integrity_check: "ok" });
		expect(await tx.all("PRAGMA foreign_key_check")).toEqual([]);
		const tables = [
			...entities.flatMap(({ table, lines }) => [
				table,
				...(lines ? [lines.table] : []),
			]),
			...["mutations", "devices", "outbox", "base_rows", "replica"],
		];
		const rows: string[] = [];
		for (const table of tables)
			for (const row of await tx.all(`SELECT * FROM ${table}`))
				rows.push(`${table} ${JSON.stringify(row)}`);
		return rows.join("\n");
	});
}

async function serverFile(): Promise<string> {
	const file = `${dir()}/server.db`;
	const store = await openSqlite(file);
	await store.write((tx) => createBusiness(tx, testBusiness("shop-1")));
	await store.close();
	return file;
}

const noServer: Transport = {
	push: () => Promise.reject(new ShopError("unreachable", "Nobody")),
	pull: () => Promise.reject(new ShopError("unreachable", "Nobody")),
	watch: () => Promise.reject(new ShopError("unreachable", "Nobody")),
	isReachable: async () => false,
};

function serverTransport(machine: Machine): Transport {
	const shop = openShop(machine);
	return {
		...noServer,
		push: (request) => shop.push(caller, JSON.parse(request)),
		pull: (cursor, limit) => shop.pull(caller, { cursor, limit }),
	};
}

function openTill({ store, env }: Machine, transport: Transport) {
	return openReplica({ store, businessId: "shop-1", transport, env });
}

/** Breaks the first statement, the second, and so on to the last; in `npm test` one in forty. */
async function breakEach(
	{ toBreakage, step }: Kind,
	open: () => Promise<Attempt>,
	isOneTransaction: boolean,
): Promise<number> {
	const clean = await open();
	const before = await clean.state();
	await clean.act();
	const after = await clean.state();
	expect(after).not.toBe(before);
	const stride = step * (isSample ? 40 : 1);
	for (let statements = testSeed % stride; ; statements += stride) {
		const { machine, act, state } = await open();
		machine.breakage = toBreakage(statements);
		const error = await act().catch((thrown: unknown) => thrown);
		const isHit = machine.breakage === undefined;
		if (!isHit) {
			expect(error).toBeUndefined();
			return statements;
		}
		if (!machine.isUp) await machine.start();
		else expect(error).toMatchObject({ name: "ShopError" });
		if (isOneTransaction) expect([before, after]).toContain(await state());
		await act();
		expect(await state()).toBe(after);
		await machine.close();
	}
}

interface Kind {
	name: string;
	toBreakage(statements: number): Breakage;
	/** A crash at the next commit is the same one for several statements, so some can be skipped. */
	step: number;
}

const kinds: Kind[] = [
	{
		name: "crash before",
		toBreakage: (statements) => ({
			kind: "crash",
			statements,
			isAfterCommit: false,
			isHard: true,
		}),
		step: 1,
	},
	{
		name: "crash with the answer at the next commit behind",
		toBreakage: (statements) => ({
			kind: "crash",
			statements,
			isAfterCommit: true,
			isHard: true,
		}),
		step: 5,
	},
	{
		name: "full disk at",
		toBreakage: (statements) => ({ kind: "full", statements }),
		step: 1,
	},
];

test.each(kinds)(
	"a $name any statement of a server's push leaves all of it or nothing, and a repeat leaves the same",
	async (kind) => {
		const from = await serverFile();
		for (const mutations of [
			batch,
			[...batch.slice(0, 5), halfDone, ...batch.slice(5)],
		]) {
			const open = async () => {
				const machine = await openMachine("server", from);
				return {
					machine,
					async act() {
						const shop = openShop(machine);
						const { results } = await shop.push(caller, {
							mutations,
							deviceId: "till-1",
							prefix: "A",
						});
						const applied = results.filter(
							({ status }) => status === "applied",
						);
						expect(applied).toHaveLength(batch.length);
					},
					state: () => stateOf(machine.store),
				};
			};
			expect(await breakEach(kind, open, true)).toBeGreaterThan(50);
		}
	},
);

test.each(kinds)(
	"a $name any statement of a till's own mutations leaves all of them or nothing, and a repeat leaves the same",
	async (kind) => {
		const server = await openMachine("server", await serverFile());
		const base = await openMachine("till", await emptyFile());
		await (await openTill(base, serverTransport(server))).sync();
		const from = await base.copyDisk();
		const open = async () => {
			const machine = await openMachine("till", from);
			return {
				machine,
				async act() {
					const till = await openTill(machine, noServer);
					const results = await till.take(caller, batch);
					expect(results.map(({ error }) => error)).toEqual(
						batch.map(() => undefined),
					);
				},
				state: () => stateOf(machine.store),
			};
		};
		expect(await breakEach(kind, open, true)).toBeGreaterThan(50);
	},
);

test.each(kinds)(
	"a $name any statement of a till's sync is repaired by the next sync",
	async (kind) => {
		const serverFrom = await serverFile();
		const base = await openMachine("till", await emptyFile());
		const server = await openMachine("server", serverFrom);
		const till = await openTill(base, serverTransport(server));
		await till.sync();
		await till.take(caller, batch);
		const from = await base.copyDisk();
		const open = async () => {
			const machine = await openMachine("till", from);
			const transport = serverTransport(
				await openMachine("server", await server.copyDisk()),
			);
			return {
				machine,
				async act() {
					await (await openTill(machine, transport)).sync();
				},
				state: () => stateOf(machine.store),
			};
		};
		expect(await breakEach(kind, open, false)).toBeGreaterThan(50);
	},
);

async function emptyFile(): Promise<string> {
	const file = `${dir()}/empty.db`;
	await (await openSqlite(file)).close();
	return file;
}
