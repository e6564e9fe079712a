/*
 * Bodies on their way, and questions that wait for a model. No other limit counts them, since slow senders and slow models
 * must not keep others out; but one who begins many and ends none would fill the memory.
 */

/** A body on its way, or waiting for a model. */
export interface Arrival {
	/** Counts bytes that have come, for which this body or another one may have to go. */
	add(bytes: number): void;
	/** Frees its bytes: something else counts them, they are answered, or given up. */
	end(): void;
}

export interface Arrivals {
	/**
	 * @param sender whose body it is: a business, a user, or all strangers
	 * @param giveUp called at most once, if the body has to make room
	 */
	begin(sender: string, giveUp: (why: Error) => void): Arrival;
}

interface Body extends Arrival {
	giveUp(why: Error): void;
}

/** What one sender has on the way, the oldest body first. */
interface Share {
	bytes: number;
	bodies: Set<Body>;
}

/**
 * Holds at most so many bytes. Beyond them the oldest body of the sender with the most has to go: one who sends little is
 * never kept out by one who sends much.
 *
 * @param refusal makes the error of a body that has to go
 */
export function openArrivals(maxBytes: number, refusal: () => Error): Arrivals {
	const shares = new Map<string, Share>();
	let total = 0;

	function makeRoom(): void {
		while (total > maxBytes) {
			const [most] = [...shares.values()].sort((a, b) => b.bytes - a.bytes);
			const [oldest] = most?.bodies ?? [];
			oldest?.end();
			oldest?.giveUp(refusal());
		}
	}

	return {
		begin(sender, giveUp) {
			const share = shares.get(sender) ?? { bytes: 0, bodies: new Set() };
			shares.set(sender, share);
			let own = 0;
			const body: Body = {
				giveUp,
				add(bytes) {
					if (!share.bodies.has(body)) return;
					own += bytes;
					share.bytes += bytes;
					total += bytes;
					makeRoom();
				},
				end() {
					if (!share.bodies.delete(body)) return;
					share.bytes -= own;
					total -= own;
					if (share.bodies.size === 0) shares.delete(sender);
				},
			};
			share.bodies.add(body);
			return body;
		},
	};
}
