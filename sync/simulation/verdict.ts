import { entities } from "../entities/index.ts";
import { saleCreate } from "../entities/sale.ts";
import { sumAllBlocks } from "../feed/digest-blocks.ts";
import { readDigest } from "../feed/feed.ts";
import { readNeededSales } from "../feed/older-sales.ts";
import { readChainHead } from "../log/chain.ts";
import { readHistory } from "../log/history.ts";
import { addDays, businessDay, toIso } from "../protocol/clock.ts";
import { newId } from "../protocol/ids.ts";
import type { Compared } from "../replica/compare.ts";
import { readState } from "../replica/replica-state.ts";
import { wrongStockSql } from "../replica/server-rows.ts";
import type { Connection, DbRow } from "../store/store.ts";
import { assertBlocksRight } from "../testing/blocks.ts";
import { judgeApprovals } from "./approvals.ts";
import { contentOf } from "./baskets.ts";
import { readBystander } from "./bystander.ts";
import { damageRows } from "./damage.ts";
import { judgePurchases } from "./deliveries.ts";
import { judgeDrawers } from "./drawer.ts";
import { judgeLayaways } from "./layaways.ts";
import {
	judgeCounts,
	judgeEdits,
	judgeLedger,
	judgeLog,
	judgeMerges,
} from "./ledger.ts";
import type { Machine } from "./machine.ts";
import { judgeRejected, judgeSeen } from "./people.ts";
import { openRandom } from "./random.ts";
import { judgeSums } from "./report-sums.ts";
import { signIn } from "./sessions.ts";
import { judgeLooks } from "./stock-counts.ts";
import { syncTill } from "./sync-till.ts";
import { businesses, canaryOf, type KnownSale } from "./witness.ts";
import type { SimulatedTill, World } from "./world.ts";

const roundsMax = 12;
const patience = 5;
const comparisonsMax = 6;
const dayMs = 24 * 3_600_000;
/** Reasons why the server may reject a correct till's mutation. A sale is never rejected. */
const refusals = new Set([
	"forbidden",
	"not_found",
	"already_voided",
	"over_refunded",
	"id_reused",
]);

/** Ends all faults, syncs every till until nothing is pending, and checks the invariants. */
export async function judge(world: World): Promise<void> {
	heal(world);
	await world.schedule.run();
	const { machine } = world.server;
	await syncAll(world);
	// Tills go on selling, and a cloned one notices that its device id is taken.
	for (const till of world.tills) await sellOnce(world, till);
	await syncAll(world);
	for (const till of world.tills) await damageAndHeal(world, till);
	const truths = await readTruth(world);
	for (const till of world.tills)
		await judgeTill(world, till, truths.get(till.businessId) as Truth);
	for (const { machine } of [world.server, ...world.tills])
		await judgeDisk(world, machine);
	await judgeBystander(world);
	await judgeDevices(world);
	for (const businessId of businesses) {
		await judgeSales(world, businessId);
		await machine.store.read(async (tx) => {
			await judgeLedger(world, tx, businessId);
			await judgeLog(world, tx, businessId);
			await judgeEdits(world, tx, businessId);
			await judgeCounts(world, tx, businessId);
			await judgeLooks(world, tx, businessId);
			await judgeDrawers(world, tx, businessId);
			await judgePurchases(world, tx, businessId);
			await judgeLayaways(world, tx, businessId);
			await judgeApprovals(world, tx, businessId);
			await judgeMerges(world, tx, businessId);
		});
	}
	await judgeBlocks(world);
	await countMade(world);
	await judgeDigest(world);
}

/** Checks how often each mutation was applied. */
async function countMade({ server, witness }: World): Promise<void> {
	const { store } = server.machine;
	for (const businessId of businesses) {
		const made = await store.read((tx) =>
			tx.all(
				"SELECT name, count(*) AS times FROM mutations WHERE business_id = ? AND status = 'applied' GROUP BY name",
				businessId,
			),
		);
		for (const { name, times } of made)
			witness.count(name as string, Number(times));
	}
}

async function syncAll(world: World): Promise<void> {
	for (let round = 0; round < roundsMax; round += 1) {
		const behind: SimulatedTill[] = [];
		for (const till of world.tills)
			if (!(await wasOrIsInStep(world, till))) behind.push(till);
		if (behind.length === 0) return;
		for (const till of behind) await syncOnce(world, till, round);
		// A mutation that names a record which a restored server never got back is deferred for a time, and then rejected.
		if (round === patience) world.schedule.after(91 * dayMs, () => {});
	}
}

