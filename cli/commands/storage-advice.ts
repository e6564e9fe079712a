import { BackupError } from "../../server/backup/backup-error.ts";
import { type ErrorCode, ShopError } from "../../sync/errors.ts";
import { CommandError } from "./error.ts";

const adviceByCode: Partial<Record<ErrorCode, string>> = {
	storage_full: "make room on its disk and try again",
	storage_busy: "try again when that has ended",
	storage_failed:
		'"counterfoil doctor" says more; a damaged one is replaced with "counterfoil restore BACKUP --force"',
	not_a_database: "check the path, or DATA_DIR",
	newer_database: 'or use a backup of before ("counterfoil restore")',
};

/** A failure of a database file in a line that names the file and what to do; anything else as it is. */
export function withAdvice(error: unknown, file: string): unknown {
	if (error instanceof BackupError) return new CommandError(error.message);
	if (!(error instanceof ShopError)) return error;
	const advice = adviceByCode[error.code];
	if (advice === undefined) return error;
	const message = error.message.replace(/\.$/, "");
	return new CommandError(`${file}: ${message}; ${advice}`, { cause: error });
}
