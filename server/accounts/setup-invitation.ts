import { renderUnicodeCompact } from "uqr";
import { anyHosts, lanAddresses } from "../http/lan-addresses.ts";

const ownHosts = new Set(["localhost", "127.0.0.1", "::1"]);

/** What the start of an empty server prints: the setup code, and for a phone a link with it, as a QR code too. */
export function setupInvitation(
	{ host, port, code }: { host: string; port: number; code: string },
	{ isTerminal }: { isTerminal: boolean },
): string {
	const lines = [
		`There is no shop yet: open one on this machine, or elsewhere with the setup code ${code}`,
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