async function syncOnce(
	world: World,
	till: SimulatedTill,
	round: number,
): Promise<void> {
	const sync = async () => {
		const error = await world.attempt(() => syncTill(till));
		if (error && round === roundsMax - 1)
			world.witness.fail("a till can't sync", `${till.name}: ${error}`);
	};
	world.track(sync());
	await world.schedule.run();
}

/** Like `isInStep`, without looking again at a till and a server that have not changed since. */
async function wasOrIsInStep(
	world: World,
	till: SimulatedTill,
): Promise<boolean> {
	const editions = `${till.machine.edition} ${world.server.machine.edition}`;
	if (world.inStep.get(till.name) === editions) return true;
	if (!(await isInStep(world, till))) return false;
	world.inStep.set(till.name, editions);
	return true;
}

/** Returns true if a till has nothing to send and has pulled everything. Others check that the rows are equal. */
async function isInStep(
	{ server }: World,
	{ replica, businessId, machine }: SimulatedTill,
): Promise<boolean> {
	const status = await replica?.status();
	if (!status || status.pending > 0 || !status.hasHistory) return false;
	const { position } = await machine.store.read((tx) =>
		readState(tx, businessId),
	);
	const history = await server.machine.store.read(async (tx) => ({
		...(await readHistory(tx, machine.env.now())),
		head: await readChainHead(tx, businessId),
	}));
	return (
		position.epoch === history.epoch &&
		position.version === history.head.version &&
		(history.head.link ?? "").startsWith(position.proof) &&
		!position.resetting
	);
}

async function sellOnce(
	world: World,
	{ name, businessId, caller, machine, replica }: SimulatedTill,
): Promise<void> {
	const item = {
		id: "1",
		name: `Milk ${canaryOf(businessId)}`,
		quantity: 1,
		price: 100,
		cost: 60,
		productId: "milk",
	};
	const known = world.witness.begins({
		businessId,
		id: newId(machine.env),
		madeOn: name,
		madeAt: world.schedule.now(),
		content: contentOf([item]),
		by: caller.userId,
	});
	await replica?.mutate(caller, saleCreate, { id: known.id, items: [item] });
	world.witness.acknowledge(known, world.schedule.now());
}

/** Damages a till's rows, and checks that its comparisons with the server put them right, whatever it sells meanwhile. */
async function damageAndHeal(world: World, till: SimulatedTill): Promise<void> {
	const { witness, schedule, script } = world;
	const random = openRandom(script.seed, "damage", till.name);
	for (let times = random.below(4); times > 0; times -= 1)
		await damageRows(world, till, random);
	let found = "unknown" as Compared;
	for (let round = 0; round < comparisonsMax && found !== "same"; round += 1) {
		const compare = async () => {
			found =
				(await till.replica?.compare({ isThorough: round === 0 })) ?? found;
			await judgeSeen(world, till);
			// The sync loop syncs at once after rows were put right.
			if (found === "healed") await till.replica?.sync();
		};
		world.track(world.attempt(compare));
		if (round === 0 && random.chance(0.5))
			schedule.after(random.below(600), () => {
				world.track(sellOnce(world, till));
			});
		await schedule.run();
		await judgeBlocks(world);
		await syncAll(world);
	}
	if (found !== "same") witness.fail("a till is not put right", till.name);
}

function heal(world: World): void {
	world.isHealed = true;
	world.isServerFaulty = false;
	world.isServerNewer = false;
	world.unknownNames.clear();
	for (const { machine } of [world.server, ...world.tills]) {
		machine.breakage = undefined;
		machine.isFull = false;
	}
	for (const till of world.tills) {
		till.isOnline = true;
		till.isRevoked = false;
		till.isElsewhere = false;
		till.role = "OWNER";
		signIn(till, till.name, true);
	}
}

/** The server's data of a business: its digest, the digest of all columns, and its live rows. */
interface Truth {
	digest: string;
	whole: string;
	rows: Map<string, string>;
}

async function readTruth(world: World): Promise<Map<string, Truth>> {
	const truths = new Map<string, Truth>();
	for (const businessId of businesses)
		truths.set(
			businessId,
			await world.server.machine.store.read(async (tx) => ({
				digest: (await sumAllBlocks(tx, businessId)).digest,
				whole: await readDigest(tx, businessId),
				rows: await liveRows(tx, businessId),
			})),
		);
	return truths;
}

