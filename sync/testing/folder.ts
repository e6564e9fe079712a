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
 * Keeps what tests write in memory, where a machine has such a folder and room in it: SQLite works there as on a disk, but
 * waits for none. A power cut is none that a test could make. `TMPDIR` names another place.
 */
export default function keepInMemory(): (() => void) | undefined {
	if (process.env.TMPDIR || !existsSync(memory)) return undefined;
	const { bavail, bsize } = statfsSync(memory);
	if (bavail * bsize < roomMin) return undefined;
	const dir = mkdtempSync(join(memory, "counterfoil-"));
	// A PostgreSQL of a test runs as a user who has to get through to its folder.
	chmodSync(dir, 0o711);
	process.env.TMPDIR = dir;
	return () => rmSync(dir, { recursive: true, force: true });
}
