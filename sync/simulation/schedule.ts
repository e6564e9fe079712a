/** No correct code takes so many turns between two events: something waits for an event that never comes. */
const turnsMax = 50_000;

/** No database works this long on anything here, even on a busy machine. */
const workMaxMs = 60_000;

/** No correct run has so many events: something repeats the same request for ever. */
const eventsMax = 4_000;

/** Work that takes turns between its reads rests for one. */
const idleTurns = 3;

/** Simulated time, which only passes between events. */
export interface Schedule {
	/** Milliseconds since 1970. */
	now(): number;
	/** Schedules an event after so many milliseconds. */
	after(ms: number, happen: () => void): void;
	/** Stops time while work on a database goes on. */
	during<T>(work: Promise<T>): Promise<T>;
	/** Runs all due events in order, until none is left. */
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
	let works = 0;
	let rested = Promise.withResolvers<void>();
	let happened = 0;
	const events: Event[] = [];

	function after(ms: number, happen: () => void): void {
		order += 1;
		const event = { at: now + Math.max(0, ms), order, happen };
		let i = events.length;
		// The earliest event is the last item.
		while (i > 0 && isSooner(events[i - 1] as Event, event)) i -= 1;
		events.splice(i, 0, event);
	}

	/** Waits until everything waits for an event of the network or the clock. */
	async function settle(): Promise<void> {
		for (let turns = 0; turns < turnsMax; turns += 1) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (working === 0) return;
			// Sleeps instead of spinning, because a database server needs the processor.
			await withinLimit(rested.promise);
		}
		throw new Error("A database works without end");
	}

	/** Returns false as soon as there is an event again: somebody was between two reads of a long work. */
	async function isOver(): Promise<boolean> {
		for (let idle = 0; idle < idleTurns; ) {
			const before = works;
			await settle();
			if (events.length > 0) return false;
			idle = works === before ? idle + 1 : 0;
		}
		return true;
	}

	return {
		now: () => now,
		after,

		async during(work) {
			if (working === 0) rested = Promise.withResolvers();
			working += 1;
			works += 1;
			try {
				return await work;
			} finally {
				working -= 1;
				if (working === 0) rested.resolve();
			}
		},

		async run() {
			await settle();
			for (;;) {
				const event = events.pop();
				if (!event) {
					if (await isOver()) return;
					continue;
				}
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
