import * as z from "zod";
import type { LabelPrinter, Printer } from "../../ui/till-shell.ts";

const width = z.union([z.literal(58), z.literal(80)]);
/** Device files of receipt printers. A page can't make the shell write to any other file. */
const devicePath =
	/^(\/dev\/(usb\/lp\d+|lp\d+|tty(USB|ACM|S)\d+|(cu|tty)\.[\w.-]+)|(\\\\\.\\)?(COM|LPT)\d+)$/;

const host = z
	.string()
	.max(253)
	.regex(/^[\w.:-]+$/, "must be a name or an address");
const port = z.int().min(1).max(65_535);
const millimetres = z.number().min(10).max(300);

export const labelPrinter: z.ZodType<LabelPrinter> = z.discriminatedUnion(
	"kind",
	[
		z.object({ kind: z.literal("receipt") }),
		z.object({
			kind: z.literal("zpl"),
			...{ host, port, width: millimetres, height: millimetres },
		}),
	],
);

export const printer: z.ZodType<Printer> = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("system"),
		name: z.string().min(1).max(300),
		width,
	}),
	z.object({
		kind: z.literal("network"),
		...{ host, port, width },
	}),
	z.object({
		kind: z.literal("device"),
		path: z
			.string()
			.regex(devicePath, "must be a printer's device, /dev/usb/lp0 or COM3"),
		width,
	}),
]);
