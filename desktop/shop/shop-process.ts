import * as z from "zod";
import { readSettings } from "../../server/settings.ts";
import { type DesktopShop, openDesktopShop } from "./desktop-shop.ts";
import type { TokenStore } from "./token-store.ts";

/*
 * A till's shop in its own process, so that the window never waits for it. The shell starts it and talks to it through
 * messages: as Electron's utility process, or as a child process of plain Node.
 */

const command = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("start"),
		secret: z.string().min(32),
		/** The token for the shop's server, as saved by the shell. */
		token: z.string().optional(),
		/** The last port, since a page's storage belongs to an address. The shop takes another if this one is in use. */
		port: z.int().min(1024).max(65_535).optional(),
	}),
	z.object({ kind: z.literal("stop") }),
]);
/** The shell's messages. */
export type ShopCommand = z.infer<typeof command>;
type Start = Omit<Extract<ShopCommand, { kind: "start" }>, "kind">;

/** Errors of a port that is in use or reserved by the system. */
const takenCodes = new Set<string | undefined>(["EADDRINUSE", "EACCES"]);

/** The shop's messages. */
export type ShopReport =
	| { kind: "started"; url: string }
	/** A message for a person. */
	| { kind: "failed"; message: string }
	/** A token to store safely for the next start. */
	| { kind: "token"; token: string };

/** Electron's utility process has this instead of `process.send`. */
interface ParentPort {
	postMessage(message: unknown): void;
	on(event: "message", listener: (event: { data: unknown }) => void): void;
}
const { parentPort } = process as { parentPort?: ParentPort };

function report(report: ShopReport): void {
	if (parentPort) parentPort.postMessage(report);
	else process.send?.(report);
}

let shop: DesktopShop | undefined;

async function start({ secret, token, port = 0 }: Start): Promise<void> {
	let kept = token;
	const vault: TokenStore = {
		read: () => kept,
		write(next) {
			kept = next;
			report({ kind: "token", token: next });
		},
	};
	try {
		const settings = readSettings({
			...process.env,
			HOST: "127.0.0.1",
			PORT: String(port),
			// A till's database is a file, whatever a server on this computer uses.
			DATABASE_URL: "",
		});
		shop = await openDesktopShop({ settings, secret, vault });
		report({ kind: "started", url: shop.url });
	} catch (error) {
		if (port !== 0 && takenCodes.has((error as NodeJS.ErrnoException).code))
			return start({ secret, token: kept });
		report({ kind: "failed", message: (error as Error).message });
	}
}

async function stop(): Promise<void> {
	await shop?.close();
	process.exit(0);
}

async function run(message: unknown): Promise<void> {
	const said = command.parse(message);
	if (said.kind === "stop") await stop();
	else if (!shop) await start(said);
}

if (parentPort) parentPort.on("message", ({ data }) => void run(data));
else {
	process.on("message", (message) => void run(message));
	// Without the shell there is no window.
	process.on("disconnect", () => void stop());
}
