import { networkInterfaces } from "node:os";

/** Where devices of the network find a server that listens on all of a machine's addresses. */
export const anyHosts: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** This machine's addresses on its networks. */
export function lanAddresses(): string[] {
	return Object.values(networkInterfaces())
		.flat()
		.flatMap((it) =>
			it?.family === "IPv4" && !it.internal ? [it.address] : [],
		);
}
