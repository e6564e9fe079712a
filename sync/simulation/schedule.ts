/** More often than honest work begins anew between two events: something waits for what never comes. */
const turnsMax = 50_000;

/** No database works as long on anything here, on however busy a machine. */
const workMaxMs = 60_000;

/** More events than any honest run has: somebody asks the same again and again. */
const eventsMax = 4_000;

/** Time that passes only from one event to the next. */
export interface Schedule {
	/** Milliseconds since 1970. */
	now(): number;
	/** Lets something happen after so many milliseconds. */
	after(ms: number, happen: () => void): void;
	/** Keeps time standing while work on a database goes on. */
	during<T>(work: Promise<T>): Promise<T>;
	/** Lets everything happen that is due, in its order, until nothing is. */
	run(): Promise<void>;
}

interface Event {
	at: number;
	order: number;
	happen(): void;
}

export function openSchedule(start: number): Schedule {
	let now = start;
	let order = 0;
	let working = 0;
	let rested = Promise.withResolvers<void>();
	let happened = 0;
	const events: Event[] = [];

	function after(ms: number, happen: () => void): void {
		order += 1;
		const event = { at: now + Math.max(0, ms), order, happen };
		let i = events.length;
		// The soonest stands last.
		while (i > 0 && isSooner(events[i - 1] as Event, event)) i -= 1;
		events.splice(i, 0, event);
	}

	/** Until everybody waits for an event: for the network, the clock or nothing. */
	async function settle(): Promise<void> {
		for (let turns = 0; turns < turnsMax; turns += 1) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (working === 0) return;
			// Not turn by turn: a database on a server of its own wants the processor meanwhile.
			await withinLimit(rested.promise);
		}
		throw new Error("A database works without end");
	}

	return {
		now: () => now,
		after,

		async during(work) {
			if (working === 0) rested = Promise.withResolvers();
			working += 1;
			try {
				return await work;
			} finally {
				working -= 1;
				if (working === 0) rested.resolve();
			}
		},

		async run() {
			await settle();
			for (let event = events.pop(); event; event = events.pop()) {
				happened += 1;
				if (happened > eventsMax) throw new Error("It never comes to rest");
				now = event.at;
				event.happen();
				await settle();
			}
		},
	};
}

function isSooner(a: Event, b: Event): boolean {
	return a.at < b.at || (a.at === b.at && a.order < b.order);
}

async function withinLimit(work: Promise<void>): Promise<void> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(
		() => reject(new Error(`A database works for ${workMaxMs} ms`)),
		workMaxMs,
	);
	try {
		await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
