import { renderUnicodeCompact } from "uqr";
import { anyHosts, lanAddresses } from "../http/lan-addresses.ts";

const ownHosts = new Set(["localhost", "127.0.0.1", "::1"]);

/** The text that an empty server prints at start: the setup code, and for phones a link with a QR code. */
export function setupInvitation(
	{ host, port, code }: { host: string; port: number; code: string },
	{ isTerminal }: { isTerminal: boolean },
): string {
	const lines = [
		`There is no shop yet: create one on this machine, or on another with the setup code ${code}`,
	];
	const name = anyHosts.has(host) ? lanAddresses()[0] : host;
	if (name !== undefined && !ownHosts.has(name)) {
		const authority = name.includes(":") ? `[${name}]` : name;
		const link = `http://${authority}:${port}/setup#${code}`;
		lines.push(link);
		if (isTerminal) lines.push(renderUnicodeCompact(link, { border: 2 }));
	}
	return lines.join("\n");
}
