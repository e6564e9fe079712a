import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import type { Printer } from "../../ui/till-shell.ts";

type RawPrinter = Exclude<Printer, { kind: "system" }>;

/** A printer without paper or power takes nothing; a cashier is told after this. */
const patienceMs = 8_000;
/** How long one that has everything may take to hang up. */
const farewellMs = 2_000;

/**
 * Sends bytes to a receipt printer as they are.
 *
 * @throws with a line for a person
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
	// What a printer says of itself is not read, but must not stop it from hanging up.
	socket.resume();
	socket.end(bytes);
	socket.once("finish", () => {
		clearTimeout(timer);
		// It has all of it; most printers leave hanging up to the other side.
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
	// Windows finds COM10 and above only by this name.
	const name = /^(COM|LPT)/.test(path) ? `\\\\.\\${path}` : path;
	// Nothing is made where no printer is.
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
