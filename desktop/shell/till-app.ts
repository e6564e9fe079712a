import { databaseFile } from "../../server/operations/database.ts";
import { secretHeader } from "../shop/guard.ts";
import { readTillConfig } from "../shop/till-config.ts";
import { backUpTo } from "./backup-runner.ts";
import { answerCalls } from "./calls.ts";
import { type Dialogs, openDialogs } from "./dialogs.ts";
import type { ElectronParts } from "./electron-parts.ts";
import { type Home, openHome } from "./home.ts";
import { canSeal, openKeychainToken } from "./keychain-token.ts";
import { lockDown } from "./lock-down.ts";
import { showMenu } from "./menu.ts";
import { openReceiptPrinting } from "./printing/receipts.ts";
import { printBySystem } from "./printing/system.ts";
import { openProcesses, type Processes } from "./processes.ts";
import {
	type ShopAddress,
	type ShopSupervisor,
	superviseShop,
} from "./shop-supervisor.ts";
import { openTillWindow, type TillWindow } from "./till-window.ts";
import { type UpdateWatch, watchUpdates } from "./updates.ts";
import { versions } from "./versions.ts";

export interface RunningTill {
	focus(): void;
	/** Also ends the shop. */
	close(): Promise<void>;
}

/** Opens the window and its shop, and connects the two. */
export function openTillApp(electron: ElectronParts): RunningTill {
	const { app, safeStorage, session } = electron;
	const home = openHome(app);
	const { log, dataDir, logs } = home;
	const processes = openProcesses(electron, home);
	let keeper: ShopSupervisor | undefined;
	const door = () => keeper?.address();
	// Before the first window, so that every window is locked down when it is created.
	lockDown({
		app,
		session: session.defaultSession,
		door,
		openInBrowser: (url) => electron.shell.openExternal(url),
		log,
	});
	const window = openTillWindow(electron, home);
	keeper = superviseOwnShop(electron, { home, processes, window });

	const dialogs = openDialogs(electron, window.window, {
		dataDir,
		logs,
		isTokenSealed: () => canSeal(safeStorage),
	});
	const backup = () => backUpOnRequest(dialogs, processes, home);
	const updates = watchUpdates({
		current: versions().counterfoil,
		place: () => releasesOf(dataDir, door()),
		onFound: (update) => showMenu(electron, actions, update),
		log,
	});
	const actions = {
		toggleFullScreen: () => window.fullScreen(!window.fullScreen()),
		backUp: () => dialogs.tell(backup(), (name) => name && `Saved: ${name}`),
		checkForUpdate: () =>
			dialogs.tell(updates.check(), (found) =>
				found
					? `Version ${found.version} is there.`
					: "There is no newer version.",
			),
		showLog: () => void electron.shell.openPath(logs),
		showAbout: dialogs.showAbout,
	};
	showMenu(electron, actions);
	answerPage(electron, { home, window, updates, backup, door });

	return {
		focus: window.focus,
		async close() {
			updates.stop();
			await keeper?.stop();
		},
	};
}

interface ShopParts {
	home: Home;
	processes: Processes;
	window: TillWindow;
}

function superviseOwnShop(
	{ safeStorage }: ElectronParts,
	{ home, processes, window }: ShopParts,
): ShopSupervisor {
	const { log, port } = home;
	const token = openKeychainToken(home.tokenFile, safeStorage, log);
	return superviseShop({
		fork: processes.forkShop,
		readToken: token.read,
		readPort: port.read,
		onToken: token.write,
		onStarted(door) {
			// A port that was taken may be free again next time.
			if (port.read() === undefined)
				port.remember(Number(new URL(door.origin).port));
			window.show(door);
		},
		onTrouble: window.showError,
		log,
	});
}

async function backUpOnRequest(
	dialogs: Dialogs,
	{ forkBackup }: Processes,
	home: Home,
): Promise<string | null> {
	const folder = await dialogs.askFolder();
	if (folder === undefined) return null;
	return backUpTo(folder, {
		fork: forkBackup,
		databaseFile: databaseFile(home),
	});
}

/** The source of release news: the shop's server, or this computer's shop if it has none. */
function releasesOf(dataDir: string, door: ShopAddress | undefined) {
	const server = readTillConfig(dataDir)?.server;
	if (server) return { url: server };
	return door && { url: door.origin, headers: { [secretHeader]: door.secret } };
}

interface PageParts {
	home: Home;
	window: TillWindow;
	updates: UpdateWatch;
	backup(): Promise<string | null>;
	door(): ShopAddress | undefined;
}

function answerPage(
	electron: ElectronParts,
	{ home, window, updates, backup, door }: PageParts,
): void {
	const { log, printer } = home;
	const printing = openReceiptPrinting({
		readPrinter: () => printer.read() ?? undefined,
		printBySystem: (document, chosen) =>
			printBySystem(electron, document, chosen),
		readPicture(dataUrl) {
			const picture = electron.nativeImage.createFromDataURL(dataUrl);
			if (picture.isEmpty()) return undefined;
			return { ...picture.getSize(), data: picture.toBitmap() };
		},
	});
	const calls = {
		print: printing.print,
		printLabels: printing.printLabels,
		openDrawer: printing.openDrawer,
		async printers() {
			const known = await window.window.webContents.getPrintersAsync();
			return {
				chosen: printer.read() ?? null,
				system: known.map(({ name }) => name),
			};
		},
		choosePrinter: async (chosen: Parameters<Home["printer"]["write"]>[0]) =>
			printer.write(chosen),
		backup,
		fullScreen: async (on?: boolean) => window.fullScreen(on),
		versions: async () => versions(),
		update: async () => updates.found() ?? null,
	};
	const origin = () => door()?.origin;
	answerCalls(calls, { ipcMain: electron.ipcMain, origin, log });
}