/** A discarded mutation is never offered again, whatever happens to the server's history. */
async function judgeSettled(
	{ witness }: World,
	{ name, businessId, machine, seen }: SimulatedTill,
): Promise<void> {
	const kept = await machine.store.read((tx) =>
		tx.all(
			"SELECT mutation_id FROM outbox WHERE business_id = ? AND state <> 'discarded'",
			businessId,
		),
	);
	const back = kept.find(({ mutation_id: id }) => seen.settled.has(`${id}`));
	if (back)
		witness.fail(
			"a discarded mutation is back",
			`${name}: ${back.mutation_id}`,
		);
}

async function judgeTill(
	world: World,
	till: SimulatedTill,
	truth: Truth,
): Promise<void> {
	const { witness } = world;
	const { name, replica, machine, businessId } = till;
	if (!replica) {
		witness.fail("a till never came back", name);
		return;
	}
	const { pending } = await replica.status();
	if (pending > 0)
		witness.fail("a mutation is never answered", `${name}: ${pending}`);
	const rejected = await replica.rejected();
	judgeRejected(world, till, rejected);
	await judgeSettled(world, till);
	for (const { id, name: mutation, args, error } of rejected) {
		if (witness.poison.has(id)) continue;
		if (error.code === "forbidden" && !world.script.faults.isDemoted)
			witness.fail(
				"what its maker may do was refused",
				`${name}: ${mutation} ${JSON.stringify(args)}`,
			);
		if (mutation === "sale.create" || !refusals.has(error.code))
			witness.fail(
				"a right mutation was refused",
				`${name}: ${mutation} ${JSON.stringify(args)} ${JSON.stringify(error)}`,
			);
	}
	const { window } = await machine.store.read((tx) =>
		readState(tx, businessId),
	);
	if (window.version > 0) {
		await judgeWindow(world, till, truth);
		return;
	}
	if ((await replica.digest()) !== truth.digest)
		witness.fail("a till is not in step", name);
	const whole = await machine.store.read((tx) => readDigest(tx, businessId));
	if (whole !== truth.whole) witness.fail("a till is not in step", name);
	const rows = await machine.store.read((tx) => liveRows(tx, businessId));
	for (const [table, own] of rows)
		if (own !== truth.rows.get(table))
			witness.fail("rows differ", `${name}: ${table}`);
}

/** A till with a window holds all of the server's rows but sales from before it, and none otherwise. */
async function judgeWindow(
	{ witness, server }: World,
	{ name, businessId, machine }: SimulatedTill,
	truth: Truth,
): Promise<void> {
	witness.count("judged window");
	const { window, rows, wrong } = await machine.store.read(async (tx) => ({
		wrong: await tx.all(wrongStockSql, businessId),
		window: (await readState(tx, businessId)).window,
		rows: await liveRows(tx, businessId),
	}));
	const needed = await server.machine.store.read(async (tx) => [
		...(await tx.all(
			`SELECT id FROM sales WHERE business_id = ? AND deleted = 0 AND version > ?
       UNION SELECT id FROM refunds WHERE business_id = ? AND deleted = 0 AND version > ?`,
			...[businessId, window.version, businessId, window.version],
		)),
		...(await readNeededSales(tx, businessId, window.version)),
	]);
	if (wrong.length > 0)
		witness.fail("a quantity is not the sum of its movements", name);
	const keysOf = (table: string) =>
		new Set(
			JSON.parse(rows.get(table) ?? "[]").map(({ id }: { id: string }) => id),
		);
	const sales = keysOf("sales");
	const refunds = keysOf("refunds");
	const missing = needed.find(({ id }) => !sales.has(id) && !refunds.has(id));
	if (missing)
		witness.fail("a till lacks what it needs", `${name}: ${missing.id}`);
	const left: Record<string, (row: Record<string, string>) => boolean> = {
		sales: ({ id }) => sales.has(id),
		sale_items: (row) => sales.has(row.sale_id),
		refunds: ({ id }) => refunds.has(id),
		refund_items: (row) => refunds.has(row.refund_id),
	};
	for (const [table, own] of rows) {
		const isHere = left[table];
		const all = truth.rows.get(table) ?? "[]";
		const theirs = isHere
			? JSON.stringify(JSON.parse(all).filter(isHere))
			: all;
		if (own !== theirs) witness.fail("rows differ", `${name}: ${table}`);
	}
}

