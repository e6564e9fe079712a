import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { v7 as newId } from "uuid";

/** Longer than a request takes: a window that was closed in its turn holds the others up for no longer. */
const turnMs = 30_000;
/** One that is said to last longer was written by a clock that was set since. */
const longestMs = 300_000;
const askAgainMs = 200;

interface Turn {
	holder: string;
	until: number;
}
interface Tables extends DBSchema {
	turns: { key: string; value: Turn };
}

/** Makes sure that it is this window's turn still, for so long from now. @throws where another one has taken it over */
export type Still = (ms?: number) => Promise<void>;

/** Lets one of the browser's windows at a time do something. */
export interface Turns {
	inTurn<T>(work: (still: Still) => Promise<T>): Promise<T>;
	close(): void;
}

export function openTurns(name: string): Turns {
	if (navigator.locks)
		return {
			inTurn: async (work) =>
				navigator.locks.request(name, () => work(() => Promise.resolve())),
			close: () => {},
		};
	return openKeptTurns(name);
}

/** Browsers have locks on secure addresses only: on others a turn is a row that runs out. */
function openKeptTurns(name: string): Turns {
	const holder = newId();
	let isClosed = false;
	const opening = openDB<Tables>("counterfoil-turns", 1, {
		upgrade(database) {
			database.createObjectStore("turns");
		},
	});

	/** @returns whether it is this window's now */
	async function take(
		database: IDBPDatabase<Tables>,
		ms: number,
		mayBegin: boolean,
	): Promise<boolean> {
		const tx = database.transaction("turns", "readwrite");
		const now = Date.now();
		const known = await tx.store.get(name);
		const isFree = !known || known.until < now || known.until > now + longestMs;
		const isOwn = known?.holder === holder || (mayBegin && isFree);
		if (isOwn) await tx.store.put({ holder, until: now + ms }, name);
		await tx.done;
		return isOwn;
	}

	async function release(database: IDBPDatabase<Tables>): Promise<void> {
		const tx = database.transaction("turns", "readwrite");
		const known = await tx.store.get(name);
		if (known?.holder === holder) await tx.store.delete(name);
		await tx.done;
	}

	return {
		async inTurn(work) {
			const database = await opening;
			while (!(await take(database, turnMs, true))) {
				await new Promise((resolve) => setTimeout(resolve, askAgainMs));
				if (isClosed) throw new Error("This window was closed");
			}
			try {
				return await work(async (ms = turnMs) => {
					if (!(await take(database, ms, false)))
						throw new Error("Another window has gone on with it");
				});
			} finally {
				if (!isClosed) await release(database);
			}
		},
		close() {
			isClosed = true;
			void opening.then(async (database) => {
				await release(database);
				database.close();
			});
		},
	};
}
