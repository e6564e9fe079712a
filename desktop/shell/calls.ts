import type { IpcMainInvokeEvent } from "electron";
import type { Logger } from "pino";
import * as z from "zod";
import { receipt } from "../../sync/queries/receipt.ts";
import { receiptLanguages } from "../../sync/receipts/words/index.ts";
import type { LabelText, TillShell } from "../ui/till-shell.ts";
import type { ElectronParts } from "./electron-parts.ts";
import { labelPrinter, printer } from "./printing/printer.ts";

const receiptOptions = z.object({
	language: z.enum(receiptLanguages).optional(),
	isCopy: z.boolean().optional(),
	link: z
		.url({ protocol: /^https?$/ })
		.max(500)
		.nullish(),
});

const labelText: z.ZodType<LabelText> = z.object({
	name: z.string().max(500),
	price: z.string().max(100),
	unitPrice: z.string().max(100).nullable(),
	code: z.string().max(100).nullable(),
	copies: z.int().min(1).max(1_000),
});

/** The arguments of each call, validated because a page may send anything. */
const taken = {
	print: z.tuple([receipt, receiptOptions.optional()]),
	printLabels: z.tuple([z.array(labelText).max(1_000), labelPrinter]),
	printers: z.tuple([]),
	choosePrinter: z.tuple([printer.nullable()]),
	openDrawer: z.tuple([]),
	backup: z.tuple([]),
	fullScreen: z.tuple([z.boolean().optional()]),
	versions: z.tuple([]),
	update: z.tuple([]),
} satisfies Record<keyof TillShell, z.ZodType>;

/** The calls behind `TillShell`, with validated arguments. */
type Calls = {
	[Name in keyof TillShell]: (
		...given: z.output<(typeof taken)[Name]>
	) => ReturnType<TillShell[Name]>;
};

/** The result that the preload script unwraps. */
type Answer = { value: unknown } | { problem: string };

interface CallsOptions {
	ipcMain: ElectronParts["ipcMain"];
	/** The shop's origin; undefined while the shop isn't running. */
	origin(): string | undefined;
	log: Logger;
}

/** Answers calls only from the shop's page in the main frame of a window. */
export function answerCalls(
	calls: Calls,
	{ ipcMain, origin, log }: CallsOptions,
): void {
	for (const name of Object.keys(taken) as (keyof Calls)[])
		ipcMain.handle(`till:${name}`, async (event, ...given) => {
			if (!isShops(event)) {
				log.warn({ name, from: event.senderFrame?.origin }, "Refused a call");
				return { problem: "Forbidden" } satisfies Answer;
			}
			const parsed = taken[name].safeParse(given);
			if (!parsed.success)
				return { problem: toLine(parsed.error) } satisfies Answer;
			try {
				const call = calls[name] as (...args: unknown[]) => Promise<unknown>;
				return { value: await call(...parsed.data) } satisfies Answer;
			} catch (err) {
				log.error({ err, name }, "A call from the page failed");
				return { problem: (err as Error).message } satisfies Answer;
			}
		});

	function isShops({ senderFrame }: IpcMainInvokeEvent): boolean {
		const at = origin();
		return (
			at !== undefined &&
			senderFrame !== null &&
			senderFrame.parent === null &&
			senderFrame.origin === at
		);
	}
}

function toLine(error: z.ZodError): string {
	const [issue] = error.issues;
	const where = issue?.path.slice(1).join(".");
	return where ? `${where}: ${issue?.message}` : `${issue?.message}`;
}