/** No run may change the bystander. A server on PostgreSQL holds none. */
async function judgeBystander(world: World): Promise<void> {
	const { places, script, server, tills, witness } = world;
	// It reads every table of every database.
	if (script.seed % 4 !== 0) return;
	const machines = tills.map(({ machine }) => machine);
	if (places.isServerOnFile) machines.push(server.machine);
	for (const { name, store } of machines)
		if ((await store.read(readBystander)) !== places.bystanderRows)
			witness.fail("a bystander was touched", name);
}

/** A till's acknowledged mutations are applied, and no two tills end with the same device id or receipt prefix. */
async function judgeDevices({ witness, server, tills }: World): Promise<void> {
	const devices = new Map<string, string>();
	for (const { name, businessId, machine, replica } of tills) {
		const { deviceId = "", prefix } = (await replica?.status()) ?? {};
		for (const identity of [deviceId, `${businessId} ${prefix}`]) {
			const other = devices.get(identity);
			if (other) witness.fail("two tills are one", `${name} and ${other}`);
			devices.set(identity, name);
		}
		const believed = await machine.store.read((tx) =>
			tx.all(
				"SELECT mutation_id FROM outbox WHERE business_id = ? AND state = 'acknowledged'",
				businessId,
			),
		);
		const done = await server.machine.store.read((tx) =>
			tx.all(
				"SELECT id FROM mutations WHERE business_id = ? AND status = 'applied'",
				businessId,
			),
		);
		const ids = new Set(done.map(({ id }) => id));
		const wrong = believed.find(({ mutation_id: id }) => !ids.has(id));
		if (wrong)
			witness.fail("a till takes for done what is not", `${wrong.mutation_id}`);
	}
}

/** Every live row as text, by table, without columns that differ between stores. */
async function liveRows(
	tx: Connection,
	businessId: string,
): Promise<Map<string, string>> {
	const rows = new Map<string, string>();
	for (const { table, lines } of entities) {
		const live = await tx.all(
			`SELECT * FROM ${table} WHERE business_id = ? AND deleted = 0 ORDER BY id`,
			businessId,
		);
		rows.set(
			table,
			JSON.stringify(
				live.map(
					// The numbers of a method and a shift are their database's own; their texts are compared.
					({ version, edits, head, link, backed_up_to, method, ...row }) =>
						table === "payments"
							? { ...row, method }
							: { ...row, shift: undefined },
				),
			),
		);
		if (lines)
			rows.set(
				lines.table,
				JSON.stringify(
					await tx.all(
						`SELECT * FROM ${lines.table} WHERE business_id = ? ORDER BY ${lines.parent}, id`,
						businessId,
					),
				),
			);
	}
	return rows;
}

/** Only a crash may damage the disk. */
async function judgeDisk(
	{ witness }: World,
	{ name, life, store, disk }: Machine,
): Promise<void> {
	if (life === 1) return;
	if (!(await store.read((tx) => disk.isWhole(tx))))
		witness.fail("a database is damaged", name);
}

