import { mkdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import * as z from "zod";
import { openLog } from "../../server/log.ts";
import { databaseFile } from "../../server/start.ts";
import { secretHeader } from "../guard.ts";
import { readTill } from "../till-file.ts";
import type { Update } from "../ui/till-shell.ts";
import { backUpTo } from "./backup.ts";
import { answerCalls } from "./calls.ts";
import { openDialogs } from "./dialogs.ts";
import type { ElectronParts } from "./electron-parts.ts";
import { openKept } from "./kept-file.ts";
import { lockDown } from "./lock-down.ts";
import { openLogFile } from "./log-file.ts";
import { tillMenu } from "./menu.ts";
import { printer } from "./printing/printer.ts";
import { openReceiptPrinting } from "./printing/receipts.ts";
import { printBySystem } from "./printing/system.ts";
import { keepShop, type ShopKeeper } from "./shop-keeper.ts";
import { openTillWindow } from "./till-window.ts";
import { canSeal, openTokenKeeper } from "./token-keeper.ts";
import { watchUpdates } from "./updates.ts";
import { versions } from "./versions.ts";
import { windowState } from "./window-state.ts";

export interface RunningTill {
	focus(): void;
	/** Ends the shop as well. */
	close(): Promise<void>;
}

/** Opens the window and the shop behind it, and ties the two together. */
export function openTill(electron: ElectronParts): RunningTill {
	const { app, ipcMain, safeStorage, session, shell, utilityProcess } =
		electron;
	const home = app.getPath("userData");
	const logs = app.getPath("logs");
	const dataDir = resolve(process.env.DATA_DIR?.trim() || join(home, "shop"));
	for (const dir of [home, logs])
		mkdirSync(dir, { recursive: true, mode: 0o700 });
	const logFile = openLogFile(join(logs, "counterfoil.log"));
	const log = openLog("info", logFile);
	const keep = <T>(name: string, schema: z.ZodType<T>) =>
		openKept(join(home, name), schema, log);
	const keptPort = keep("port.json", z.int());
	const keptPrinter = keep("printer.json", printer.nullable());
	const token = openTokenKeeper(join(home, "token.json"), safeStorage, log);

	let keeper: ShopKeeper | undefined;
	const door = () => keeper?.door();
	// Before there is a window: each is locked as it is made.
	lockDown({ app, session: session.defaultSession, door, log });
	const window = openTillWindow(electron, {
		preload: join(import.meta.dirname, "../preload.cjs"),
		kept: keep("window.json", windowState),
		log,
	});
	keeper = keepShop({
		fork() {
			const child = utilityProcess.fork(ownFile("shop-process"), [], {
				serviceName: "Counterfoil shop",
				stdio: "pipe",
				env: environment(dataDir),
			});
			child.stdout?.on("data", (text) => logFile.write(String(text)));
			child.stderr?.on("data", (text) => logFile.write(String(text)));
			return child;
		},
		readToken: token.read,
		readPort: keptPort.read,
		onToken: token.write,
		onStarted(door) {
			// A port that was taken once may be free again the next time.
			if (keptPort.read() === undefined)
				keptPort.write(Number(new URL(door.origin).port));
			window.show(door);
		},
		onTrouble: window.showTrouble,
		log,
	});

	const dialogs = openDialogs(electron, window.window, {
		dataDir,
		logs,
		isTokenSealed: () => canSeal(safeStorage),
	});
	const updates = watchUpdates({
		current: versions().counterfoil,
		place() {
			const server = readTill(dataDir)?.server;
			if (server) return { url: server };
			const at = door();
			return at && { url: at.origin, headers: { [secretHeader]: at.secret } };
		},
		onFound: setMenu,
		log,
	});
	const printing = openReceiptPrinting({
		readPrinter: () => keptPrinter.read() ?? undefined,
		printBySystem: (receipt, chosen) =>
			printBySystem(electron, receipt, chosen),
	});

	async function backup(): Promise<string | null> {
		const folder = await dialogs.askFolder();
		if (folder === undefined) return null;
		return backUpTo(folder, {
			fork: (args) =>
				utilityProcess.fork(ownFile("backup-process"), args, {
					serviceName: "Counterfoil backup",
				}),
			databaseFile: databaseFile({ dataDir }),
		});
	}

	function setMenu(update?: Update): void {
		const actions = {
			toggleFullScreen: () => window.fullScreen(!window.fullScreen()),
			backUp: () => dialogs.tell(backup(), (name) => name && `Saved: ${name}`),
			checkForUpdate: () =>
				dialogs.tell(updates.check(), (found) =>
					found
						? `Version ${found.version} is there.`
						: "There is no newer version.",
				),
			openUpdate: ({ url }: Update) => url && void shell.openExternal(url),
			showLog: () => void shell.openPath(logs),
			showAbout: dialogs.showAbout,
		};
		const template = tillMenu(actions, {
			isMac: process.platform === "darwin",
			isDevelopment: !app.isPackaged,
			update,
		});
		electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
	}

	setMenu();
	answerCalls(
		{
			print: printing.print,
			openDrawer: printing.openDrawer,
			async printers() {
				const known = await window.window.webContents.getPrintersAsync();
				return {
					chosen: keptPrinter.read() ?? null,
					system: known.map(({ name }) => name),
				};
			},
			choosePrinter: async (chosen) => keptPrinter.write(chosen),
			backup,
			fullScreen: async (on) => window.fullScreen(on),
			versions: async () => versions(),
			update: async () => updates.found() ?? null,
		},
		{ ipcMain, origin: () => door()?.origin, log },
	);

	return {
		focus: window.focus,
		async close() {
			updates.stop();
			await keeper?.stop();
		},
	};
}

/** A program beside `main`, TypeScript in a checkout and JavaScript in a package. */
function ownFile(name: string): string {
	return join(
		import.meta.dirname,
		"..",
		`${name}${extname(import.meta.filename)}`,
	);
}

/** What a developer set for the shell's own Node is not the shop's. */
function environment(dataDir: string): NodeJS.ProcessEnv {
	const { NODE_OPTIONS, ELECTRON_RUN_AS_NODE, ...env } = process.env;
	return { ...env, DATA_DIR: dataDir };
}
