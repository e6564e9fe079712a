/** What is there now, in no order. */
interface Roster<Member> {
	/** @returns a function that removes the member, once */
	add(member: Member): () => void;
	/** A copy, so that members may leave meanwhile. */
	all(): Member[];
}

/**
 * Opens a roster for members of a moment, such as calls. A Set gets a new table for every few of them, and each table that
 * grew old keeps its members in memory until the next collection of old objects, 4 kB for each call.
 */
export function openRoster<Member>(): Roster<Member> {
	const entries: { member: Member; at: number }[] = [];
	return {
		add(member) {
			const entry = { member, at: entries.length };
			entries.push(entry);
			return () => {
				if (entries[entry.at] !== entry) return;
				const last = entries.pop() as typeof entry;
				if (last === entry) return;
				entries[entry.at] = last;
				last.at = entry.at;
			};
		},
		all: () => entries.map(({ member }) => member),
	};
}
