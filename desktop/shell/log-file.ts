import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";

export interface LogFile {
	write(text: string): void;
}

/**
 * A log that never fills the disk: at `bytesMax` it becomes `file.1`, the old `file.1` becomes `file.2`, and the oldest of
 * `filesMax` files is removed.
 */
export function openLogFile(
	file: string,
	{ bytesMax = 1_000_000, filesMax = 5 } = {},
): LogFile {
	let bytes = existsSync(file) ? statSync(file).size : 0;

	function rotate(): void {
		for (let n = filesMax - 1; n > 0; n -= 1) {
			const from = n === 1 ? file : `${file}.${n - 1}`;
			if (existsSync(from)) renameSync(from, `${file}.${n}`);
		}
		bytes = 0;
	}

	return {
		write(text) {
			const length = Buffer.byteLength(text);
			try {
				if (bytes > 0 && bytes + length > bytesMax) rotate();
				appendFileSync(file, text, { mode: 0o600 });
				bytes += length;
			} catch {
				// A full disk must not stop a till because of its log.
				process.stderr.write(text);
			}
		},
	};
}
