import { BackupError } from "../../server/operations/backup/backup-error.ts";
import { type ErrorCode, ShopError } from "../../sync/protocol/errors.ts";
import { CommandError } from "./command-error.ts";

const adviceByCode: Partial<Record<ErrorCode, string>> = {
	storage_full: "free some disk space and try again",
	storage_busy: "try again when the other program has finished",
	storage_failed:
		'run "counterfoil doctor" for details; replace a damaged database with "counterfoil restore BACKUP --force"',
	not_a_database: "check the path or DATA_DIR",
	older_database:
		'start the server with "counterfoil serve": it upgrades the database and keeps a copy of the old one',
	newer_database: 'or restore an older backup with "counterfoil restore"',
};

/** Advice for a database on a PostgreSQL server. */
const adviceOnServer: typeof adviceByCode = {
	...adviceByCode,
	storage_failed: 'run "counterfoil doctor" for details',
	not_a_database: "check DATABASE_URL",
	newer_database: undefined,
};

/** Turns a database failure into a CommandError that names the database and the remedy; returns other errors unchanged. */
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
