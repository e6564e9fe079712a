import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";

/** Where devices of the network find a server that listens on all of a machine's addresses. */
const anyHosts = new Set(["0.0.0.0", "::"]);
const ownHosts = new Set(["localhost", "127.0.0.1", "::1"]);

/** What the start of an empty server prints: the setup code, and for a phone a link with it, as a QR code too. */
export function setupInvitation(
	{ host, port, code }: { host: string; port: number; code: string },
	{ isTerminal }: { isTerminal: boolean },
): string {
	const lines = [
		`There is no shop yet: open one on this machine, or elsewhere with the setup code ${code}`,
	];
	const name = anyHosts.has(host) ? lanAddress() : host;
	if (name !== undefined && !ownHosts.has(name)) {
		const authority = name.includes(":") ? `[${name}]` : name;
		const link = `http://${authority}:${port}/setup#${code}`;
		lines.push(link);
		if (isTerminal) lines.push(renderUnicodeCompact(link, { border: 2 }));
	}
	return lines.join("\n");
}

function lanAddress(): string | undefined {
	return Object.values(networkInterfaces())
		.flat()
		.find((it) => it?.family === "IPv4" && !it.internal)?.address;
}
