import { createBusiness } from "../entities/business.ts";
import type { Role } from "../entities/entity.ts";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { beginNewHistory } from "../log/history.ts";
import type { Caller } from "../log/log.ts";
import type { ProofKey } from "../log/proof.ts";
import { isStorageError, ShopError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import type { Page } from "../protocol/protocol.ts";
import { becomeReplica } from "../replica/connect.ts";
import { openReplica, type Replica } from "../replica/replica.ts";
import { readState } from "../replica/replica-state.ts";
// Loaded with the world: a till imports it when it first needs it, and how long that takes is not of its schedule.
import "../replica/upkeep.ts";
import { openShop, type SyncServer } from "../shop.ts";
import type { Connection } from "../store/store.ts";
import { testBusiness } from "../testing/business.ts";
import { addApprover } from "./approvals.ts";
import { basket, contentOf } from "./baskets.ts";
import { type Disk, openFileDisk } from "./disk.ts";
import { readLastingSales } from "./lasting-sales.ts";
import type { LentFiles } from "./lent-files.ts";
import { Machine } from "./machine.ts";
import { openLine } from "./network.ts";
import type { PoolImage } from "./opfs.ts";
import { imageIn, openOpfsDisk } from "./opfs-disk.ts";
import { openRandom } from "./random.ts";
import { openSchedule, type Schedule } from "./schedule.ts";
import type { Script } from "./script.ts";
import {
	addMembers,
	openKeyring,
	proofKeyOf,
	rememberMembers,
} from "./sessions.ts";
import type { SimulatedBrowser } from "./wasm-sqlite.ts";
import { businesses, canaryOf, type KnownSale, Witness } from "./witness.ts";

const start = Date.parse("2026-11-20T09:00:00.000Z");
const tillsMax = 5;
const browserShare = 0.25;
/** Rows that tills store per transaction in every other world, less than a page. */
const fewRows = 5;
/** Bytes of a batch in every third world, about two sales. */
const fewBytes = 2_000;
/** Memory of the server's feed cache in another third, for a few rows. */
const littleMemory = { tailBytes: 800, pagesBytes: 1_500 };
/** A snapshot of a few products has several parts, and a history of a few sales several blocks. */
const smallSnapshots = { partRows: 2, blockVersions: 4 };

/** With the days of slack, a window of no day that has begun: a run makes few versions, and few days. */
export const shortWindow = -4;

export interface SimulatedTill {
	name: string;
	businessId: string;
	machine: Machine;
	/** Undefined while it is off. */
	replica: Replica | undefined;
	/** True if its database is in a browser's file system. */
	isInBrowser: boolean;
	/** True if it started on a copy of another till's disk. */
	isCopy: boolean;
	/** True if it joins by a snapshot. */
	joinsBySnapshot: boolean;
	/** The days of its window. Undefined if it holds everything. */
	windowDays: number | undefined;
	/** The newest border that its window has had. */
	border: number;
	/** True if it holds the shop, so that a cashier can start. */
	hasJoined: boolean;
	isOnline: boolean;
	/** True if the server does not accept its sign-in. */
	isRevoked: boolean;
	/** True if its token is another business's. */
	isElsewhere: boolean;
	role: Role;
	/** The number of its requests to the server. */
	trips: number;
	/** A copy of its disk that may be restored later. */
	copy: { file: string; at: number; border: number } | undefined;
	/** How often a comparison has put rows of it right. */
	healings: number;
	/** What people saw on it. */
	seen: Seen;
	/** True if its rows have been damaged. */
	isDamaged: boolean;
	/** Sales that the damage removed or added, and the product that it deleted or brought back. */
	damaged: Set<string>;
	/** The signed-in member. */
	caller: Caller;
	/** The session's proof key, and whether it may have one. */
	proofs: { mayHaveKey: boolean; key: ProofKey | undefined };
	/** The caller as the server knows them. */
	serverCaller(): Caller;
}

/** What people saw on a till and must stay visible. */
interface Seen {
	/** Sales that it showed when it held a whole shop. */
	sales: ReadonlySet<string>;
	/** Rejected mutations that no person has acted on. */
	rejected: Set<string>;
	/** Rejected mutations that a person has retried or discarded. */
	settled: Set<string>;
}

export function seenNothing(): Seen {
	return { sales: new Set(), rejected: new Set(), settled: new Set() };
}

interface Backup {
	file: string;
	at: number;
}

interface SimulatedServer {
	machine: Machine;
	/** Undefined while it is off. */
	shop: SyncServer | undefined;
	backups: Backup[];
	/** Images of its disk that may be restored without a new epoch. */
	images: Backup[];
}

export interface BrowserPlace extends SimulatedBrowser {
	/** The initial image of a browser's till. */
	template: PoolImage;
}

/** The initial state of a till. */
interface Beginning {
	image: string;
	isInBrowser: boolean;
	joinsBySnapshot?: boolean;
	windowDays?: number | undefined;
}

/** The storage of a world's machines. */
interface WorldPlaces {
	/** For this world's files only. */
	dir: string;
	/** A database with only the bystander, to start tills from. */
	template: string;
	/** What the databases of machines are in. */
	files: LentFiles;
	/** The bystander's rows in it. */
	bystanderRows: string;
	/** The browser of tills with OPFS. */
	browser(): Promise<BrowserPlace>;
	/** The images of their disks. */
	images: Map<string, PoolImage>;
	isServerOnFile: boolean;
	/** The server's disk, empty. */
	serverDisk: Disk;
}

/** A bug inside the server, not caused by the client. */
class Poison extends Error {}

export class World {
	readonly schedule: Schedule = openSchedule(start);
	readonly witness: Witness;
	readonly script: Script;
	readonly tills: SimulatedTill[] = [];
	readonly server: SimulatedServer = {} as SimulatedServer;
	/** True once all faults have ended and the network works. */
	isHealed = false;
	/** Mutations of a newer till that this server does not know yet. */
	unknownNames = new Set<string>();
	/** True if the server sends what this till is too old to know. */
	isServerNewer = false;
	/** True if the server fails at each low-stock report. */
	isServerFaulty = false;
	/** Prefixes with a business, "shop-a BCDF", under which two tills, or two lives of one, count receipts. */
	readonly twins = new Set<string>();
	/** The editions in which the blocks of a business on a machine were judged, by the names of both. */
	readonly judgedBlocks = new Map<string, number>();
	/** The editions of a till and the server at which they were in step, by the till's name. */
	readonly inStep = new Map<string, string>();
	#alone = 0;
	readonly places: WorldPlaces;

	constructor(script: Script, places: WorldPlaces, isVerbose: boolean) {
		this.script = script;
		this.witness = new Witness(isVerbose);
		this.places = places;
	}

	async open(): Promise<void> {
		const machine = await this.#openMachine(
			"server",
			this.places.serverDisk,
			() => this.#serverDied(),
		);
		Object.assign(this.server, { machine, backups: [], images: [] });
		await machine.store.write(async (tx) => {
			await setEpoch(tx, machine);
			for (const id of businesses)
				await createBusiness(tx, businessRow(id, id));
			// Few runs make as many versions as a group of the digest's blocks has, so its end is near.
			const before = openRandom(this.script.seed, "head").below(60);
			for (const id of businesses)
				await tx.run(
					"UPDATE businesses SET head = ? WHERE business_id = ?",
					4_084 - before,
					id,
				);
			await addMembers(tx, businesses);
			for (const id of businesses) await addApprover(tx, id);
		});
		this.#openServer();
		for (const businessId of businesses)
			for (const id of ["milk", "bread"])
				await this.openShop().mutate(this.ownerOf(businessId), productCreate, {
					id,
					name: `${id} ${canaryOf(businessId)}`,
					buyingPrice: 60,
					sellingPrice: 100,
					quantity: 10,
				});
		for (let i = 0; i < this.script.tills; i += 1) await this.addTill("shop-a");
		await this.addTill("shop-b");
	}

	#openMachine(
		name: string,
		disk: Disk,
		onDeath: (isHard: boolean) => void,
	): Promise<Machine> {
		const { schedule, script } = this;
		return Machine.open({ name, schedule, seed: script.seed, disk, onDeath });
	}

	async #openTillMachine(
		name: string,
		onDeath: (isHard: boolean) => void,
		isInBrowser: boolean,
		image?: string,
	): Promise<Machine> {
		const disk = isInBrowser
			? await this.#openBrowserDisk(name, image)
			: openFileDisk({
					...this.places,
					name,
					from: image ?? this.places.template,
				});
		return this.#openMachine(name, disk, onDeath);
	}

	async #openBrowserDisk(name: string, image?: string): Promise<Disk> {
		const { images } = this.places;
		const browser = await this.schedule.during(this.places.browser());
		this.witness.count("browser till");
		return openOpfsDisk({
			...{ browser, name, images },
			from: image === undefined ? browser.template : imageIn(images, image),
			random: openRandom(this.script.seed, "disk", name),
			onLost: (writes) => this.witness.count("lost write", writes),
		});
	}

	ownerOf(businessId: string): Caller {
		return { businessId, userId: "owner", role: "OWNER", deviceId: null };
	}

	/** @throws ShopError `unreachable` while the server is off */
	openShop(): SyncServer {
		if (!this.server.shop || !this.server.machine.isUp)
			throw new ShopError("unreachable", "The server is off");
		return this.server.shop;
	}

	/**
	 * Adds a till that joins, or that goes on from a copy of another one's disk.
	 *
	 * @returns undefined if there are enough
	 */
	async addTill(
		businessId: string,
		from?: Beginning,
	): Promise<SimulatedTill | undefined> {
		if (this.tills.length >= tillsMax) return undefined;
		const name = `till-${this.tills.length + 1}`;
		const random = openRandom(this.script.seed, "kind", name);
		const isInBrowser = from?.isInBrowser ?? random.chance(browserShare);
		const caller: Caller = {
			businessId,
			userId: name,
			role: "OWNER",
			deviceId: null,
		};
		const till: SimulatedTill = {
			name,
			businessId,
			machine: await this.#openTillMachine(
				name,
				(isHard) => this.#tillDied(till, isHard),
				isInBrowser,
				from?.image,
			),
			isInBrowser,
			replica: undefined,
			isCopy: from !== undefined,
			joinsBySnapshot:
				from?.joinsBySnapshot ??
				openRandom(this.script.seed, "joins", name).chance(
					this.script.snapshots ?? 0,
				),
			windowDays:
				from?.windowDays ??
				(openRandom(this.script.seed, "windows", name).chance(
					this.script.windows ?? 0,
				)
					? shortWindow
					: undefined),
			border: 0,
			hasJoined: from !== undefined,
			isOnline: true,
			isRevoked: false,
			isElsewhere: false,
			role: "OWNER",
			trips: 0,
			copy: undefined,
			healings: 0,
			seen: seenNothing(),
			isDamaged: false,
			damaged: new Set(),
			caller,
			proofs: { mayHaveKey: true, key: undefined },
			serverCaller: () => ({
				...till.caller,
				...(till.isElsewhere ? { businessId: otherThan(businessId) } : {}),
				role: till.caller.userId === name ? till.role : till.caller.role,
			}),
		};
		this.tills.push(till);
		await this.openTill(till);
		this.#join(till);
		return till;
	}

	/** Adds a shop that has sold without a server and joins one with all its data. */
	async addAloneShop(businessId: string): Promise<void> {
		if (this.tills.length >= tillsMax) return;
		this.#alone += 1;
		const name = `alone-${this.#alone}`;
		const machine = await this.#openTillMachine(name, () => {}, false);
		const { store, env } = machine;
		await store.write(async (tx) => {
			await setEpoch(tx, machine);
			await createBusiness(tx, businessRow(name, businessId));
		});
		const shop = openShop({ store, env });
		const random = openRandom(this.script.seed, name);
		const sold: KnownSale[] = [];
		for (let i = 0; i < 2 + random.below(3); i += 1) {
			const items = basket(random, businessId);
			const id = newId(env);
			const now = this.schedule.now();
			const known = this.witness.begins({
				businessId,
				id,
				madeOn: name,
				madeAt: now,
				content: contentOf(items),
				by: "owner",
			});
			await shop.mutate(this.ownerOf(name), saleCreate, { id, items });
			this.witness.acknowledge(known, now);
			sold.push(known);
		}
		await store.write((tx) =>
			becomeReplica(tx, env, name, businessId, true, "owner"),
		);
		const image = await machine.copyDisk();
		await machine.close();
		const from = { image, isInBrowser: false };
		const till = await this.addTill(businessId, from);
		for (const known of sold)
			if (till) known.madeOn = till.name;
			else known.isExcused = true;
	}

	/** Tries to join until the till has the shop. */
	#join(till: SimulatedTill): void {
		if (till.hasJoined) return;
		const work = this.attempt(async () => {
			const { replica } = till;
			if (!replica) return;
			await replica.sync({ leavesHistory: true });
			till.hasJoined = true;
			if (till.joinsBySnapshot || till.windowDays !== undefined)
				this.track(this.attempt(() => replica.bringHistory()));
		});
		this.track(
			work.then(() =>
				// An hour without a network is not to look like work without end.
				this.schedule.after(till.isOnline ? 3_000 : 60_000, () =>
					this.#join(till),
				),
			),
		);
	}

	/** Starts its program. A failure at the start is retried a moment later. */
	async openTill(till: SimulatedTill): Promise<void> {
		const { life, store, env } = till.machine;
		const { businessId } = till;
		try {
			await store.write((tx) => rememberMembers(tx, businessId));
			till.replica = await openReplica({
				store,
				businessId,
				transport: openLine(this, till),
				env,
				keyring: openKeyring(till),
				windowDays: till.windowDays,
				...(this.script.seed % 2 === 0 ? { rowsPerWrite: fewRows } : {}),
				...(this.script.seed % 3 === 0 ? { batchBytes: fewBytes } : {}),
				onFault: (error) =>
					this.witness.fail("a till's fault", `${till.name}: ${error}`),
				onDifference: (report) => {
					const rows = `${till.name}: ${JSON.stringify(report)}`;
					this.witness.note(rows);
					this.witness.count("row healed");
					till.healings += 1;
					if (!till.isDamaged)
						this.witness.fail("a till differs that nothing damaged", rows);
				},
			});
		} catch (error) {
			if (!isStorageError(error)) throw error;
			this.schedule.after(1_000, () => {
				if (till.machine.life === life && till.machine.isUp && !till.replica)
					this.track(this.openTill(till));
			});
		}
	}

	/** Tracks work that ends later. An error is a defect. */
	track(work: Promise<unknown>): void {
		work.catch((error: Error) =>
			this.witness.fail("a fault", `${error.stack ?? error}`),
		);
	}

	/** Runs work that may be refused with a code. Any other error is a defect. */
	async attempt(work: () => Promise<unknown>): Promise<ShopError | undefined> {
		try {
			await work();
			return undefined;
		} catch (error) {
			if (error instanceof Poison) return new ShopError("internal", "Poison");
			if (!(error instanceof ShopError)) throw error;
			return error;
		}
	}

	/** Presents a newer till's mutation to an older server: its arguments have a later version. */
	asServerKnows(item: unknown): unknown {
		const { name } = item as { name: string };
		return this.unknownNames.has(name)
			? { ...(item as object), argsVersion: 2 }
			: item;
	}

	/** Presents a newer server's answer to an older till: with more fields, and rows of unknown entities. */
	fromServer<Answer extends Partial<Page>>(answer: Answer): Answer {
		const last = answer.changes?.at(-1);
		if (!this.isServerNewer || !answer.changes || !last) return answer;
		const changes = answer.changes.map((change) => ({
			...change,
			row: change.row && { ...change.row, loyaltyPoints: 3 },
		}));
		const unknown = {
			entity: "loyaltyCard",
			id: "card-1",
			version: last.version,
			deleted: false,
			row: { id: "card-1" },
		};
		return { ...answer, changes: [...changes, unknown], motd: "Habari" };
	}

	/**
	 * Replaces the server's disk by an older one.
	 *
	 * @param isTold whether its tills see a new epoch
	 */
	async restoreServer({ file, at }: Backup, isTold = true): Promise<void> {
		const { machine } = this.server;
		machine.breakage = undefined;
		await this.#noteRedated();
		machine.die(false);
		await machine.start(file);
		if (isTold)
			await machine.store.write((tx) => beginNewHistory(tx, machine.env));
		const kept = await this.#salesOnTills();
		for (const businessId of businesses)
			this.witness.excuse(`server ${businessId}`, at, kept);
		this.witness.loseHistory();
		this.#openServer();
	}

	/** Notes which sales the server has dated by its own clock: their items in its inbox may be lost, the dates not. */
	async #noteRedated(): Promise<void> {
		for (const { machine } of [this.server, ...this.tills])
			await this.attempt(async () => {
				const items = await machine.store.read((tx) =>
					tx.all(
						"SELECT business_id, sale_id FROM inbox_items WHERE cause = 'clock'",
					),
				);
				for (const item of items)
					this.witness.redate(`${item.business_id} ${item.sale_id}`);
			});
	}

	/** The sales that the server may lose, because a till has pulled them. */
	async #salesOnTills(): Promise<Set<string>> {
		const kept = new Set<string>();
		for (const till of this.tills)
			await this.attempt(async () => {
				const ids = await till.machine.store.read((tx) =>
					readLastingSales(tx, till),
				);
				for (const id of ids) kept.add(`${till.businessId} ${id}`);
			});
		return kept;
	}

	/** Until the server notices a copied disk, two tills print numbers with the same prefix. */
	async noteTwin({ businessId, machine }: SimulatedTill): Promise<void> {
		const { prefix } = await machine.store.read((tx) =>
			readState(tx, businessId),
		);
		this.twins.add(`${businessId} ${prefix}`);
	}

	/** Excuses sales that the server has lost and only this till had pulled, when its disk is replaced by an older one. */
	async excusePulled(): Promise<void> {
		const kept = new Set<string>();
		await this.attempt(async () => {
			const rows = await this.server.machine.store.read((tx) =>
				tx.all("SELECT business_id, id FROM sales"),
			);
			for (const { business_id, id } of rows) kept.add(`${business_id} ${id}`);
		});
		for (const businessId of businesses)
			this.witness.excuse(`server ${businessId}`, 0, kept);
	}

	#openServer(): void {
		const { machine } = this.server;
		this.server.shop = openShop({
			store: machine.store,
			env: machine.env,
			proofKeyOf,
			snapshotSize: smallSnapshots,
			...(this.script.seed % 3 === 1 ? { feedCacheSize: littleMemory } : {}),
			onNotice: async () => {
				if (this.isServerFaulty && !this.isHealed) throw new Poison("poison");
			},
			onFault: (error) => {
				if (!(error instanceof Poison))
					this.witness.fail("a server's fault", `${error}`);
			},
		});
	}

	#serverDied(): void {
		this.server.shop = undefined;
		this.#comeBack(this.server.machine, async () => this.#openServer());
	}

	#tillDied(till: SimulatedTill, isHard: boolean): void {
		till.replica = undefined;
		this.#comeBack(till.machine, async () => {
			if (isHard) await this.#forgetAnswers(till);
			await this.openTill(till);
			await this.#joinAgain(till);
		});
	}

	/**
	 * A browser flushes nothing for the server's answers either. A power cut may take a rejection back; the mutation
	 * waits then, and the server answers it again. Sales that a shop which came whole again had brought come once more.
	 */
	async #forgetAnswers({
		isInBrowser,
		machine,
		businessId,
		seen,
	}: SimulatedTill): Promise<void> {
		if (!isInBrowser) return;
		await this.attempt(async () => {
			const [waiting, sales] = await machine.store.read(async (tx) => [
				await tx.all(
					"SELECT mutation_id AS id FROM outbox WHERE business_id = ? AND state = 'pending'",
					businessId,
				),
				await tx.all("SELECT id FROM sales WHERE business_id = ?", businessId),
			]);
			for (const { id } of waiting) seen.rejected.delete(`${id}`);
			const here = sales.map(({ id }) => id as string);
			seen.sales = new Set(here.filter((id) => seen.sales.has(id)));
		});
	}

	/**
	 * A browser flushes nothing for a shop that comes by the feed, because the server sends it again. Right after, a power
	 * cut may take all of it back, and nobody can sell until it has come again.
	 */
	async #joinAgain(till: SimulatedTill): Promise<void> {
		if (!till.isInBrowser || !till.hasJoined) return;
		await this.attempt(async () => {
			const shop = await till.machine.store.read((tx) =>
				tx.get(
					"SELECT 1 AS held FROM businesses WHERE business_id = ?",
					till.businessId,
				),
			);
			if (shop) return;
			this.witness.count("shop taken back");
			till.hasJoined = false;
			this.#join(till);
		});
	}

	/** A person turns it on again within a minute. */
	#comeBack(machine: Machine, open: () => Promise<void>): void {
		const { life } = machine;
		this.witness.count("crash");
		this.witness.note(`${this.schedule.now()} ${machine.name} died`);
		const random = openRandom(this.script.seed, "back", machine.name, life);
		this.schedule.after(random.below(60_000), () => {
			if (machine.life !== life) return;
			this.track(machine.start().then(open));
		});
	}
}

function otherThan(businessId: string): string {
	return businesses.find((id) => id !== businessId) as string;
}

/** Sets the epoch from the seed, because receipt prefixes depend on it. */
async function setEpoch(tx: Connection, { env }: Machine): Promise<void> {
	await tx.run("UPDATE meta SET value = ? WHERE key = 'epoch'", newId(env));
}

function businessRow(id: string, canary: string) {
	return testBusiness(id, `Duka ${canaryOf(canary)}`);
}
