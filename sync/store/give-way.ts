import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Gives this thread, and those that it starts, the lowest processor priority. On Linux a thread has its own priority;
 * elsewhere it has its process's, which stays as it is.
 */
export function giveWay(): void {
	if (process.platform !== "linux") return;
	const thread = readlinkSync("/proc/thread-self").split("/").at(-1);
	setPriority(Number(thread), constants.priority.PRIORITY_LOW);
}
