import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../store/sqlite.ts";
import { createDatabase } from "../testing/postgres-cluster.ts";
import type { StoreKind } from "../testing/store-kind.ts";
import { addBystander, readBystander } from "./bystander.ts";
import { damage } from "./damage.ts";
import { openSharedDatabase } from "./database-disk.ts";
import { openFileDisk } from "./disk.ts";
import { faults } from "./faults.ts";
import { openLentFiles } from "./lent-files.ts";
import { imageIn, openOpfsDisk } from "./opfs-disk.ts";
import { people } from "./people.ts";
import { openRandom } from "./random.ts";
import type { Script } from "./script.ts";
import { judge } from "./verdict.ts";
import { simulatedBrowser } from "./wasm-sqlite.ts";
import type { Violation } from "./witness.ts";
import { type BrowserPlace, World } from "./world.ts";

interface Outcome {
	violations: readonly Violation[];
	/** A hash of everything that happened, equal for equal runs. */
	history: string;
	counts: Record<string, number>;
	/** The history line by line, if requested. */
	lines: readonly string[];
}

const acts = { ...people, ...faults, ...damage };

/** The storage of successive runs, in memory if the system has such a folder. */
interface Ground {
	run(script: Script, options?: { isVerbose?: boolean }): Promise<Outcome>;
	close(): Promise<void>;
}

/** @param kind the store of the server's shops; tills use files */
export async function openGround(kind: StoreKind = "sqlite"): Promise<Ground> {
	const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
	const dir = mkdtempSync(join(base, "counterfoil-simulation-"));
	const template = join(dir, "template.db");
	const empty = await openSqlite(template);
	await addBystander(empty);
	const bystanderRows = await empty.read(readBystander);
	await empty.close();
	const files = openLentFiles(dir);
	let browser: Promise<BrowserPlace> | undefined;
	const database =
		kind === "postgres"
			? await openSharedDatabase(await createDatabase("fresh"))
			: undefined;
	return {
		async run(script, { isVerbose = false } = {}) {
			const own = mkdtempSync(join(dir, "run-"));
			const serverDisk =
				(await database?.openDisk(own, "server")) ??
				openFileDisk({ dir: own, name: "server", from: template, files });
			const places = {
				dir: own,
				template,
				files,
				browser: () => {
					browser ??= openBrowserPlace();
					return browser;
				},
				images: new Map(),
				bystanderRows,
				isServerOnFile: kind === "sqlite",
				serverDisk,
			};
			const world = new World(script, places, isVerbose);
			try {
				await play(world);
			} finally {
				const machines = [world.server, ...world.tills].map(
					(one) => one.machine,
				);
				for (const machine of machines) await machine?.close();
				rmSync(own, { recursive: true });
			}
			const { violations, history, counts, lines = [] } = world.witness;
			return { violations, history, counts, lines };
		},
		async close() {
			await database?.close();
			files.close();
			rmSync(dir, { recursive: true });
		},
	};
}

/** Opens a browser with a database that holds only the bystander. */
async function openBrowserPlace(): Promise<BrowserPlace> {
	const browser = await simulatedBrowser();
	const images = new Map();
	const disk = openOpfsDisk({
		...{ browser, images, name: "template" },
		random: openRandom("template"),
		onLost() {},
	});
	const store = await disk.open(() => {});
	await addBystander(store);
	await store.close();
	return { ...browser, template: imageIn(images, await disk.copy()) };
}

async function play(world: World): Promise<void> {
	const { schedule, script, witness } = world;
	const onRejection = (error: unknown) =>
		witness.fail("nobody handles an error", `${error}`);
	process.on("unhandledRejection", onRejection);
	try {
		await world.open();
		let at = 0;
		for (const { name, wait, seed } of script.steps) {
			at += wait;
			schedule.after(at, () => {
				witness.count(name);
				witness.note(`${schedule.now()} ${name}`);
				world.track(acts[name](world, openRandom(seed)));
			});
		}
		await schedule.run();
		await judge(world);
	} catch (error) {
		witness.fail("a fault", `${(error as Error).stack}`);
	} finally {
		process.off("unhandledRejection", onRejection);
	}
}
