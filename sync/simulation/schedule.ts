/** More turns than any honest work takes between two events: something waits for what never comes. */
const turnsMax = 50_000;

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
		let turns = 0;
		do {
			await new Promise<void>((resolve) => setImmediate(resolve));
			turns += 1;
			if (turns > turnsMax) throw new Error("A database works without end");
		} while (working > 0);
	}

	return {
		now: () => now,
		after,

		async during(work) {
			working += 1;
			try {
				return await work;
			} finally {
				working -= 1;
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
