import type { Receipt } from "../../../sync/queries/receipt.ts";
import {
	type ReceiptDocument,
	type ReceiptOptions,
	toDocument,
} from "../../../sync/receipts/receipt-document.ts";
import { toZpl } from "../../ui/labels/zpl.ts";
import type { LabelPrinter, LabelText, Printer } from "../../ui/till-shell.ts";
import {
	drawerPulse,
	labelsToEscPos,
	type Picture,
	toEscPos,
} from "./escpos.ts";
import { sendRaw } from "./raw.ts";

interface ReceiptPrinting {
	/** @throws with a line for a person */
	print(receipt: Receipt, options?: ReceiptOptions): Promise<void>;
	/** @throws with a line for a person */
	printLabels(labels: LabelText[], to: LabelPrinter): Promise<void>;
	/** @throws with a line for a person */
	openDrawer(): Promise<void>;
}

interface ReceiptPrintingOptions {
	readPrinter(): Printer | undefined;
	printBySystem(
		document: ReceiptDocument,
		printer: Extract<Printer, { kind: "system" }>,
	): Promise<void>;
	readPicture?(dataUrl: string): Picture | undefined;
	send?: typeof sendRaw;
}

/** Prints on the chosen printer, one job at a time: two receipts at once would mix. */
export function openReceiptPrinting({
	readPrinter,
	printBySystem,
	readPicture,
	send = sendRaw,
}: ReceiptPrintingOptions): ReceiptPrinting {
	let last: Promise<unknown> = Promise.resolve();

	function inTurn(job: (printer: Printer) => Promise<void>): Promise<void> {
		const turn = last.then(async () => {
			const printer = readPrinter();
			if (!printer) throw new Error("No receipt printer has been chosen yet");
			await job(printer);
		});
		// Its caller gets the error; the next job runs anyway.
		last = turn.catch(() => undefined);
		return turn;
	}

	return {
		print(receipt, options) {
			const document = toDocument(receipt, options);
			return inTurn((printer) =>
				printer.kind === "system"
					? printBySystem(document, printer)
					: send(printer, toEscPos(document, printer.width, readPicture)),
			);
		},
		async printLabels(labels, to) {
			if (to.kind === "zpl") {
				const { host, port } = to;
				const roll = { kind: "network", host, port, width: 58 } as const;
				return send(roll, Buffer.from(toZpl(labels, to)));
			}
			await inTurn(async (printer) => {
				if (printer.kind === "system")
					throw new Error(
						"Only a network, USB or serial receipt printer can print labels",
					);
				await send(printer, labelsToEscPos(labels, printer.width));
			});
		},
		openDrawer: () =>
			inTurn(async (printer) => {
				if (printer.kind === "system")
					throw new Error(
						"Only a network, USB or serial receipt printer can open the cash drawer",
					);
				await send(printer, drawerPulse(printer.width));
			}),
	};
}
