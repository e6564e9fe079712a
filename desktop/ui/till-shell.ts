/** A roll of paper's width in millimetres. */
export type RollWidth = 58 | 80;

/** Where receipts are printed. */
export type Printer =
	/** One that the system knows, by the system's name of it. */
	| { kind: "system"; name: string; width: RollWidth }
	/** A receipt printer on the network; its port is 9100 nearly always. */
	| { kind: "network"; host: string; port: number; width: RollWidth }
	/** A receipt printer at this computer, `/dev/usb/lp0` or `COM3`. */
	| { kind: "device"; path: string; width: RollWidth };

export interface Printers {
	chosen: Printer | null;
	/** The names of those that the system knows. */
	system: string[];
}

export interface Update {
	version: string;
	/** Where it can be read about and downloaded. */
	url: string | null;
}

export interface Versions {
	counterfoil: string;
	electron: string;
	chromium: string;
	node: string;
}

/** What the desktop till's window can do that a browser can't. Each call fails with a line for a person. */
export interface TillShell {
	/** Prints what `GET /api/receipts/:id` answers on the chosen printer, and asks nobody. */
	print(receipt: unknown): Promise<void>;
	printers(): Promise<Printers>;
	choosePrinter(printer: Printer | null): Promise<void>;
	/** By the receipt printer that it hangs on. */
	openDrawer(): Promise<void>;
	/** Asks for a folder. @returns the copy's file name, or null where none was chosen */
	backup(): Promise<string | null>;
	/** Sets it where it is given. @returns what it is now */
	fullScreen(on?: boolean): Promise<boolean>;
	versions(): Promise<Versions>;
	/** @returns the newer version that there is, as far as it was heard of */
	update(): Promise<Update | null>;
}

declare global {
	interface Window {
		/** Absent in a browser. */
		till?: TillShell;
	}
}
