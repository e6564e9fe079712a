import {
	chmodSync,
	existsSync,
	mkdtempSync,
	rmSync,
	statfsSync,
} from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const roomMin = 2 * 1024 ** 3;

/**
 * Puts the tests' files into memory if the machine has such a folder with room: SQLite works there as on a disk,
 * without its waits. No test could simulate a power failure on a real disk anyway. `TMPDIR` names another place.
 */
export default function keepInMemory(): (() => void) | undefined {
	if (process.env.TMPDIR || !existsSync(memory)) return undefined;
	const { bavail, bsize } = statfsSync(memory);
	if (bavail * bsize < roomMin) return undefined;
	const dir = mkdtempSync(join(memory, "counterfoil-"));
	// A test's PostgreSQL runs as another user, who needs to reach its folder.
	chmodSync(dir, 0o711);
	process.env.TMPDIR = dir;
	return () => rmSync(dir, { recursive: true, force: true });
}
