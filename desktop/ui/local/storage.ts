import { type LocalDatabase, openLocal } from "./database.ts";
import { type Contents, openMemoryDatabase } from "./memory-database.ts";

/** A disk may be slow; a storage that takes longer to open is broken, or held by a window of an older version. */
const openMs = 15_000;
/** What a mistake in this code raises, as opposed to a storage that fails. */
const mistakes = ["ConstraintError", "DataCloneError", "DataError"];

/** Where a browser keeps its shop: on its disk, or in memory once the disk fails. */
export interface Storage {
	/** False once memory stands in: what it holds is gone when the page is closed. */
	readonly isLasting: boolean;
	/** Whether the browser has promised to keep it; undefined where it has not said. */
	readonly isPersisted: boolean | undefined;
	/** Does some work on the database. Where the disk fails, the work is done once more in memory. */
	use<T>(work: (database: LocalDatabase) => Promise<T>): Promise<T>;
	/** Calls back when memory takes over. */
	onStandIn(listener: () => void): void;
	close(): void;
}

/** @param rescue what this page knows of the shop, for memory to go on from when the disk fails */
export async function openStorage(
	businessId: string,
	rescue: () => Contents,
): Promise<Storage> {
	const lasting = await withinLimit(openLocal(businessId)).catch(tellOfFailure);
	let database = lasting ?? openMemoryDatabase();
	let isLasting = lasting !== undefined;
	const listeners = new Set<() => void>();
	let isClosed = false;
	let isPersisted: boolean | undefined;
	// Without it a browser may clear what it holds when its disk is full. A browser that asks a person first is not waited for.
	if (isLasting)
		void navigator.storage?.persist?.().then((isGranted) => {
			isPersisted = isGranted;
		});

	return {
		get isLasting() {
			return isLasting;
		},
		get isPersisted() {
			return isPersisted;
		},
		async use(work) {
			const used = database;
			try {
				return await work(used);
			} catch (error) {
				if (isClosed || used !== lasting || !isStorageFailure(error))
					throw error;
				// Another work may have met the same failure first.
				if (database === used) {
					tellOfFailure(error);
					isLasting = false;
					database = openMemoryDatabase(rescue());
					used.close();
					for (const listener of listeners) listener();
				}
				return await work(database);
			}
		},
		onStandIn: (listener) => void listeners.add(listener),
		close() {
			isClosed = true;
			database.close();
		},
	};
}

function isStorageFailure(error: unknown): boolean {
	return error instanceof DOMException && !mistakes.includes(error.name);
}

function tellOfFailure(error: unknown): undefined {
	console.error("The browser's storage failed; memory stands in", error);
}

async function withinLimit<T>(opening: Promise<T>): Promise<T> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const limit = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new DOMException("Opening took too long", "TimeoutError")),
			openMs,
		);
	});
	return Promise.race([opening, limit]).finally(() => clearTimeout(timer));
}
