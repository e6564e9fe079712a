import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { App } from "electron";
import type { Logger } from "pino";
import * as z from "zod";
import { openLogger } from "../../server/operations/logger.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { printer } from "./printing/printer.ts";
import { openSavedValue, type SavedValue } from "./saved-value.ts";
import { windowState } from "./window-state.ts";

export interface Home {
	/** The shop's data directory. */
	dataDir: string;
	/** The directory of the log files. */
	logs: string;
	logFile: LogFile;
	log: Logger;
	tokenFile: string;
	port: SavedValue<number>;
	printer: SavedValue<z.output<typeof printer> | null>;
	window: SavedValue<z.output<typeof windowState>>;
}

/** A till's directories in the user's application data. */
export function openHome(app: App): Home {
	const dir = app.getPath("userData");
	const logs = app.getPath("logs");
	for (const each of [dir, logs])
		mkdirSync(each, { recursive: true, mode: 0o700 });
	const logFile = openLogFile(join(logs, "counterfoil.log"));
	const log = openLogger("info", logFile);
	const keep = <T>(name: string, schema: z.ZodType<T>) =>
		openSavedValue(join(dir, name), schema, log);
	return {
		dataDir: resolve(process.env.DATA_DIR?.trim() || join(dir, "shop")),
		logs,
		logFile,
		log,
		tokenFile: join(dir, "token.json"),
		port: keep("port.json", z.int()),
		printer: keep("printer.json", printer.nullable()),
		window: keep("window.json", windowState),
	};
}
