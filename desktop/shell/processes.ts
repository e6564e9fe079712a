import { extname, join } from "node:path";
import type { UtilityProcess } from "electron";
import type { ElectronParts } from "./electron-parts.ts";
import type { Home } from "./home.ts";

/** The programs that run beside the window, so that it never waits for them. */
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

/** A program of the shop, TypeScript in a checkout and JavaScript in a package. */
function ownFile(name: string): string {
	const kind = extname(import.meta.filename);
	return join(import.meta.dirname, "../shop", `${name}${kind}`);
}

/** What a developer set for the shell's own Node is not the shop's. */
function environment(dataDir: string): NodeJS.ProcessEnv {
	const { NODE_OPTIONS, ELECTRON_RUN_AS_NODE, ...env } = process.env;
	return { ...env, DATA_DIR: dataDir };
}
