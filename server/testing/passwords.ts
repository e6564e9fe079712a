import { openPasswords } from "../accounts/passwords.ts";

/**
 * Hashes and compares passwords at bcrypt's lowest cost, in a millisecond. All tests of a process share one worker thread,
 * which costs as much as the rest of a server.
 */
export const testPasswords = {
	...openPasswords({ cost: 4 }),
	close: async () => {},
};
