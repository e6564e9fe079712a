import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import type { Printer } from "../../ui/till-shell.ts";

type RawPrinter = Exclude<Printer, { kind: "system" }>;

/** A printer without paper or power accepts nothing; report it to the cashier after this. */
const patienceMs = 8_000;
/** How long a printer that has received everything may take to close the connection. */
const farewellMs = 2_000;

/**
 * Sends raw bytes to a receipt printer.
 *
 * @throws Error with a message for a person
 */
export async function sendRaw(
	printer: RawPrinter,
	bytes: Uint8Array,
	timeoutMs = patienceMs,
): Promise<void> {
	if (printer.kind === "network")
		await sendByNetwork(printer, bytes, timeoutMs);
	else await sendToDevice(printer.path, bytes, timeoutMs);
}

function sendByNetwork(
	{ host, port }: { host: string; port: number },
	bytes: Uint8Array,
	timeoutMs: number,
): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const socket = connect({ host, port, noDelay: true });
	const fail = (why: string, cause?: unknown) => {
		socket.destroy();
		reject(new Error(`The printer at ${host} ${why}`, { cause }));
	};
	const timer = setTimeout(() => fail("does not answer"), timeoutMs);
	socket.once("error", (error) => fail("can't be reached", error));
	socket.once("close", () => clearTimeout(timer));
	// Discard a printer's status, which would otherwise keep the connection open.
	socket.resume();
	socket.end(bytes);
	socket.once("finish", () => {
		clearTimeout(timer);
		// It has received everything; most printers wait for the other side to close.
		setTimeout(() => socket.destroy(), farewellMs).unref();
		resolve();
	});
	return promise;
}

async function sendToDevice(
	path: string,
	bytes: Uint8Array,
	timeoutMs: number,
): Promise<void> {
	const { promise, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(
		() => reject(new Error(`The printer at ${path} does not take anything`)),
		timeoutMs,
	);
	try {
		await Promise.race([writeTo(path, bytes), promise]);
	} finally {
		clearTimeout(timer);
	}
}

async function writeTo(path: string, bytes: Uint8Array): Promise<void> {
	// Windows finds COM10 and above only under this name.
	const name = /^(COM|LPT)/.test(path) ? `\\\\.\\${path}` : path;
	// Never create a file if there is no printer.
	const device = await open(name, constants.O_WRONLY).catch((cause) => {
		throw new Error(`There is no printer at ${path} that can be used`, {
			cause,
		});
	});
	try {
		await device.writeFile(bytes);
	} finally {
		await device.close();
	}
}
