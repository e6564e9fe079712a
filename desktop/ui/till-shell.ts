import type { ReceiptOptions } from "../../sync/receipts/receipt-document.ts";

/** A roll of paper's width in millimetres. */
export type RollWidth = 58 | 80;

/** Where receipts are printed. */
export type Printer =
	/** A printer installed in the system, by its name there. */
	| { kind: "system"; name: string; width: RollWidth }
	/** A receipt printer on the network; its port is nearly always 9100. */
	| { kind: "network"; host: string; port: number; width: RollWidth }
	/** A receipt printer on this computer, such as `/dev/usb/lp0` or `COM3`. */
	| { kind: "device"; path: string; width: RollWidth };

/** What stands on a label, and how many are printed of it. */
export interface LabelText {
	name: string;
	price: string;
	unitPrice: string | null;
	code: string | null;
	copies: number;
}

/** Where labels are printed without a dialog. */
export type LabelPrinter =
	/** The chosen receipt printer, on its roll. */
	| { kind: "receipt" }
	/** A label printer on the network that reads ZPL, with the size of its labels in millimetres. */
	| { kind: "zpl"; host: string; port: number; width: number; height: number };

export interface Printers {
	chosen: Printer | null;
	/** The names of the printers installed in the system. */
	system: string[];
}

export interface Update {
	version: string;
	/** Its release page. */
	url: string | null;
}

export interface Versions {
	counterfoil: string;
	electron: string;
	chromium: string;
	node: string;
}

/** What a desktop till's window can do and a browser can't. A failed call's message is for a person. */
export interface TillShell {
	/** Prints the answer of `GET /api/receipts/:id` on the chosen printer, without a dialog. */
	print(receipt: unknown, options?: ReceiptOptions): Promise<void>;
	printLabels(labels: LabelText[], to: LabelPrinter): Promise<void>;
	printers(): Promise<Printers>;
	choosePrinter(printer: Printer | null): Promise<void>;
	/** Opens the cash drawer that is connected to the receipt printer. */
	openDrawer(): Promise<void>;
	/** Asks for a folder and backs up to it. @returns the backup's file name, or null if none was chosen */
	backup(): Promise<string | null>;
	/** Switches full screen if `on` is given. @returns whether it is on now */
	fullScreen(on?: boolean): Promise<boolean>;
	versions(): Promise<Versions>;
	/** @returns a newer version, if one is known */
	update(): Promise<Update | null>;
}

declare global {
	interface Window {
		/** Absent in a browser. */
		till?: TillShell;
	}
}
