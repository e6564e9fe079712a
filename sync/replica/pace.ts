/** How a replica's own work gives way to the people at its till. */
export interface Pace {
	/**
	 * Resolves once nobody has used the till for a moment, or at the latest after so many milliseconds.
	 *
	 * @throws ShopError `unreachable` once the till closes
	 */
	rest(mostMs: number): Promise<void>;
}

/** How long storing what the server sent waits for a moment without use, while one use follows another. */
export const storingRestMs = 100;

/** The pace of a till whose own work keeps nobody waiting. */
export const noPace: Pace = { async rest() {} };