/** Invariant 1: every acknowledged sale is there once, as it was made, and no other. */
async function judgeSales(
	{ witness, server }: World,
	businessId: string,
): Promise<void> {
	const found = await server.machine.store.read(async (tx) => {
		const sales = await tx.all(
			`SELECT id, total, rounding, business_day, user_id FROM sales WHERE business_id = ? AND deleted = 0
         AND id NOT IN (SELECT sale_id FROM inbox_items WHERE business_id = sales.business_id AND sale_id IS NOT NULL
           AND cause NOT IN ('unknown_product', 'inactive_product', 'oversold', 'old_price'))
       UNION ALL SELECT id, total, rounding, NULL, user_id FROM sales WHERE business_id = ? AND deleted = 0
         AND id IN (SELECT sale_id FROM inbox_items WHERE business_id = sales.business_id
           AND cause NOT IN ('unknown_product', 'inactive_product', 'oversold', 'old_price'))`,
			businessId,
			businessId,
		);
		const lines = await tx.all(
			"SELECT * FROM sale_items WHERE business_id = ? ORDER BY sale_id, position",
			businessId,
		);
		const bySale = Map.groupBy(lines, ({ sale_id: saleId }) => saleId);
		return new Map(
			sales.map(({ id, total, rounding, business_day: day, user_id: by }) => [
				String(id),
				{
					day,
					by,
					content: [
						total,
						rounding ?? "",
						...(bySale.get(id as string) ?? []).map(lineOf),
					].join("; "),
				},
			]),
		);
	});
	for (const sale of witness.sales.values()) {
		if (sale.businessId !== businessId) continue;
		const { content, day, by } = found.get(sale.id) ?? {};
		if (content !== undefined && by !== sale.by)
			witness.fail(
				"a sale is somebody else's",
				`${sale.madeOn}: ${sale.id} of ${sale.by} is ${by}'s`,
			);
		if (day && isBelievable(sale) && sale.businessDay !== day)
			witness.fail(
				"a sale has another business day than its till gave it",
				`${sale.madeOn}: ${sale.id} of ${sale.businessDay} on ${day}`,
			);
		if (content === undefined) {
			if (sale.isAcknowledged && !sale.isExcused)
				witness.fail("a sale is lost", `${sale.madeOn}: ${sale.id}`);
		} else if (content !== sale.content)
			witness.fail("a sale was altered", `${sale.content} is ${content}`);
	}
	for (const id of found.keys())
		if (!witness.sales.has(`${businessId} ${id}`))
			witness.fail("a sale that nobody made", id);
}

/**
 * Returns false if the till's clock was wrong, or was so by a server that goes wrong itself: the server's day counts,
 * even if another till brings the sale back.
 */
function isBelievable({ businessDay: day, ...sale }: KnownSale): boolean {
	if (!day || sale.isRedated) return false;
	const right = businessDay(toIso(sale.madeAt), "Africa/Nairobi", 0);
	return day >= addDays(right, -1) && day <= addDays(right, 1);
}

function lineOf(line: DbRow): string {
	const { name, quantity, price, cost } = line;
	return [
		...[name, quantity, price, cost, line.product_id ?? ""],
		line.list_price ?? "",
		...(line.pack_size === null
			? []
			: [line.pack_id, line.pack_name, line.pack_size]),
		...(line.unit === null ? [] : [line.unit]),
	].join("|");
}

/** The kept sums of blocks are the sums of their rows, on every machine that has changed since they were last judged. */
async function judgeBlocks(world: World): Promise<void> {
	const { witness, server, tills, judgedBlocks } = world;
	const nodes = [
		...businesses.map((businessId) => ({
			...server,
			businessId,
			name: "server",
		})),
		...tills,
	];
	for (const { machine, businessId, name } of nodes) {
		const node = `${name} ${businessId}`;
		if (judgedBlocks.get(node) === machine.edition) continue;
		await assertBlocksRight(machine.store, businessId).catch((error) =>
			witness.fail("a kept sum of a block is wrong", `${name}: ${error}`),
		);
		judgedBlocks.set(node, machine.edition);
	}
}

/** One changed field changes the digest, and the report totals equal the sums of their facts. */
async function judgeDigest({ script, witness, server, tills }: World) {
	const random = openRandom(script.seed, "digest");
	const change = random.pick([
		"UPDATE products SET selling_price = selling_price + 1 WHERE id = 'milk'",
		"UPDATE products SET quantity = quantity - 1 WHERE id = 'milk'",
		"UPDATE products SET low_stock = low_stock + 1 WHERE id = 'milk'",
		"UPDATE products SET is_active = 1 - is_active WHERE id = 'milk'",
		"UPDATE products SET updated_at = created_at || 'x' WHERE id = 'milk'",
		"UPDATE products SET category_id = coalesce(category_id, '') || 'x' WHERE id = 'milk'",
		"UPDATE stock_movements SET delta = delta + 1",
		"UPDATE stock_movements SET reason = 'other'",
		"UPDATE businesses SET receipt_header = coalesce(receipt_header, '') || 'x'",
	]);
	const { store } = server.machine;
	const undone = new Error("Undone");
	await store
		.write(async (tx) => {
			const before = await readDigest(tx, "shop-a");
			await tx.run(`${change}`);
			if ((await readDigest(tx, "shop-a")) === before)
				witness.fail("a digest does not see a change", change);
			throw undone;
		})
		.catch((error) => {
			if (error !== undone) throw error;
		});
	await judgeSums(
		witness,
		random.pick([{ ...server, businessId: "shop-a" }, ...tills]),
	);
}
