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

/** A printer takes many labels as fast as it prints them, so patience counts from the last part that it took. */
const partBytes = 4_096;

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += partBytes)
		yield bytes.subarray(at, at + partBytes);
}

function openPatience(ms: number, onEnd: () => void) {
	let timer: NodeJS.Timeout | undefined = setTimeout(onEnd, ms);
	return {
		/** Begins again, unless it has ended. */
		renew: () => timer?.refresh(),
		end() {
			clearTimeout(timer);
			timer = undefined;
		},
	};
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
	const patience = openPatience(timeoutMs, () => fail("does not answer"));
	socket.once("error", (error) => fail("can't be reached", error));
	socket.once("close", patience.end);
	// Discard a printer's status, which would otherwise keep the connection open.
	socket.resume();
	const parts = partsOf(bytes);
	const sendNext = () => {
		const { value, done } = parts.next();
		if (done) socket.end();
		else
			socket.write(value, (error) => {
				if (error) return;
				patience.renew();
				sendNext();
			});
	};
	sendNext();
	socket.once("finish", () => {
		patience.end();
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
	let isOver = false;
	const patience = openPatience(timeoutMs, () => {
		isOver = true;
		reject(new Error(`The printer at ${path} does not take anything`));
	});
	// What was given up must not print later, beside the next try.
	const mayGoOn = () => {
		if (!isOver) patience.renew();
		return !isOver;
	};
	try {
		await Promise.race([writeTo(path, bytes, mayGoOn), promise]);
	} finally {
		patience.end();
	}
}

/** @param mayGoOn asked after each part that the printer took */
async function writeTo(
	path: string,
	bytes: Uint8Array,
	mayGoOn: () => boolean,
): Promise<void> {
	// Windows finds COM10 and above only under this name.
	const name = /^(COM|LPT)/.test(path) ? `\\\\.\\${path}` : path;
	// Never create a file if there is no printer.
	const device = await open(name, constants.O_WRONLY).catch((cause) => {
		throw new Error(`There is no printer at ${path} that can be used`, {
			cause,
		});
	});
	try {
		for (const part of partsOf(bytes)) {
			await device.writeFile(part);
			if (!mayGoOn()) return;
		}
	} finally {
		await device.close();
	}
}
