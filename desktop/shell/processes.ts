import { extname, join } from "node:path";
import type { UtilityProcess } from "electron";
import { nodeOptions } from "../../sync/till/node-options.ts";
import type { ElectronParts } from "./electron-parts.ts";
import type { Home } from "./home.ts";

/** The processes that run next to the window, so that it never waits for them. */
export interface Processes {
	forkShop(): UtilityProcess;
	forkBackup(args: string[]): UtilityProcess;
}

export function openProcesses(
	{ utilityProcess }: Pick<ElectronParts, "utilityProcess">,
	{ dataDir, logFile }: Pick<Home, "dataDir" | "logFile">,
): Processes {
	return {
		forkShop() {
			const child = utilityProcess.fork(ownFile("shop-process"), [], {
				serviceName: "Counterfoil shop",
				stdio: "pipe",
				execArgv: nodeOptions,
				env: environment(dataDir),
			});
			child.stdout?.on("data", (text) => logFile.write(String(text)));
			child.stderr?.on("data", (text) => logFile.write(String(text)));
			return child;
		},
		forkBackup: (args) =>
			utilityProcess.fork(ownFile("backup-process"), args, {
				serviceName: "Counterfoil backup",
			}),
	};
}

/** The path of a program: TypeScript in a checkout, JavaScript in a package. */
function ownFile(name: string): string {
	const kind = extname(import.meta.filename);
	return join(import.meta.dirname, "../shop", `${name}${kind}`);
}

/** Node options that a developer set for the shell don't apply to the shop. */
function environment(dataDir: string): NodeJS.ProcessEnv {
	const { NODE_OPTIONS, ELECTRON_RUN_AS_NODE, ...env } = process.env;
	return { ...env, DATA_DIR: dataDir };
}
