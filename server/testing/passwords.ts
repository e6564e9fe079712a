import { openPasswords } from "../accounts/passwords.ts";

/**
 * Hashes and compares at bcrypt's lowest cost, in a millisecond. All tests of a process share its thread, which costs as
 * much as all the rest of a server.
 */
export const testPasswords = {
	...openPasswords({ cost: 4 }),
	close: async () => {},
};
