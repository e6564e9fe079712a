import { BackupError } from "../../server/operations/backup/backup-error.ts";
import { type ErrorCode, ShopError } from "../../sync/protocol/errors.ts";
import { CommandError } from "./error.ts";

const adviceByCode: Partial<Record<ErrorCode, string>> = {
	storage_full: "make room on its disk and try again",
	storage_busy: "try again when that has ended",
	storage_failed:
		'"counterfoil doctor" says more; a damaged one is replaced with "counterfoil restore BACKUP --force"',
	not_a_database: "check the path, or DATA_DIR",
	older_database:
		'start the server ("counterfoil serve"): it keeps a copy and brings the database up to date',
	newer_database: 'or use a backup of before ("counterfoil restore")',
};

/** For a database that is no file of ours. */
const adviceOnServer: typeof adviceByCode = {
	...adviceByCode,
	storage_failed: '"counterfoil doctor" says more',
	not_a_database: "check DATABASE_URL",
	newer_database: undefined,
};

/** A failure of a database in a line that names it and what to do; anything else as it is. */
export function withAdvice(error: unknown, database: string): unknown {
	if (error instanceof BackupError) return new CommandError(error.message);
	if (!(error instanceof ShopError)) return error;
	const isFile = !/^postgres(ql)?:/.test(database);
	const advice = (isFile ? adviceByCode : adviceOnServer)[error.code];
	if (advice === undefined) return error;
	const message = error.message.replace(/\.$/, "");
	return new CommandError(`${database}: ${message}; ${advice}`, {
		cause: error,
	});
}
