import init from "@sqlite.org/sqlite-wasm";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { Refusal } from "../../../sync/protocol/protocol.ts";
import {
	type OpfsStore,
	openInMemory,
	openInOpfs,
} from "../../../sync/store/sqlite-wasm.ts";
import {
	startWasmSqlite,
	type WasmSqlite,
} from "../../../sync/store/wasm-database.ts";
import { refusalOf } from "../../../sync/till/dispatch.ts";
import { loadRest } from "../../../sync/till/rest.ts";
import type { Opening } from "./browser-till.ts";
import { openFileTill } from "./file-till.ts";
import { openJournalAhead } from "./journal.ts";
import { openLine } from "./line.ts";
import { openMemoryTill } from "./memory-till.ts";
import type { Member, Tab } from "./messages.ts";
import { removeShop } from "./remove-shop.ts";
import { openRescue, trustWindows } from "./rescue.ts";
import { directoryOf } from "./shop-files.ts";
import { openWithStandIn } from "./stand-in.ts";
import type { OpenTill } from "./tabs.ts";

/** A tab that has just closed may hold its files for a moment. */
const triesMax = 20;
const tryAgainMs = 100;
/** How long a till that has opened waits with the rest of its code: its first sale may be under way. */
const restMs = 300;

// A browser takes a while to make a new site's folder. Some have none.
navigator.storage?.getDirectory?.().catch(console.debug);

/** Begins with the worker, before it knows its shop. */
let starting: Promise<WasmSqlite> | undefined = startWasmSqlite(init);

/** @throws what the browser says if it can't load SQLite, which is tried again at the next call */
async function sqliteOnce(): Promise<WasmSqlite> {
	starting ??= startWasmSqlite(init);
	try {
		return await starting;
	} catch (error) {
		starting = undefined;
		throw error;
	}
}

/**
 * Opens the shop in the browser's files, or in memory with a journal if there are none or they fail. The files' content
 * stays.
 */
export async function openShop(member: Member, tab: Tab): Promise<OpenTill> {
	const sqlite = await sqliteOnce();
	const { promise: mayBegin, resolve: begin } = Promise.withResolvers<void>();
	const till = await openTill(sqlite, member, { ...tab, mayBegin });
	// The page draws what it has asked for while the shop is stored.
	setTimeout(begin);
	setTimeout(() => loadRest().catch(console.error), restMs);
	return { ...till, remove: () => removeShop(sqlite, member.businessId) };
}

async function openTill(
	sqlite: WasmSqlite,
	member: Member,
	{ left, windowDays, mayBegin }: Tab & Pick<Opening, "mayBegin">,
): Promise<Omit<OpenTill, "remove">> {
	const { businessId } = member;
	const { transport, askAhead: onNew } = openLine(businessId);
	const openJournal = openJournalAhead(businessId);
	const opening: Opening = { transport, windowDays, mayBegin, openJournal };
	let files: OpfsStore;
	try {
		files = await openFiles(sqlite, businessId, onNew);
	} catch (error) {
		return openMemoryTill(await openInMemory(sqlite, { onNew }), member, {
			...{ ...opening, left, storageError: await troubleOf(error) },
		});
	}
	const rescue = openRescue(sqlite, files, businessId);
	return openWithStandIn(
		async () => {
			const till = await openFileTill(files, member, opening);
			till.onChange((kind) => void (kind === "rows" && rescue.note()));
			await rescue.note();
			return till;
		},
		async (why) => {
			const { store, isWhole } = await rescue.open();
			const storageError = refusalOf(why, console.error);
			const till = await openMemoryTill(store, member, {
				...{ ...opening, left: null, storageError },
			});
			return isWhole ? till : trustWindows(till);
		},
	);
}

async function openFiles(
	sqlite: WasmSqlite,
	businessId: string,
	onNew: () => void,
): Promise<OpfsStore> {
	for (let tries = 1; ; tries += 1)
		try {
			return await openInOpfs(sqlite, directoryOf(businessId), { onNew });
		} catch (error) {
			const isBusy =
				error instanceof ShopError && error.code === "storage_busy";
			if (!isBusy || tries === triesMax) throw error;
			await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
		}
}

/** Why the files can't be used; null if the browser gives this page none at all: on plain http, or in a private window. */
async function troubleOf(error: unknown): Promise<Refusal | null> {
	try {
		await navigator.storage.getDirectory();
		return refusalOf(error, console.error);
	} catch {
		return null;
	}
}
